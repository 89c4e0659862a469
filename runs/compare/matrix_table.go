package compare

import (
	"slices"
	"time"

	"utfbench/driver"
)

// A Table is the results of all targets.
type Table struct {
	Columns []*Column // in the order of the targets
	Elapsed time.Duration
	About   About
}

// About describes what all targets ran.
type About struct {
	Bench   string // its version
	Tile    string
	Vectors int    // number selected
	Digest  string // of the vectors; see golden.Digest
}

// A Row is the results of a vector: an Answer for each target, nil if it was not run there.
type Row struct {
	Vector  string
	Answers []*Answer
}

// Alike reports whether all targets on which the vector was judged agree: right, or wrong from the same step on the
// same lines.
func (r *Row) Alike() bool {
	var first *Answer
	for _, a := range r.Answers {
		switch {
		case !a.Judged():
		case first == nil:
			first = a
		case !a.alike(first):
			return false
		}
	}
	return true
}

// failed reports whether the vector failed on any target.
func (r *Row) failed() bool {
	return slices.ContainsFunc(r.Answers, func(a *Answer) bool { return a.Judged() && a.Verdict != driver.Pass })
}

// rows returns the rows of all vectors, in order.
func (t *Table) rows() (all []Row) {
	met := map[string]bool{}
	for _, c := range t.Columns {
		for _, name := range c.order {
			if met[name] {
				continue
			}
			met[name] = true
			r := Row{Vector: name}
			for _, of := range t.Columns {
				r.Answers = append(r.Answers, of.answers[name])
			}
			all = append(all, r)
		}
	}
	return all
}

// Differing returns the rows of vectors that differ between targets.
func (t *Table) Differing() []Row {
	return slices.DeleteFunc(t.rows(), func(r Row) bool { return r.Alike() })
}

// Failed returns the rows of vectors that failed on some target.
func (t *Table) Failed() []Row {
	return slices.DeleteFunc(t.rows(), func(r Row) bool { return !r.failed() })
}

// Verdict returns the gravest verdict.
func (t *Table) Verdict() driver.Verdict {
	var all []driver.Verdict
	for _, c := range t.Columns {
		all = append(all, c.Verdict())
	}
	return Gravest(all)
}

// Interrupted reports whether the user stopped a run.
func (t *Table) Interrupted() bool {
	return slices.ContainsFunc(t.Columns, func(c *Column) bool { return c.Stopped })
}

// Unasked ends a sentence about the tested targets if none was a chip; otherwise it is empty.
func (t *Table) Unasked() (end string) {
	for _, c := range t.Columns {
		if c.Run.Transport == "" {
			continue
		}
		if !c.Run.Chipless() {
			return ""
		}
		end = max(end, c.Run.Unasked()) // the longest
	}
	return end
}
