package sweep

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"slices"

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

// Compare returns the numbers of the blocks that differ between two certificates of one scope.
func Compare(a, b *Certificate) ([]int, error) {
	if err := a.Head.sameSpace(&b.Head); err != nil {
		return nil, err
	}
	if a.Head.Range() != b.Head.Range() {
		return nil, failure.Usagef("they cover different blocks: %s, and %s", a.Head.Range(), b.Head.Range())
	}
	var differ []int
	for i := range a.Blocks {
		x, y := a.Blocks[i], b.Blocks[i]
		x.First, y.First = nil, nil // follows from the samples
		x.Signed, y.Signed = 0, 0   // carried and signed cases are equivalent
		if x != y {
			differ = append(differ, x.Number)
		}
	}
	return differ, nil
}

// String names the first and last block.
func (r Range) String() string { return fmt.Sprintf("blocks %d to %d", r.First, r.End-1) }

func (h *Head) sameSpace(o *Head) error {
	switch {
	case h.Scope != o.Scope:
		return failure.Usagef("they are of different sweeps: %+v, and %+v", h.Scope, o.Scope)
	case h.Of != o.Of:
		return failure.Usagef("they are of different versions of the bench: %d blocks in all, and %d", h.Of, o.Of)
	}
	return nil
}

// Merge joins shards, in any order, into a certificate of the whole space. With one bench and one chip, it equals the
// certificate of a single sweep.
func Merge(shards []*Certificate) (*Certificate, error) {
	if len(shards) == 0 {
		return nil, failure.Usagef("nothing to merge")
	}
	shards = slices.Clone(shards)
	slices.SortFunc(shards, func(a, b *Certificate) int { return cmp.Compare(a.Head.First, b.Head.First) })
	merged := &Certificate{Head: shards[0].Head}
	merged.Head.First, merged.Head.Count, merged.Head.Made = 0, merged.Head.Of, nil
	for _, s := range shards {
		if err := merged.Head.sameSpace(&s.Head); err != nil {
			return nil, err
		}
		if s.Head.Vectors != merged.Head.Vectors {
			return nil, failure.Usagef("they were made by benches with different vectors")
		}
		if err := sameDesign(&shards[0].Head, &s.Head); err != nil {
			return nil, err
		}
		if err := follows(len(merged.Blocks), s.Head.First); err != nil {
			return nil, err
		}
		merged.Blocks = append(merged.Blocks, s.Blocks...)
		for _, m := range s.Head.Made {
			if !slices.ContainsFunc(merged.Head.Made, func(o Provenance) bool { return o.equal(&m) }) {
				merged.Head.Made = append(merged.Head.Made, m)
			}
		}
	}
	return merged, follows(len(merged.Blocks), merged.Head.Of)
}

// sameDesign rejects shards of different designs. Boards may differ.
func sameDesign(a, b *Head) error {
	for _, m := range b.Made {
		first := a.Made[0].Chip
		first.Board, first.Device, first.ROM = m.Board, m.Device, m.ROM
		if differ := m.Differences(&first); len(differ) > 0 && m.Kind+first.Kind != "" {
			return failure.Usagef("they are of different chips: %w", differ[0])
		}
	}
	return nil
}

// follows returns an error unless block `first` comes next after block `have`.
func follows(have, first int) error {
	switch {
	case first > have:
		return failure.Usagef("%s are in none of them", Range{have, first})
	case first < have:
		return failure.Usagef("%s are in two of them", Range{first, have})
	}
	return nil
}

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
