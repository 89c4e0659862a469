package shmoo

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"utfbench/driver"
)

// Name returns a cell's verdict as a word.
func (c *Cell) Name() string {
	if !c.Done {
		return notMeasured
	}
	return c.Verdict.String()
}

// Tell writes the description and the text picture, then calls each draw function, up to the first error.
func (g *Grid) Tell(w io.Writer, draw ...func(*Grid) error) error {
	fmt.Fprintf(w, "%s\n\n", g.About.Title())
	if err := g.Text(w); err != nil {
		return err
	}
	for _, d := range draw {
		if err := d(g); err != nil {
			return err
		}
	}
	return nil
}

// Text draws the grid with one character per cell, the longest Y on top.
func (g *Grid) Text(w io.Writer) error {
	var s strings.Builder
	for y := range slices.Backward(g.Y.Values) {
		label := ""
		if g.Y.Knob != "" {
			label = g.Y.Knob + " " + g.Y.Label(g.YTime(y))
		}
		fmt.Fprintf(&s, "%16s |", label)
		for x := range g.X.Values {
			s.WriteString(" " + g.At(x, y).Mark())
		}
		s.WriteString("\n")
	}
	fmt.Fprintf(&s, "%16s +%s\n", "", strings.Repeat("--", len(g.X.Values)))
	fmt.Fprintf(&s, "%16s   %s\n", g.X.Knob, g.scale())
	fmt.Fprintf(&s, "%16s   %s\n", "", g.Legend())
	if i := slices.IndexFunc(g.Cells, func(c Cell) bool { return c.Done && c.Verdict == driver.Skipped }); i >= 0 {
		fmt.Fprintf(&s, "%16s   - SKIPPED: %s\n", "", g.Cells[i].Trouble)
	}
	if g.About.Weak != "" {
		fmt.Fprintf(&s, "%16s   PASS proves little: %s\n", "", g.About.Weak)
	}
	if n := g.Presumed(); n > 0 {
		fmt.Fprintf(&s, "%16s   %d of %d cells were measured; the others lie between cells that show the same\n", "",
			len(g.Cells)-n, len(g.Cells))
	}
	if n := g.Measured(); n < len(g.Cells) {
		fmt.Fprintf(&s, "%16s   incomplete: %d of %d cells were measured\n", "", n, len(g.Cells))
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// Legend explains the marks in use.
func (g *Grid) Legend() string {
	var words []string
	for _, l := range g.used() {
		words = append(words, strings.ReplaceAll(l.mark, " ", "blank:")+" "+l.name)
	}
	return strings.Join(words, "   ")
}

// scale returns as many of the columns' times as fit, each beginning under its column.
func (g *Grid) scale() string {
	line := []rune{}
	for x := range g.X.Values {
		if at := 2 * x; at == 0 || at >= len(line)+2 {
			line = append(line, []rune(strings.Repeat(" ", at-len(line)))...)
			line = append(line, []rune(g.X.Label(g.XTime(x)))...)
		}
	}
	return string(line)
}

// Short formats a time with three significant digits.
func Short(d time.Duration) string {
	for unit := time.Duration(1); unit <= d/1000; unit *= 10 {
		d = d.Round(10 * unit)
	}
	return d.String()
}
