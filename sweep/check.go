package sweep

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/transport"
)

// A Doubt is a block that differs from the model.
type Doubt struct {
	Block int    `json:"block"`
	Words string `json:"cases"` // its cases
	Why   string `json:"why"`
}

// Verify recomputes a certificate with the tile's reference on jobs goroutines. It returns the blocks that differ from
// the certificate, and those recorded as wrong or unsteady. finished is called after each block, unless nil.
func Verify(ctx context.Context, c *Certificate, t tile.Tile, jobs int, finished func(Answer) error) ([]Doubt, error) {
	space, t, err := Open(t, c.Head.Scope)
	if err != nil {
		return nil, err
	}
	if n := space.Blocks(); n != c.Head.Of {
		return nil, failure.Usagef("it has %d blocks, but this bench divides that space into %d: it was made "+
			"by another version", c.Head.Of, n)
	}
	r := Runner{Space: space, Tile: t, Chips: make([]transport.Transport, jobs), Range: c.Head.Range(),
		Finished: finished}
	blocks, err := r.Run(ctx)
	if err != nil {
		return nil, err
	}
	var doubts []Doubt
	for i, want := range blocks {
		if why := doubt(&c.Blocks[i], &want); why != "" {
			doubts = append(doubts, Doubt{want.Number, space.Words(want.Number), why})
		}
	}
	return doubts, nil
}

// doubt describes the fault of a block, given the recomputed block.
func doubt(b, want *Block) string {
	carried := *b
	carried.Signed = 0 // carried and signed cases are equivalent
	switch {
	case carried == *want && b.Signed >= 0 && b.Signed <= b.Cases:
		return ""
	case b.Cases != want.Cases || b.Steps != want.Steps:
		return fmt.Sprintf("it has %d cases of %d steps in all, and should have %d of %d", b.Cases, b.Steps,
			want.Cases, want.Steps)
	case b.Failed > 0 && b.Samples != want.Samples && b.Covered != want.Covered:
		return fmt.Sprintf("%d of %d cases differ from the model, as the certificate says itself", b.Failed, b.Cases)
	case b.Samples != want.Samples:
		return "its samples differ from the model's"
	case b.Unsteady > 0:
		return fmt.Sprintf("%d of its runs were signed wrong, but right when carried: the chip or a "+
			"wire is unsteady", b.Unsteady)
	}
	return "it was not covered as it should be"
}

// String names the first and last block.
func (r Range) String() string { return fmt.Sprintf("blocks %d to %d", r.First, r.End-1) }

// HashFiles returns the SHA-256 of a folder's files. The hash covers each file in order: its name, a 0, and the SHA-256
// of its contents.
func HashFiles(dir fs.FS) (Hash, error) {
	sum := sha256.New()
	err := fs.WalkDir(dir, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(dir, path)
		contents := sha256.Sum256(text)
		sum.Write(append(append([]byte(path), 0), contents[:]...))
		return err
	})
	return Hash(sum.Sum(nil)), err
}

// A Failure describes the first case that differs.
type Failure struct {
	Case   string // description
	Result driver.Result
	Trace  driver.Trace
}

// FirstFailure returns the first wrong case of ordered blocks, or nil. The error reports a record that does not fit the
// space.
func FirstFailure(space tile.Space, t tile.Tile, blocks []Block) (*Failure, error) {
	for _, b := range blocks {
		if b.First != nil {
			return explain(space, t, b)
		}
	}
	return nil, nil
}

func explain(space tile.Space, t tile.Tile, b Block) (*Failure, error) {
	got, err := decodeSamples(b.First.Got)
	if err != nil {
		return nil, failure.Usagef("block %d: %w", b.Number, err)
	}
	if b.First.Case < 0 || b.First.Case >= space.Cases(b.Number) {
		return nil, failure.Usagef("block %d: it has no case %d", b.Number, b.First.Case)
	}
	f := &Failure{Case: space.Case(b.Number, b.First.Case)}
	f.Trace.Steps = space.Append(nil, b.Number, b.First.Case)
	f.Trace.Got = got
	if len(got) != len(f.Trace.Steps) {
		return nil, failure.Usagef("block %d: %d samples of a case of %d steps", b.Number, len(got), len(f.Trace.Steps))
	}
	if err := f.Trace.Expect(t); err != nil {
		return nil, err
	}
	f.Result.Tile = t
	f.Trace.Judge(&f.Result, &driver.Tally{})
	if f.Result.First == nil {
		return nil, failure.Usagef("block %d: the samples of %s match the model", b.Number, f.Case)
	}
	return f, nil
}
