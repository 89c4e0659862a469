package golden

import (
	"fmt"
	"slices"
	"strings"
)

// columns are the columns that a table can have; those marked true it must have.
var columns = map[string]bool{
	"utf32": true, "utf16": true, "utf8": true, "status": true, "props": true, "unicode": true,
	"status+chk": false, "props+chk": false, "name": false, "row": false, "note": false,
}

const columnNames = "name, row, utf32, utf16, utf8, status, props, status+chk, props+chk, unicode and note"

// row takes a line of a table: the names of the columns, then rows.
func (p *parser) row(line string) error {
	if p.table == "" {
		return fmt.Errorf("a row outside of a table: say table NAME first")
	}
	if len(line) < 2 || !strings.HasSuffix(line, "|") {
		return fmt.Errorf("a row ends with '|'")
	}
	cells := strings.Split(line[1:len(line)-1], "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	if p.column == nil {
		return p.header(cells)
	}
	if len(cells) != len(p.column) {
		return fmt.Errorf("%d cells in a table of %d columns", len(cells), len(p.column))
	}
	byName := map[string]string{}
	for i, c := range cells {
		byName[p.column[i]] = c
	}
	return p.expand(byName)
}

func (p *parser) header(cells []string) error {
	for i, c := range cells {
		if _, ok := columns[c]; !ok {
			return fmt.Errorf("unknown column %q: the columns are %s", c, columnNames)
		}
		if slices.Contains(cells[:i], c) {
			return fmt.Errorf("column %q twice", c)
		}
	}
	for c, must := range columns {
		if must && !slices.Contains(cells, c) {
			return fmt.Errorf("no column %q: a table has at least utf32, utf16, utf8, status, props and unicode", c)
		}
	}
	p.column = cells
	return nil
}

// A cell is a form in a row: how it is written, if at all, and how it is read back.
type cell struct {
	written bool
	write   [2][]byte // little endian, big endian
	read    [2][]byte
}

// A record is a row of a table, parsed.
type record struct {
	forms         [3]cell
	status, props [2]uint16 // CHK low, CHK high
}

func (p *parser) expand(cells map[string]string) error {
	rec, err := parseRecord(cells)
	if err != nil {
		return err
	}
	name := cells["name"]
	if name == "" {
		name = strings.TrimPrefix(cells["utf32"], "> ")
	}
	if !nameRE.MatchString(name) {
		return badName(name)
	}
	if err := p.unique(p.table + "/" + name); err != nil {
		return err
	}
	v := Vector{Source: p.source, Line: p.line, Note: cells["note"]}
	v.Source.Row = cells["row"]
	if v.Source.Row == "" {
		v.Source.Row = "row " + name
	}
	if v.Unicode, err = parseWellFormed(cells["unicode"]); err != nil {
		return err
	}
	return p.directions(v, p.suite.Name+"/"+p.table+"/"+name+"/", &rec)
}

// directions adds a vector for each form that can be written, each byte order and each level of CHK.
func (p *parser) directions(v Vector, prefix string, rec *record) error {
	none := true
	for _, form := range Forms {
		if !rec.forms[form].written {
			continue
		}
		none = false
		for order := range 2 {
			for chk := range 2 {
				v.Name = prefix + form.String() + [...]string{"-le", "-be"}[order] + [...]string{"-nochk", "-chk"}[chk]
				v.Ops = rec.ops(form, order, chk, p.line)
				if err := p.fit(&v); err != nil {
					return err
				}
				p.suite.Vectors = append(p.suite.Vectors, v)
			}
		}
	}
	if none {
		return fmt.Errorf("nothing in this row is written: every form is '-' or has '>'")
	}
	return nil
}

// Levels of CHK and CBE in a Set.
const (
	chkPin = 1 << 2
	cbePin = 1 << 3
)

func (r *record) ops(form Form, order, chk, line int) []Op {
	ops := make([]Op, 0, 12)
	ops = append(ops,
		Op{Kind: Reset},
		Op{Kind: Set, Mask: chkPin | cbePin, Levels: uint16(chk*chkPin | order*cbePin)},
		Op{Kind: Write, Form: form, Data: r.forms[form].write[order]},
		Op{Kind: Look, Page: Status, Mask: 0x3F, Levels: r.status[chk]},
		Op{Kind: Look, Page: Properties, Mask: 0x3F, Levels: r.props[chk]})
	for pass := range 2 {
		if pass == 1 {
			ops = append(ops, Op{Kind: Rewind})
		}
		for _, f := range Forms {
			ops = append(ops, Op{Kind: Read, Form: f, Data: r.forms[f].read[order], End: true, Past: true})
		}
	}
	for i := range ops {
		ops[i].Line = line
	}
	return ops
}

func parseRecord(cells map[string]string) (r record, err error) {
	for _, f := range Forms {
		if r.forms[f], err = parseCell(f, cells[f.String()]); err != nil {
			return r, fmt.Errorf("%s: %w", f, err)
		}
	}
	if r.status, err = parsePair(cells, "status", statusNames); err != nil {
		return r, err
	}
	r.props, err = parsePair(cells, "props", propertyNames)
	return r, err
}

// parsePair reads the flags for CHK low, and for CHK high from the "+chk" column where there is one.
func parsePair(cells map[string]string, column string, names []string) (pair [2]uint16, err error) {
	if pair[0], err = parseFlags(cells[column], names); err != nil {
		return pair, fmt.Errorf("%s: %w", column, err)
	}
	pair[1] = pair[0]
	if high, ok := cells[column+"+chk"]; ok && high != "=" {
		if pair[1], err = parseFlags(high, names); err != nil {
			return pair, fmt.Errorf("%s+chk: %w", column, err)
		}
	}
	return pair, nil
}

func parseCell(f Form, s string) (c cell, err error) {
	if s == "-" {
		return c, nil
	}
	write, read, both := strings.Cut(s, ">")
	write, hasLess := strings.CutPrefix(strings.TrimSpace(write), "<")
	switch {
	case !both:
		read = write
		c.written = true
		if hasLess {
			return c, fmt.Errorf("%q is written, but what is read back? Say < WRITTEN > READ", s)
		}
	case hasLess:
		c.written = true
	case write != "":
		return c, fmt.Errorf("%q: say > READ or < WRITTEN > READ", s)
	}
	for order := range 2 {
		if c.written {
			if c.write[order], err = items(f, strings.Fields(write), order == 1); err != nil {
				return c, err
			}
			if len(c.write[order]) == 0 {
				return c, fmt.Errorf("%q: nothing is written; a form that does not exist is '-'", s)
			}
		}
		if strings.TrimSpace(read) != "-" {
			if c.read[order], err = items(f, strings.Fields(read), order == 1); err != nil {
				return c, err
			}
		}
	}
	return c, checkWord(f, c)
}

// checkWord holds a UTF-32 cell to one word, since a value always has one.
func checkWord(f Form, c cell) error {
	if f == UTF32 && len(c.read[0]) != 4 {
		return fmt.Errorf("a UTF-32 form is one word of 8 digits")
	}
	return nil
}
