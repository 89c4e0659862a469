package printable

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A Table has rows of cells, which it aligns in columns: to the right where all are numbers, perhaps with a unit, or
// "-", and else to the left. A column without text is omitted.
type Table struct {
	heads int
	rows  [][]string
}

// NewTable returns a table with a heading, or without one. Only rows below it make the table be written.
func NewTable(titles ...any) *Table {
	t := new(Table)
	if len(titles) > 0 {
		t.Row(titles...)
		t.heads = 1
	}
	return t
}

// Row adds a row.
func (t *Table) Row(cells ...any) {
	texts := make([]string, len(cells))
	for i, c := range cells {
		texts[i] = fmt.Sprint(c)
	}
	t.rows = append(t.rows, texts)
}

// Write writes the table below some text, or nothing if it has no rows.
func (t *Table) Write(w io.Writer, above ...string) error {
	if len(t.rows) == t.heads {
		return nil
	}
	_, err := io.WriteString(w, strings.Join(above, "")+strings.Join(t.Lines(), "\n")+"\n")
	return err
}

// number matches a number, or its absence; colour matches what sets a terminal's colour.
var (
	number = Regexp(`^(-|\d[\d.]*( ?%|[A-Za-zµ]{1,3})?)$`)
	colour = Regexp("\x1b\\[[0-9;]*m")
)

// Lines returns the heading and the rows, a line each. The last text of a row may exceed its column.
func (t *Table) Lines() []string {
	var widths []int // -1 without text
	var numbers, texts []bool // whether a column has some
	for i, row := range t.rows {
		for len(widths) < len(row) {
			widths, numbers, texts = append(widths, -1), append(numbers, false), append(texts, false)
		}
		for k, cell := range row {
			is, n := number().MatchString(uncoloured(cell)), utf8.RuneCountInString(uncoloured(cell))
			numbers[k] = numbers[k] || is && cell != "-"
			texts[k] = texts[k] || i >= t.heads && n > 0 && !is
			switch last := strings.Join(row[k+1:], "") == ""; {
			case n > 0 && (!last || is || i < t.heads):
				widths[k] = max(widths[k], n)
			case n > 0:
				widths[k] = max(widths[k], 0)
			}
		}
	}
	lines := make([]string, len(t.rows))
	for i, row := range t.rows {
		line := ""
		for k, cell := range row {
			pad := strings.Repeat(" ", max(0, widths[k]-utf8.RuneCountInString(uncoloured(cell))))
			switch {
			case widths[k] < 0:
				continue
			case numbers[k] && !texts[k]:
				line += pad + cell + "  "
			default:
				line += cell + pad + "  "
			}
		}
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}

// uncoloured returns a cell without colour.
func uncoloured(cell string) string { return colour().ReplaceAllString(cell, "") }
