package survey

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/history"
)

// A Comparison compares two surveys of a pack with the same steps: of two boards, or of one board at two times.
type Comparison struct {
	A          ResultFile
	B          ResultFile
	Conclusion history.Conclusion
	Same       int // designs with the same result
	Differ     []Pair
	OnlyA      []string // designs that B did not judge
	OnlyB      []string
}

// ResultFile is the origin of results.
type ResultFile struct {
	File       string
	Transport  string
	Conditions string
}

// A Pair is a design with different results.
type Pair struct {
	Design string
	A      Row
	B      Row
}

// Compare compares two files of bench shuttle --json. The error is bad input.
func Compare(paths [2]string) (*Comparison, error) {
	var heads [2]Head
	var rows [2]map[string]Row
	for i, path := range paths {
		var err error
		if heads[i], rows[i], err = readFile(path); err != nil {
			return nil, failure.Usagef("%s: %w", path, err)
		}
	}
	if err := heads[0].sameSteps(&heads[1]); err != nil {
		return nil, failure.Usagef("%s: %w, so that they cannot be compared", paths[0], err)
	}
	c := &Comparison{A: heads[0].origin(paths[0]), B: heads[1].origin(paths[1])}
	for name, a := range rows[0] {
		b, both := rows[1][name]
		switch {
		case both && a.alike(&b):
			c.Same++
		case both:
			c.Differ = append(c.Differ, Pair{name, a, b})
		}
	}
	slices.SortFunc(c.Differ, func(a, b Pair) int { return printable.CompareNatural(a.Design, b.Design) })
	c.OnlyA, c.OnlyB = without(rows[0], rows[1]), without(rows[1], rows[0])
	c.Conclusion = c.conclude()
	return c, nil
}

func (h *Head) origin(path string) ResultFile { return ResultFile{path, h.Transport, h.Conditions} }

// String names the file, the chip and the conditions.
func (s ResultFile) String() string {
	return strings.TrimSpace(s.File + ", " + s.Transport + " " + s.Conditions)
}

// alike reports whether two rows have the same verdict for the same reason.
func (r *Row) alike(o *Row) bool {
	return r.Verdict == o.Verdict && r.FirstDifference == o.FirstDifference && r.DifferingLines == o.DifferingLines &&
		r.Reason == o.Reason &&
		r.Vectors == o.Vectors && r.Revision == o.Revision
}

// without returns the sorted names in a that are not in b.
func without(a, b map[string]Row) (names []string) {
	for name := range a {
		if _, both := b[name]; !both {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, printable.CompareNatural)
	return names
}

func (c *Comparison) conclude() history.Conclusion {
	switch {
	case len(c.Differ) > 0:
		return history.Different
	case c.Same == 0:
		return history.Nothing
	case len(c.OnlyA)+len(c.OnlyB) > 0:
		return history.Undecided
	}
	return history.Same
}

// WriteText writes the designs that differ, and the counts.
func (c *Comparison) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "A  %s\nB  %s\n\n", c.A, c.B)
	t := printable.NewTable()
	for _, p := range c.Differ {
		t.Row(p.Design, "A", p.A.Verdict, p.A.Explanation())
		t.Row("", "B", p.B.Verdict, p.B.Explanation())
	}
	if err := t.Write(w); err != nil {
		return err
	}
	for i, designs := range [][]string{c.OnlyA, c.OnlyB} {
		for _, design := range designs {
			fmt.Fprintf(w, "%s  judged only in %c\n", design, 'A'+i)
		}
	}
	_, err := fmt.Fprintf(w, "designs that differ: %d, judged in one only: %d, the same: %d\n", len(c.Differ),
		len(c.OnlyA)+len(c.OnlyB), c.Same)
	return err
}
