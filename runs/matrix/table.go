package matrix

import (
	"slices"
	"time"

	"utfbench/driver"
)

// A Table is what became of all targets.
type Table struct {
	Columns []*Column // in the order of the targets
	Elapsed time.Duration
	About   About
}

// About is what is asked of all targets.
type About struct {
	Bench   string // its version
	Tile    string
	Vectors int    // that are selected
	Digest  string // of the vectors, see golden.Digest
}

// A Row is what became of a vector: an Answer for each target, nil where it was not asked.
type Row struct {
	Vector  string
	Answers []*Answer
}

// Alike says whether all targets on which the vector was judged answered it in the same way: right, or wrong from the
// same step on the same lines.
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

// failed says whether it was wrong somewhere.
func (r *Row) failed() bool {
	return slices.ContainsFunc(r.Answers, func(a *Answer) bool { return a.Judged() && a.Verdict != driver.Pass })
}

// rows are those of all vectors, in the order in which they were asked.
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

// Differing are the rows of the vectors that are not the same on all targets.
func (t *Table) Differing() []Row {
	return slices.DeleteFunc(t.rows(), func(r Row) bool { return r.Alike() })
}

// Failed are the rows of the vectors that were wrong on some target.
func (t *Table) Failed() []Row {
	return slices.DeleteFunc(t.rows(), func(r Row) bool { return !r.failed() })
}

// Verdict is the gravest of all targets.
func (t *Table) Verdict() driver.Verdict {
	var all []driver.Verdict
	for _, c := range t.Columns {
		all = append(all, c.Verdict())
	}
	return Gravest(all)
}

// Interrupted says whether the user stopped it.
func (t *Table) Interrupted() bool {
	return slices.ContainsFunc(t.Columns, func(c *Column) bool { return c.Stopped })
}

// modelled says whether nothing but the bench's own model was asked.
func (t *Table) modelled() bool {
	return !slices.ContainsFunc(t.Columns, func(c *Column) bool { return !c.Run.Chipless() })
}
