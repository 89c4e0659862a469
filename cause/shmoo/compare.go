package shmoo

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// A Comparison pairs two shmoos over the same axes: two boards, or one board before and after. X and Y are the
// requested values.
type Comparison struct {
	A, B *Grid

	heading string // of the text
}

// Compare pairs two shmoos. The error describes how their axes differ.
func Compare(a, b *Grid) (*Comparison, error) {
	for _, axes := range [][2]Axis{{a.X, b.X}, {a.Y, b.Y}} {
		one, other := axes[0], axes[1]
		if one.Knob != other.Knob || !slices.Equal(one.Values, other.Values) {
			return nil, failure.Usagef("the axes %s and %s differ: measure both with the same -x and -y", one, other)
		}
	}
	return &Comparison{A: a, B: b}, nil
}

func (a Axis) String() string {
	if a.Knob == "" {
		return "(none)"
	}
	return fmt.Sprintf("%s=%s..%s/%d", a.Knob, a.Label(a.Values[0]), a.Label(a.Values[len(a.Values)-1]),
		len(a.Values))
}

// Marks of a pair of cells, also used in JSON.
const (
	bothPass = "."
	bothFail = "#"
	onlyA    = "<"
	onlyB    = ">"
	unclear  = "?" // FLAKY, ERROR or not measured in one of them
)

func (c *Comparison) mark(x, y int) string {
	a, b := c.A.At(x, y), c.B.At(x, y)
	for _, cell := range []*Cell{a, b} {
		if !cell.Done || cell.Verdict != driver.Pass && cell.Verdict != driver.Fail {
			return unclear
		}
	}
	switch aPasses, bPasses := a.Verdict == driver.Pass, b.Verdict == driver.Pass; {
	case aPasses && bPasses:
		return bothPass
	case aPasses:
		return onlyA
	case bPasses:
		return onlyB
	}
	return bothFail
}

// Same reports whether no cell passes in one and fails in the other. It ignores unclear cells.
func (c *Comparison) Same() bool {
	for y := range c.A.Y.Values {
		for x := range c.A.X.Values {
			if m := c.mark(x, y); m == onlyA || m == onlyB {
				return false
			}
		}
	}
	return true
}

// Limit returns the lowest requested X from which all cells of a row pass; ok is false if the last one fails.
func (g *Grid) Limit(y int) (at time.Duration, ok bool) {
	for x, v := range slices.Backward(g.X.Values) {
		if cell := g.At(x, y); !cell.Done || cell.Verdict != driver.Pass {
			break
		}
		at, ok = v, true
	}
	return at, ok
}

// Text draws the comparison as one picture, with the limits of each row and their distance.
func (c *Comparison) Text(w io.Writer) error {
	var s strings.Builder
	s.WriteString(c.heading)
	wide := c.A.wide()
	scale, axis := c.A.asked().scale(wide)
	fmt.Fprintf(&s, "%16s   %-*s%10s%10s%10s\n", "", wide*len(c.A.X.Values)-wide+2, "", "A from", "B from", "B - A")
	for y := range slices.Backward(c.A.Y.Values) {
		label := ""
		if c.A.Y.Knob != "" {
			label = c.A.Y.Knob + " " + c.A.Y.Label(c.A.Y.Values[y])
		}
		fmt.Fprintf(&s, "%16s |", label)
		for x := range c.A.X.Values {
			s.WriteString(column(x, wide) + c.mark(x, y))
		}
		a, aOK := c.A.Limit(y)
		b, bOK := c.B.Limit(y)
		fmt.Fprintf(&s, " %10s%10s%10s\n", c.limit(a, aOK), c.limit(b, bOK), c.limit(b-a, aOK && bOK))
	}
	fmt.Fprintf(&s, "%16s +%s\n", "", axis)
	fmt.Fprintf(&s, "%16s   %s\n", c.A.X.Knob, scale)
	fmt.Fprintf(&s, "%16s   . both PASS   # both FAIL   < only A passes   > only B passes   ? unclear\n", "")
	_, err := io.WriteString(w, s.String())
	return err
}

// asked returns an empty grid with the requested times.
func (g *Grid) asked() *Grid { return New(g.X, g.Y) }

func (c *Comparison) limit(at time.Duration, ok bool) string {
	if !ok {
		return "-"
	}
	return c.A.X.Label(at)
}

type jsonComparison struct {
	document.Head
	Same bool      `json:"same"`
	X    jsonAxis  `json:"x"`
	Y    *jsonAxis `json:"y,omitempty"`
	Rows []jsonRow `json:"rows"`
}

type jsonRow struct {
	Y      *time.Duration `json:"y_ns,omitempty"`
	Marks  string         `json:"marks"`
	ALimit *time.Duration `json:"a_from_ns"` // null if no limit was found
	BLimit *time.Duration `json:"b_from_ns"`
}

// JSON writes the comparison as a document of this version of the bench, with a row for each Y, lowest first.
func (c *Comparison) JSON(w io.Writer, bench string) error {
	d := jsonComparison{Head: document.NewHead(bench), Same: c.Same(), X: jsonAxis(c.A.X)}
	if c.A.Y.Knob != "" {
		y := jsonAxis(c.A.Y)
		d.Y = &y
	}
	for y, v := range c.A.Y.Values {
		var row jsonRow
		if d.Y != nil {
			row.Y = &v
		}
		for x := range c.A.X.Values {
			row.Marks += c.mark(x, y)
		}
		if at, ok := c.A.Limit(y); ok {
			row.ALimit = &at
		}
		if at, ok := c.B.Limit(y); ok {
			row.BLimit = &at
		}
		d.Rows = append(d.Rows, row)
	}
	return document.Write(w, d)
}

// CompareFiles compares two files of bench shmoo --csv or --json. The text begins with their names and tags.
func CompareFiles(paths [2]string) (*Comparison, error) {
	var grids [2]*Grid
	var heading strings.Builder
	for i, path := range paths {
		var err error
		if grids[i], err = ReadFile(path); err != nil {
			return nil, err
		}
		line := fmt.Sprintf("%c  %s", 'A'+i, path)
		if len(grids[i].About.Tags) > 0 {
			line += "; tags: " + grids[i].About.Tags.String()
		}
		fmt.Fprintln(&heading, printable.Text(line))
	}
	both, err := Compare(grids[0], grids[1])
	if err != nil {
		return nil, fmt.Errorf("%s and %s: %w", paths[0], paths[1], err)
	}
	both.heading = heading.String() + "\n"
	return both, nil
}
