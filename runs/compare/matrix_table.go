package compare

import (
	"slices"
	"strings"
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
	return driver.Gravest(all...)
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

// columns is the preferred width of a table.
const columns = 100

// mostName is the maximum length of a target in the table; the sentence below has the full name.
const mostName = 40

// shortNames shortens long names in the middle if they stay distinct.
func (t *Table) shortNames() (short []string) {
	var names []string
	for _, c := range t.Columns {
		name := []rune(c.Target)
		names = append(names, c.Target)
		if len(name) > mostName {
			half := (mostName - 3) / 2
			name = slices.Concat(name[:half], []rune("..."), name[len(name)-half:])
		}
		if slices.Contains(short, string(name)) {
			short = append(short, "")
		}
		short = append(short, string(name))
	}
	if len(short) > len(names) {
		return names
	}
	return short
}

// Took formats a duration with its significant digits.
func Took(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}

// align pads the cells of rows: the first columns left-aligned, the rest, numbers, right-aligned.
func align(rows [][]string, left int) (lines []string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-len([]rune(cell)))
			if i > 0 {
				b.WriteString("  ")
			}
			if i < left {
				b.WriteString(cell + pad)
			} else {
				b.WriteString(pad + cell)
			}
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return lines
}
