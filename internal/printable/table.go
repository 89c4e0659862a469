package printable

import (
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"
)

// A Table consists of rows of cells. Columns of numbers, possibly with units or some "-", are right-aligned; others are
// left-aligned. Columns without text below the heading are omitted.
type Table struct {
	heads int
	rows  [][]string
}

// NewTable returns a table, with a heading if titles are given. A table without rows is not written.
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

// number matches a number or "-"; colour matches a sequence that sets a terminal's colour.
var (
	number = LazyRegexp(`^(-|\d[\d.]*( ?%|[A-Za-zµ]{1,3})?)$`)
	colour = LazyRegexp("\x1b\\[[0-9;]*m")
)

// A column holds the width of its cells, and whether those below the heading contain text, numbers, and other text.
type column struct {
	width               int
	used, number, other bool
}

// columns measures the columns. The last text of a row may be wider than its column.
func (t *Table) columns() (columns []column) {
	for i, row := range t.rows {
		columns = append(columns, make([]column, max(0, len(row)-len(columns)))...)
		for k, cell := range row {
			c, text := &columns[k], uncoloured(cell)
			is := number().MatchString(text)
			c.used, c.number = c.used || text != "" && i >= t.heads, c.number || is && text != "-"
			c.other = c.other || i >= t.heads && text != "" && !is
			if is || i < t.heads || strings.Join(row[k+1:], "") != "" {
				c.width = max(c.width, utf8.RuneCountInString(text))
			}
		}
	}
	return columns
}

func (c *column) alignsRight() bool { return c.number && !c.other }

// Lines returns the heading and the rows, as one line each.
func (t *Table) Lines() (lines []string) {
	columns := t.columns()
	for _, row := range t.rows {
		line := ""
		for k, cell := range row {
			c, pad := columns[k], strings.Repeat(" ", max(0, columns[k].width-utf8.RuneCountInString(uncoloured(cell))))
			switch {
			case c.alignsRight():
				line += pad + cell + "  "
			case c.used:
				line += cell + pad + "  "
			}
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

// HTML returns the table as an HTML element, or "" if it has no rows. Cells of numeric columns have the class n.
func (t *Table) HTML() string {
	if len(t.rows) == t.heads {
		return ""
	}
	columns := t.columns()
	row := func(tag string, cells []string) string {
		text := "<tr>"
		for k, s := range cells {
			class := ""
			if columns[k].alignsRight() {
				class = ` class="n"`
			}
			if columns[k].used {
				s = strings.ReplaceAll(html.EscapeString(s), "/", "/<wbr>")
				text += fmt.Sprintf("<%s%s>%s</%[1]s>", tag, class, s)
			}
		}
		return text + "</tr>\n"
	}
	text := "<table>"
	if t.heads > 0 {
		text += "<thead>" + row("th", t.rows[0]) + "</thead>"
	}
	text += "<tbody>"
	for _, cells := range t.rows[t.heads:] {
		text += row("td", cells)
	}
	return text + "</tbody></table>"
}

func uncoloured(cell string) string { return colour().ReplaceAllString(cell, "") }
