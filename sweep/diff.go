package sweep

import (
	"fmt"
	"io"
	"os"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/history"
)

// IsResult reports whether a file is a result of bench sweep --json.
func IsResult(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	r, err := read(path)
	return err == nil && r.Space != ""
}

// Diff compares two results of the same scope, block by block, and prints the differences.
func Diff(w io.Writer, paths [2]string) (history.Conclusion, error) {
	var both [2]*Result
	for i, path := range paths {
		var err error
		if both[i], err = ReadFile(path); err != nil {
			return history.NothingCompared, err
		}
	}
	a, b := both[0], both[1]
	if a.Scope() != b.Scope() || a.TotalBlocks != b.TotalBlocks || a.Tile != b.Tile {
		return history.NothingCompared, failure.Usagef("%s is a sweep of %v of %s, and %s of %v of %s: only sweeps of "+
			"the same cases can be compared", paths[0], a.Scope(), a.Tile, paths[1], b.Scope(), b.Tile)
	}
	for i, r := range both {
		fmt.Fprintf(w, "%s: %s, %s, %d of %s, root %s\n", paths[i], r.Verdict, r.Transport, len(r.Blocks),
			printable.Count(r.TotalBlocks, "block"), r.root())
	}
	return a.diff(w, b), nil
}

func (r *Result) root() string {
	if r.Root == nil {
		return "none, since blocks are missing"
	}
	return fmt.Sprintf("%x", *r.Root)
}

// diff prints the blocks with different samples, and the conclusion.
func (r *Result) diff(w io.Writer, o *Result) history.Conclusion {
	theirs := map[int]*Block{}
	for i := range o.Blocks {
		theirs[o.Blocks[i].Number] = &o.Blocks[i]
	}
	compared, other := 0, 0
	for i := range r.Blocks {
		a := &r.Blocks[i]
		b := theirs[a.Number]
		if b == nil {
			continue
		}
		if compared++; a.Samples == b.Samples {
			continue
		}
		if other++; other <= maxListed {
			fmt.Fprintf(w, "block %d: other samples; %s, and %s\n", a.Number, a.wrong(), b.wrong())
		}
	}
	if other > maxListed {
		fmt.Fprintf(w, "and %s more\n", printable.Count(other-maxListed, "block"))
	}
	switch {
	case compared == 0:
		fmt.Fprintln(w, "nothing was compared: no block is in both")
		return history.NothingCompared
	case other > 0:
		fmt.Fprintf(w, "different: %d of %s\n", other, printable.Count(compared, "block"))
		return history.Different
	case compared < r.TotalBlocks:
		rest := r.TotalBlocks - compared
		fmt.Fprintf(w, "undecided: %s the same, %d not in both\n", printable.Count(compared, "block"), rest)
		return history.Undecided
	}
	fmt.Fprintf(w, "the same: all %s\n", printable.Count(compared, "block"))
	return history.Same
}

func (b *Block) wrong() string { return printable.Count(b.Failed, "case") + " wrong" }
