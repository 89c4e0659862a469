package golden

import (
	"iter"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// A Dialect is a tile's extension of the format.
type Dialect interface {
	// Revisions returns the revisions to which a vector can be restricted.
	Revisions() []string

	// Classes returns the attribute by which the tile's documents classify vectors, and its values; both may be empty.
	Classes() (attribute string, values []string)

	// BeginVector begins a vector with its reset, at a line of the file. Its result is valid until the next call.
	BeginVector(line int) Writer
}

// A Writer collects the operations of a vector.
type Writer interface {
	// Operation adds an operation; the error lists the allowed operations.
	Operation(word, rest string, line int) error

	// Sequence returns the steps and checkpoints of the operations.
	Sequence() *Sequence
}

// A Tabular is a dialect with tables.
type Tabular interface {
	// Columns returns the columns in the order in which messages list them. The first names a row without a name.
	Columns() []Column

	// Row returns a row's vectors from its cells: each one's last name part, and a Sequence valid until the next one.
	Row(cells map[string]string, line int) (iter.Seq2[string, *Sequence], error)
}

// A Column is a column of a table.
type Column struct {
	Name     string
	Required bool // required in each table
}

// PlainDialect is the dialect of a tile without its own operations: vectors consist of plain steps.
type PlainDialect struct {
	Reset         transport.Step // begins each vector
	RevisionNames []string       // revisions
}

func (p PlainDialect) Revisions() []string { return p.RevisionNames }

func (PlainDialect) Classes() (string, []string) { return "", nil }

func (p PlainDialect) BeginVector(int) Writer {
	return &plain{Sequence{[]transport.Step{p.Reset}, nil}}
}

type plain struct{ seq Sequence }

func (w *plain) Operation(word, _ string, _ int) error {
	return failure.Usagef("unknown operation %q: allowed is step", word)
}

func (w *plain) Sequence() *Sequence { return &w.seq }
