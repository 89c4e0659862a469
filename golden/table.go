package golden

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// row parses a line of a table: the first names the columns, the others are rows.
func (p *parser) row(line string) error {
	if p.table == "" {
		return failure.Usagef("a row outside of a table: say table NAME first")
	}
	if len(line) < 2 || !strings.HasSuffix(line, "|") {
		return failure.Usagef("a row ends with '|'")
	}
	cells := strings.Split(line[1:len(line)-1], "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	if p.column == nil {
		return p.header(cells)
	}
	if len(cells) != len(p.column) {
		return failure.Usagef("%d cells in a table of %d columns", len(cells), len(p.column))
	}
	byName := map[string]string{}
	for i, c := range cells {
		byName[p.column[i]] = c
	}
	return p.expand(byName)
}

func (p *parser) columns() (all, must []string) {
	all = []string{"name", "row"}
	for _, c := range p.tables.Columns() {
		all = append(all, c.Name)
		if c.Required {
			must = append(must, c.Name)
		}
	}
	return append(all, "note"), must
}

func (p *parser) header(cells []string) error {
	all, must := p.columns()
	for i, c := range cells {
		if !slices.Contains(all, c) {
			return failure.Usagef("unknown column %q: the columns are %s", c, printable.List(all))
		}
		if slices.Contains(cells[:i], c) {
			return failure.Usagef("column %q twice", c)
		}
	}
	for _, c := range must {
		if !slices.Contains(cells, c) {
			return failure.Usagef("no column %q: a table has at least %s", c, printable.List(must))
		}
	}
	p.column = cells
	return nil
}

func (p *parser) expand(cells map[string]string) error {
	own := maps.Clone(cells)
	maps.DeleteFunc(own, func(column, _ string) bool { return column == "name" || column == "row" || column == "note" })
	entries, err := p.tables.Row(own, p.line)
	if err != nil {
		return err
	}
	name := cmp.Or(cells["name"], strings.TrimPrefix(cells[p.tables.Columns()[0].Name], "> "))
	if !isName(name) {
		return badName(name)
	}
	if err := p.checkUnique(p.table + "/" + name); err != nil {
		return err
	}
	v := Vector{Source: p.source, Line: p.line, Note: cells["note"]}
	v.Source.Row = cmp.Or(cells["row"], "row "+name)
	if attribute, _ := p.dialect.Classes(); attribute != "" {
		if v.Class, err = p.class(cells[attribute]); err != nil {
			return err
		}
	}
	prefix := p.suite.Name + "/" + p.table + "/" + name + "/"
	for last, q := range entries {
		v.Name = prefix + last
		if err := p.add(&v, q); err != nil {
			return err
		}
	}
	return nil
}

// class checks a value of the dialect's class attribute.
func (p *parser) class(value string) (string, error) {
	attribute, values := p.dialect.Classes()
	if !slices.Contains(values, value) {
		return "", failure.Usagef("%s: %q is neither %s", attribute, value, strings.Join(values, " nor "))
	}
	return value, nil
}
