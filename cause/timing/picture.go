package timing

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"utfbench/driver"
	"utfbench/transport"
)

// Name returns the name of a cell's verdict.
func (c *Cell) Name() string {
	if !c.Measured {
		return notMeasured
	}
	return c.Verdict.String()
}

// WriteAll writes the description and the text picture, and then calls the draw functions. It stops at the first error.
func (g *Grid) WriteAll(w io.Writer, draw ...func(*Grid) error) error {
	fmt.Fprintf(w, "%s\n\n", g.About.Title())
	if err := g.WriteText(w); err != nil {
		return err
	}
	for _, d := range draw {
		if err := d(g); err != nil {
			return err
		}
	}
	return nil
}

// WriteText draws the grid with one character per cell. The longest Y is on top.
func (g *Grid) WriteText(w io.Writer) error {
	var s strings.Builder
	wide := g.wide()
	scale, ticks := g.scale(wide)
	for y := range slices.Backward(g.Y.Values) {
		label := "verdict"
		if g.Y.Knob != "" {
			label = g.Y.Knob + " " + ShortDuration(g.YTime(y))
		}
		fmt.Fprintf(&s, "%16s |", label)
		for x := range g.X.Values {
			s.WriteString(column(x, wide) + g.At(x, y).Mark())
		}
		s.WriteString("\n")
	}
	fmt.Fprintf(&s, "%16s +%s\n", "", ticks)
	fmt.Fprintf(&s, "%16s   %s\n", g.X.Knob, scale)
	fmt.Fprintf(&s, "%16s   %s\n", "", g.Legend())
	from := len(g.Cells) // the first of the cells that pass without a gap up to the last
	for from > 0 && g.Cells[from-1].Measured && g.Cells[from-1].Verdict == driver.Pass {
		from--
	}
	if g.Y.Knob == "" && from < len(g.Cells) {
		how := ""
		if g.X.Knob == transport.PeriodKnob {
			how = "; --sample and --lead, by default half of it, change that: bench timing finds the shortest"
		}
		fmt.Fprintf(&s, "%16s   PASS from %s %s on%s\n", "", g.X.Knob, ShortDuration(g.XTime(from)), how)
	}
	if i := slices.IndexFunc(g.Cells, func(c Cell) bool { return c.Measured && c.Verdict == driver.Skipped }); i >= 0 {
		fmt.Fprintf(&s, "%16s   - for example at %s\n", "", g.words(i%len(g.X.Values), i/len(g.X.Values)))
	}
	if g.failsBeyondPads() {
		fmt.Fprintf(&s, "%16s   FAIL beyond 33MHz may be of the output pads, which are rated up to it\n", "")
	}
	if g.About.WeakReason != "" {
		fmt.Fprintf(&s, "%16s   PASS proves little: %s\n", "", g.About.WeakReason)
	}
	if n := g.CountMeasured(); n < len(g.Cells) {
		fmt.Fprintf(&s, "%16s   incomplete: %d of %d cells were measured\n", "", n, len(g.Cells))
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// failsBeyondPads reports whether a chip failed at a period for which its output pads are not rated.
func (g *Grid) failsBeyondPads() bool {
	return !g.About.NoChip && slices.ContainsFunc(g.Cells, func(c Cell) bool {
		var at transport.Timing
		switch transport.PeriodKnob {
		case g.X.Knob:
			at.Period = c.X
		case g.Y.Knob:
			at.Period = c.Y
		}
		return c.Measured && c.Verdict == driver.Fail && at.ExceedsPads()
	})
}

// Legend explains the marks in the picture.
func (g *Grid) Legend() string {
	var words []string
	for _, l := range g.used() {
		words = append(words, strings.ReplaceAll(l.mark, " ", "blank:")+" "+l.name)
	}
	return strings.Join(words, "   ")
}

// widestColumn is the maximum width of all columns of a picture together, without the labels of its rows.
const widestColumn = 82

// wide returns the width of a column: of the widest time if all columns then fit on a line, or else of a mark.
func (g *Grid) wide() int {
	wide := 0
	for x := range g.X.Values {
		wide = max(wide, utf8.RuneCountInString(ShortDuration(g.XTime(x)))+1)
	}
	if wide*len(g.X.Values) > widestColumn {
		return 2
	}
	return max(2, wide)
}

// column returns the blanks before a column's mark.
func column(x, wide int) string {
	if x == 0 {
		return " "
	}
	return strings.Repeat(" ", wide-1)
}

// scale returns the picture's labels and axis: as many times as fit, each starting under its column, with a tick.
func (g *Grid) scale(wide int) (labels, axis string) {
	line, ticks := []rune{}, []byte(strings.Repeat("-", wide*len(g.X.Values)))
	for x := range g.X.Values {
		if at := wide * x; at == 0 || at >= len(line)+1 {
			line = append(line, []rune(strings.Repeat(" ", at-len(line)))...)
			line = append(line, []rune(ShortDuration(g.XTime(x)))...)
			ticks[at+1] = '|'
		}
	}
	return string(line), string(ticks)
}

// ShortDuration formats a time with three significant digits.
func ShortDuration(d time.Duration) string {
	for unit := time.Duration(1); unit <= d/1000; unit *= 10 {
		d = d.Round(10 * unit)
	}
	return d.String()
}
