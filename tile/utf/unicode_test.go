package utf_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"utfbench/golden"
	"utfbench/model"
	"utfbench/tile/utf"
)

// A row holds the bytes that a vector of a table writes and reads back, decoded from its steps by the data sheet.
type row struct {
	big   bool
	form  string
	wrote []byte
	reads map[string][]byte // by form, in the order of the reads, except reads past the end
}

// rowOf decodes a vector of a table: a reset, CHK and CBE, bytes in one form, both pages, then all forms twice.
func rowOf(v *golden.Vector) row {
	r := row{big: v.Steps[1].In&model.CBE != 0, reads: map[string][]byte{}}
	rewound := false
	for i, s := range v.Steps {
		rewound = rewound || s.In&model.ROUT == 0
		switch form := utf.StrobedForm(s.In); {
		case form == "" || rewound:
		case s.In&model.READ == 0:
			r.form, r.wrote = form, append(r.wrote, s.IO)
		default:
			r.reads[form] = append(r.reads[form], want(v, i))
		}
	}
	for form, b := range r.reads {
		r.reads[form] = b[:len(b)-1] // the last read is past the end
	}
	return r
}

func want(v *golden.Vector, step int) byte {
	for _, c := range v.Checks {
		if c.Step == step && c.IO.Mask == 0xFF {
			return c.IO.Level
		}
	}
	panic(v.Name + ": a byte that is read and not checked")
}

func rows(t *testing.T, see func(s *golden.Suite, v *golden.Vector, r row)) {
	t.Helper()
	suites, err := golden.Load(golden.FS(), utf.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range suites {
		for i := range s.Vectors {
			if v := &s.Vectors[i]; strings.Count(v.Name, "/") == 3 {
				see(s, v, rowOf(v))
			}
		}
	}
}

// A vector has the class well-formed if and only if the standard library accepts its bytes, and the bytes read back are
// the standard library's encodings.
func TestRowsAgreeWithUnicode(t *testing.T) {
	checked := 0
	rows(t, func(s *golden.Suite, v *golden.Vector, w row) {
		ok, r := wellFormed(w.form, w.wrote, w.big)
		if ok != (v.Class == utf.ClassWellFormed) {
			t.Errorf("%s:%d: %s % X is said to be %s; the standard library disagrees", s.File, v.Line, w.form,
				w.wrote, v.Class)
		}
		if !ok {
			return
		}
		checked++
		if len(w.reads) != 3 {
			t.Errorf("%s:%d: %d forms are read back", s.File, v.Line, len(w.reads))
		}
		for form, b := range w.reads {
			if ok, got := wellFormed(form, b, w.big); !ok || got != r {
				t.Errorf("%s:%d: %s reads back % X as %s, which is not U+%04X", s.File, v.Line, v.Name, b, form, r)
			}
		}
	})
	if checked < 1000 {
		t.Errorf("only %d well-formed vectors were checked", checked)
	}
}

func wellFormed(form string, b []byte, big bool) (bool, rune) {
	switch form {
	case "UTF-8":
		r, n := utf8.DecodeRune(b)
		return n == len(b) && utf8.Valid(b), r
	case "UTF-16":
		if len(b)%2 != 0 {
			return false, 0
		}
		var units []uint16
		for i := 0; i < len(b); i += 2 {
			units = append(units, uint16(number(b[i:i+2], big)))
		}
		if len(units) == 1 {
			return !utf16.IsSurrogate(rune(units[0])), rune(units[0])
		}
		r := utf16.DecodeRune(rune(units[0]), rune(units[1]))
		return len(units) == 2 && r != utf8.RuneError, r
	}
	v := number(b, big)
	return v <= utf8.MaxRune && utf8.ValidRune(rune(v)), rune(v)
}

func number(b []byte, big bool) (v uint32) {
	for i := range b {
		if big {
			v = v<<8 | uint32(b[i])
		} else {
			v |= uint32(b[i]) << (8 * i)
		}
	}
	return v
}

// As utf-8(7) says, UTF-8 strings sort in the order of their code points.
func TestOrderRowsAscend(t *testing.T) {
	var last []byte
	var lastV uint32
	n := 0
	rows(t, func(s *golden.Suite, v *golden.Vector, r row) {
		if !strings.HasPrefix(v.Name, "man7/order/") || !strings.HasSuffix(v.Name, "/utf8-be-chk") {
			return
		}
		value := number(r.reads["UTF-32"], true)
		if n > 0 && (value <= lastV || bytes.Compare(r.wrote, last) <= 0) {
			t.Errorf("%s:%d: % X (%08X) does not come after % X (%08X)", s.File, v.Line, r.wrote, value, last, lastV)
		}
		last, lastV = r.wrote, value
		n++
	})
	if n < 20 {
		t.Errorf("%d rows in the table order; want 20 or more", n)
	}
}
