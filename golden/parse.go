package golden

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/transport"
)

// Parse parses one suite in a tile's dialect; file is its name in messages. It returns the whole file or an error.
func Parse(file, text string, d Dialect) (*Suite, error) {
	p := &parser{suite: &Suite{File: file, Text: text}, names: map[string]int{}, dialect: d}
	p.tables, _ = d.(Tabular)
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\ufeff"), "\n") { // a byte order mark
		p.line++
		if len(line) > maxLine {
			return nil, failure.Usagef("%s:%d: a line of more than %d bytes", file, p.line, maxLine)
		}
		if !utf8.ValidString(line) {
			return nil, failure.Usagef("%s:%d: not UTF-8", file, p.line)
		}
		if i := strings.IndexFunc(strings.TrimSuffix(line, "\r"), hidden); i >= 0 {
			return nil, failure.Usagef("%s:%d: a control character, %q, and a vector file is plain text", file, p.line,
				[]rune(line[i:])[0])
		}
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if err := p.statement(line); err != nil {
			return nil, failure.Usagef("%s:%d: %w", file, p.line, err)
		}
	}
	if err := p.closeVector(); err != nil {
		return nil, failure.Usagef("%s:%d: %w", file, p.line, err)
	}
	if len(p.suite.Vectors) == 0 {
		return nil, failure.Usagef("%s:1: no vectors: a suite holds at least one table row or vector", file)
	}
	return p.suite, nil
}

// hidden reports whether r is a control or bidirectional character, which must not be printed.
func hidden(r rune) bool {
	return r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}

type parser struct {
	dialect Dialect
	tables  Tabular // nil if the dialect has none

	suite  *Suite
	line   int
	source Source
	names  map[string]int // line of each vector or table/row

	table  string   // table to which the next rows belong
	column []string // columns of the table, once read

	vector *Vector // receives the operations
	writer Writer  // the dialect's Writer for the vector
	ops    int     // number of operations of the vector
	bare   bool    // the vector may have no checkpoint

	memory int              // bytes of the steps and checks of all vectors
	steps  []transport.Step // memory for the steps of the next vectors
	checks []Check
}

// isName reports whether a name consists of 1 to 100 ASCII letters, digits and the characters . _ + -.
func isName(name string) bool {
	const allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-"
	return name != "" && len(name) <= 100 && strings.Trim(name, allowed) == ""
}

// Limits of the vectors in one run. They far exceed real documents, and limit the memory for a malicious file.
const (
	MaxText    = 96 << 20 // bytes in all files
	maxMemory  = 96 << 20 // bytes of all steps and checks
	MaxVectors = 30_000
	maxLine    = 2 << 20   // bytes
	maxOps     = maxSteps  // operations of a vector
	maxSteps   = 2_100_000 // of a vector: a million clocks of a waveform; must fit into a block of a recording
)

// CheckLimits returns an error if the suites of a run together exceed the limits.
func CheckLimits(suites []*Suite) error {
	text, vectors, memory := 0, 0, 0
	for _, s := range suites {
		text += len(s.Text)
		vectors += len(s.Vectors)
		for _, v := range s.Vectors {
			memory += v.memory()
		}
	}
	if memory > maxMemory {
		return failure.Usagef("%d vectors have steps and checks of %d bytes: at most %d fit in one run", vectors,
			memory, maxMemory)
	}
	if text > MaxText || vectors > MaxVectors {
		return failure.Usagef("%d vectors in %d bytes are too many: at most %d in %d bytes fit in one run "+
			"together", vectors, text, MaxVectors, MaxText)
	}
	return nil
}

// memory returns the size of a sequence's steps and checks in bytes.
func (q *Sequence) memory() int {
	return len(q.Steps)*int(unsafe.Sizeof(transport.Step{})) + len(q.Checks)*int(unsafe.Sizeof(Check{}))
}

// add completes a vector with a copy of its sequence. It returns an error if a limit is exceeded.
func (p *parser) add(v *Vector, q *Sequence) error {
	switch {
	case len(q.Steps) > maxSteps:
		return failure.Usagef("vector %q has %d steps, and at most %d are allowed", v.Name, len(q.Steps), maxSteps)
	case p.memory+q.memory() > maxMemory:
		return failure.Usagef("up to vector %q the steps and checks have more than %d bytes", v.Name, maxMemory)
	case len(p.suite.Vectors) == MaxVectors:
		return failure.Usagef("more than %d vectors", MaxVectors)
	}
	p.memory += q.memory()
	v.Steps, p.steps = copyInto(p.steps, q.Steps)
	v.Checks, p.checks = copyInto(p.checks, q.Checks)
	p.suite.Vectors = append(p.suite.Vectors, *v)
	return nil
}

// copyInto copies a vector's data into a shared piece of memory, or into a new piece if it is full.
func copyInto[T any](piece, has []T) (kept, rest []T) {
	const most = 4096
	if cap(piece)-len(piece) < len(has) {
		piece = make([]T, 0, max(most, len(has)))
	}
	from := len(piece)
	piece = append(piece, has...)
	return piece[from:len(piece):len(piece)], piece
}

