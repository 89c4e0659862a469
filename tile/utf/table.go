package utf

import (
	"iter"
	"slices"
	"strings"

	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/model"
)

func (dialect) Columns() []golden.Column {
	return []golden.Column{{Name: "utf32", Required: true}, {Name: "utf16", Required: true},
		{Name: "utf8", Required: true}, {Name: "status", Required: true}, {Name: "props", Required: true},
		{Name: "status+chk"}, {Name: "props+chk"}, {Name: "unicode", Required: true}}
}

// A cell is a form in a row: the bytes to write, if the form can be written, and the bytes read back.
type cell struct {
	written bool
	write   [2][]byte // little endian, big endian
	read    [2][]byte
}

// A record is a parsed row of a table.
type record struct {
	forms         [3]cell
	status, props [2]uint8 // CHK low, CHK high
}

// Row implements golden.Tabular. There is a vector for each writable form, each byte order and each level of CHK.
func (dialect) Row(cells map[string]string, line int) (iter.Seq2[string, *golden.Sequence], error) {
	rec, err := parseRecord(cells)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(rec.forms[:], func(c cell) bool { return c.written }) {
		return nil, failure.Usagef("nothing in this row is written: every form is '-' or has '>'")
	}
	return func(yield func(string, *golden.Sequence) bool) { rec.vectors(begin(line), yield) }, nil
}

// vectors yields the vectors of the row, built in w one after another.
func (r *record) vectors(w *writer, yield func(string, *golden.Sequence) bool) {
	for _, form := range Forms {
		if !r.forms[form].written {
			continue
		}
		for order, end := range [...]string{"-le", "-be"} {
			for chk, level := range [...]string{"-nochk", "-chk"} {
				w.Clear()
				r.vector(w, form, order, chk)
				if !yield(formNames[form]+end+level, w.Sequence()) {
					return
				}
			}
		}
	}
}

// vector writes the row in one form, checks both pages, and reads all forms twice with a rewind in between.
func (r *record) vector(w *writer, form Form, order, chk int) {
	w.Reset()
	w.Set(model.CHK|model.CBE, uint8(chk)*model.CHK|uint8(order)*model.CBE)
	w.Write(form, r.forms[form].write[order]...)
	w.status(r.status[chk])
	w.properties(r.props[chk])
	for time := range 2 {
		if time == 1 {
			w.Rewind()
		}
		for _, f := range Forms {
			w.bytes(f, r.forms[f].read[order], true, true)
		}
	}
}

func parseRecord(cells map[string]string) (r record, err error) {
	for _, f := range Forms {
		if r.forms[f], err = parseCell(f, cells[formNames[f]]); err != nil {
			return r, failure.Usagef("%s: %w", formNames[f], err)
		}
	}
	if r.status, err = parsePair(cells, "status", statusNames); err != nil {
		return r, err
	}
	r.props, err = parsePair(cells, "props", propertyNames)
	return r, err
}

// parsePair parses the flags for CHK low, and for CHK high from the "+chk" column if there is one.
func parsePair(cells map[string]string, column string, names []string) (pair [2]uint8, err error) {
	if pair[0], err = parseFlags(cells[column], names); err != nil {
		return pair, failure.Usagef("%s: %w", column, err)
	}
	pair[1] = pair[0]
	if high, ok := cells[column+"+chk"]; ok && high != "=" {
		if pair[1], err = parseFlags(high, names); err != nil {
			return pair, failure.Usagef("%s+chk: %w", column, err)
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
			return c, failure.Usagef("%q is written, but what is read back? Say < WRITTEN > READ", s)
		}
	case hasLess:
		c.written = true
	case write != "":
		return c, failure.Usagef("%q: say > READ or < WRITTEN > READ", s)
	}
	for order := range 2 {
		if c.written {
			if c.write[order], err = items(f, strings.Fields(write), order == 1); err != nil {
				return c, err
			}
			if len(c.write[order]) == 0 {
				return c, failure.Usagef("%q: nothing is written; a form that does not exist is '-'", s)
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

// checkWord returns an error for a UTF-32 cell without exactly one word.
func checkWord(f Form, c cell) error {
	if f == UTF32 && len(c.read[0]) != 4 {
		return failure.Usagef("a UTF-32 form is one word of 8 digits")
	}
	return nil
}
