package compare

import (
	"slices"
	"strings"
	"time"
)

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