func (p *parser) statement(line string) error {
	if line[0] == '|' {
		return p.row(line)
	}
	word, rest := cutWord(line)
	if p.suite.Name == "" && word != "suite" {
		return failure.Usagef("%q before the suite's name: the first statement is suite NAME", word)
	}
	switch word {
	case "suite":
		return p.suiteName(rest)
	case "document":
		if rest == "" {
			return failure.Usagef("document without a file name")
		}
		p.source = Source{Document: rest}
		p.suite.Documents = append(p.suite.Documents, rest)
		return p.closeVector()
	case "section":
		text, err := quoted(rest)
		p.source.Section = text
		return cmp.Or(err, p.closeVector())
	case "table":
		return p.tableName(rest)
	case "vector":
		return p.vectorName(rest)
	}
	if p.vector == nil {
		return failure.Usagef("%q outside of a vector: allowed here are document, section, table, vector and "+
			"the rows of a table", word)
	}
	return p.operation(word, rest)
}

// cutWord separates the first word of a text, which ends at a blank or tab.
func cutWord(text string) (word, rest string) {
	i := strings.IndexAny(text, " \t")
	if i < 0 {
		return text, ""
	}
	return text[:i], strings.TrimSpace(text[i:])
}

func quoted(s string) (string, error) {
	if len(s) < 3 || s[0] != '"' || s[len(s)-1] != '"' || strings.Contains(s[1:len(s)-1], `"`) {
		return "", failure.Usagef("%q is not a quoted text, \"...\"", s)
	}
	return s[1 : len(s)-1], nil
}

func (p *parser) suiteName(name string) error {
	switch {
	case p.suite.Name != "":
		return failure.Usagef("a second suite statement: one file is one suite")
	case !isName(name):
		return badName(name)
	}
	p.suite.Name = name
	return nil
}

func badName(name string) error {
	if len(name) > 100 {
		return failure.Usagef("a name of %d letters: at most 100 are allowed", len(name))
	}
	return failure.Usagef("%q is no name: letters, digits, '.', '_', '+' and '-' are allowed", name)
}

func (p *parser) checkUnique(name string) error {
	if at, taken := p.names[name]; taken {
		return failure.Usagef("%q is taken by line %d", name, at)
	}
	p.names[name] = p.line
	return nil
}

func (p *parser) requireSource() error {
	if p.source.Document == "" || p.source.Section == "" {
		return failure.Usagef("no source: say document FILE and section \"TEXT\" first")
	}
	return nil
}

func (p *parser) tableName(name string) error {
	switch {
	case p.tables == nil:
		return failure.Usagef("a table, and this tile's vectors have none")
	case !isName(name):
		return badName(name)
	}
	if err := cmp.Or(p.closeVector(), p.requireSource(), p.checkUnique(name)); err != nil {
		return err
	}
	p.table, p.column = name, nil
	return nil
}

func (p *parser) vectorName(rest string) error {
	name, row := cutWord(rest)
	if !isName(name) {
		return badName(name)
	}
	text, err := quoted(row)
	if err := cmp.Or(err, p.closeVector(), p.requireSource(), p.checkUnique(name)); err != nil {
		return err
	}
	src := p.source
	src.Row = text
	p.table = ""
	p.vector = &Vector{Name: p.suite.Name + "/" + name, Source: src, Line: p.line}
	p.writer, p.ops, p.bare = p.dialect.BeginVector(p.line), 0, false
	return nil
}

func (p *parser) operation(word, rest string) error {
	attribute, _ := p.dialect.Classes()
	switch {
	case word == "expects" && p.ops == 0:
		return p.expects(rest)
	case word == "revision" || word == attribute && word != "":
		return p.attribute(word, rest)
	case p.ops == maxOps:
		return failure.Usagef("vector %q has more than %d operations", p.vector.Name, maxOps)
	}
	p.ops++
	if word == "step" {
		return p.writer.Sequence().step(rest, p.line)
	}
	return p.writer.Operation(word, rest, p.line)
}

// expects allows a vector without checkpoints, which is compared only with the tile's reference.
func (p *parser) expects(what string) error {
	if what != "reference" {
		return failure.Usagef("expects %q: allowed is reference, for a vector that need not check anything "+
			"itself", what)
	}
	p.bare = true
	return nil
}

func (p *parser) attribute(word, value string) (err error) {
	switch revisions := p.dialect.Revisions(); {
	case p.ops > 0:
		return failure.Usagef("%s comes before the operations", word)
	case word != "revision":
		p.vector.Class, err = p.class(value)
	case slices.Contains(revisions, value):
		p.vector.Revision = value
	default:
		return failure.Usagef("unknown revision %q: allowed are %s", value, printable.List(revisions))
	}
	return err
}

func (p *parser) closeVector() error {
	v := p.vector
	if v == nil {
		return nil
	}
	p.vector = nil
	q := p.writer.Sequence()
	if len(q.Checks) == 0 && !p.bare {
		p.line = v.Line
		return failure.Usagef("vector %q checks nothing: add the expected levels, as in step FF 00 00 1 0 uo=C0, or "+
			"the line expects reference", v.Name)
	}
	return p.add(v, q)
}
