package wave

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// The ports of a tile, as indices into a state.
const (
	clk = iota
	rstN
	uiIn
	uioIn
	uoOut
	uioOut
	uioOE
	ports
)

var portNames = [ports]string{"clk", "rst_n", "ui_in", "uio_in", "uo_out", "uio_out", "uio_oe"}

// A signal holds the levels of a port. A bit that is X or Z is set in unknown, and 0 in level.
type signal struct{ level, unknown uint8 }

// A state holds the signals of all ports at one time.
type state [ports]signal

// A reader reads a VCD (IEEE 1364-2005, clause 18): first its header, then the changes at the tile's ports.
type reader struct {
	in    *bufio.Reader
	scope string
	ids   map[string][]port
	unit  string // unit of times, such as 1ps
	line  int
	rest  []byte // rest of the line
	value []byte // value of a vector
	end   uint64 // the last time
}

// A port is the target of an identifier's changes: a port of the tile, or a part of one that has its own identifier.
type port struct {
	number int
	part
}

// A part is a range of bits of a port: its width and its lowest bit.
type part struct{ width, bit uint }

// scopes holds the variables declared in each scope, by name.
type scopes map[string]map[string][]variable

type variable struct {
	id string
	part
}

// maxHeaderWord is the maximum length of a word in a header, in bytes. Names are far shorter.
const maxHeaderWord = 1 << 16

// newReader reads the header. It takes the ports from the named scope or, for "", the innermost one that contains all.
func newReader(in io.Reader, scope string) (*reader, error) {
	r := &reader{in: bufio.NewReaderSize(in, 1<<18)}
	all, err := r.header()
	if err != nil {
		return nil, err
	}
	return r, r.choose(all, scope)
}

func (r *reader) header() (scopes, error) {
	all, path := scopes{}, []string{}
	for {
		word, err := r.word()
		if err != nil {
			return nil, r.errorf("no $enddefinitions: this is no VCD, or it ends too soon")
		}
		switch word {
		case "$scope":
			r.word() // the kind
			name, _ := r.word()
			path = append(path, name)
		case "$upscope":
			path = path[:max(0, len(path)-1)]
		case "$timescale":
			r.timescale()
		case "$var":
			all.add(strings.Join(path, "."), r)
		case "$enddefinitions":
			return all, nil
		}
		if len(path) > 256 {
			return nil, r.errorf("more than 256 scopes are open")
		}
	}
}

// timescale reads the unit of times, such as 1 ps, up to $end.
func (r *reader) timescale() {
	for len(r.unit) < len("100fs") {
		word, err := r.word()
		if err != nil || word == "$end" {
			return
		}
		r.unit += printable.Text(word)
	}
}

func (r *reader) word() (string, error) {
	var word []byte
	for {
		c, err := r.in.ReadByte()
		switch {
		case err != nil:
			return string(word), err
		case len(word) > maxHeaderWord:
			return "", r.errorf("a word of more than %d bytes", maxHeaderWord)
		case c == '\n':
			r.line++
		}
		if c > ' ' {
			word = append(word, c)
		} else if len(word) > 0 {
			return string(word), nil
		}
	}
}

// add parses the rest of $var: TYPE WIDTH ID NAME [INDEX] $end. If it is truncated, so is the header.
func (s scopes) add(scope string, r *reader) {
	var words []string
	for len(words) < 8 {
		word, err := r.word()
		if err != nil || word == "$end" {
			break
		}
		words = append(words, word)
	}
	if len(words) < 4 {
		return
	}
	v := variable{id: words[2]}
	width, _ := strconv.ParseUint(words[1], 10, 16)
	v.width = uint(width)
	name, index, _ := strings.Cut(words[3], "[")
	v.index(index)
	for _, w := range words[4:] {
		v.index(strings.TrimPrefix(w, "["))
	}
	if s[scope] == nil {
		s[scope] = map[string][]variable{}
	}
	s[scope][name] = append(s[scope][name], v)
}

// index parses the brackets after the name of a part of a port: [3] or [7:4].
func (p *part) index(text string) {
	lowest := strings.TrimSuffix(text[strings.LastIndex(text, ":")+1:], "]")
	if n, err := strconv.ParseUint(lowest, 10, 3); err == nil && p.width < 8 {
		p.bit = uint(n)
	}
}

// choose finds the scope with the tile's ports.
func (r *reader) choose(all scopes, scope string) error {
	var found []string
	for name, vars := range all {
		if missing(vars) == nil && (scope == "" || name == scope) {
			found = append(found, name)
		}
	}
	if len(found) == 0 {
		return nothing(all, scope)
	}
	slices.SortFunc(found, func(a, b string) int {
		return cmp.Or(strings.Count(b, ".")-strings.Count(a, "."), len(b)-len(a), strings.Compare(a, b))
	})
	for _, other := range found {
		if !strings.HasPrefix(found[0]+".", other+".") {
			return failure.Usagef("%s and %s have all ports of a tile: choose one by --scope", found[0], other)
		}
	}
	r.scope, r.ids = found[0], map[string][]port{}
	for number, name := range portNames {
		for _, v := range all[r.scope][name] {
			r.ids[v.id] = append(r.ids[v.id], port{number, v.part})
		}
	}
	return nil
}

func missing(vars map[string][]variable) (names []string) {
	for _, name := range portNames {
		if len(vars[name]) == 0 {
			names = append(names, name)
		}
	}
	return names
}

// nothing returns the error for a file in which no scope contains all ports. It names the scope that lacks the fewest.
func nothing(all scopes, scope string) error {
	if scope != "" {
		if vars, ok := all[scope]; ok {
			return failure.Usagef("the scope %s has no %s", scope, strings.Join(missing(vars), ", "))
		}
		for name, vars := range all {
			if missing(vars) == nil {
				return failure.Usagef("no scope %s has a port of a tile: %s has all", scope, name)
			}
		}
	}
	best, lacks := "", ports
	for name, vars := range all {
		if n := len(missing(vars)); n < lacks || n == lacks && name < best {
			best, lacks = name, n
		}
	}
	if best == "" {
		return failure.Usagef("no scope has a port of a tile, %s: was the tile's module dumped?",
			strings.Join(portNames[:], ", "))
	}
	return failure.Usagef("no scope has all ports of a tile: %s has no %s", best,
		strings.Join(missing(all[best]), ", "))
}

// each calls see for each time at which a port changed, with the states before and after. It omits the last time in the
// file, since the file of a killed simulation may lack some changes at that time.
func (r *reader) each(see func(time uint64, before, after *state) error) error {
	var before, now state
	for i := range now {
		now[i].unknown = 0xFF >> (8 - widthOf(i))
	}
	before = now
	time := uint64(0)
	for {
		word, err := r.next()
		if err == nil && word[0] != '#' {
			err = r.change(&now, word)
		}
		switch {
		case errors.Is(err, io.EOF):
			r.end = time
			return nil
		case err != nil:
			return err
		case word[0] != '#':
			continue
		}
		later, err := strconv.ParseUint(string(word[1:]), 10, 64)
		if err != nil || later < time {
			return r.errorf("%.60q is no time after %d", word, time)
		}
		if later > time && now != before {
			if err := see(time, &before, &now); err != nil {
				return err
			}
			before = now
		}
		time = later
	}
}

func widthOf(number int) int {
	if number <= rstN {
		return 1
	}
	return 8
}

// next returns the next word; it is valid until the next line is read.
func (r *reader) next() ([]byte, error) {
	for len(r.rest) == 0 {
		line, err := r.in.ReadSlice('\n')
		r.line++
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, r.errorf("a line of more than %d bytes", len(line))
		}
		if err != nil {
			return nil, err // an unfinished line has no complete word
		}
		r.rest = bytes.TrimFunc(line, blank)
	}
	end := 0
	for end < len(r.rest) && !blank(rune(r.rest[end])) {
		end++
	}
	word := r.rest[:end]
	r.rest = bytes.TrimLeftFunc(r.rest[end:], blank)
	return word, nil
}

// blank reports whether a character separates words, as any control character does.
func blank(c rune) bool { return c <= ' ' }

// change applies a value change, 0! or b0101 !. It skips comments, reals, and the rest of a line after an unknown word.
func (r *reader) change(now *state, word []byte) (err error) {
	id := word[1:]
	switch word[0] {
	case '0', '1', 'x', 'X', 'z', 'Z', 'u', 'U', 'w', 'W', 'l', 'L', 'h', 'H', '-': // from u on: VHDL's, from fst2vcd
		r.value = append(r.value[:0], word[0])
		if len(id) == 0 {
			id, err = r.next()
		}
	case 'b', 'B':
		if len(id) == 0 {
			return r.errorf("a value without digits")
		}
		r.value = append(r.value[:0], id...)
		id, err = r.next()
	case '$':
		for string(word) != "$end" && string(id) == "comment" && err == nil {
			word, err = r.next()
		}
		return err
	case 'r', 'R': // a real number
		_, err = r.next()
		return err
	default:
		r.rest = nil
		return nil
	}
	for _, p := range r.ids[string(id)] {
		now[p.number].set(r.value, p.part)
	}
	return err
}

// set sets a part to a VCD value. A short value is extended with zeros, or with its first digit if that is unknown.
func (s *signal) set(value []byte, p part) {
	var now signal
	if digit(value[0]).unknown != 0 {
		now.unknown = 0xFF
	}
	for _, c := range value {
		d := digit(c)
		now.level, now.unknown = now.level<<1|d.level, now.unknown<<1|d.unknown
	}
	bits := (uint8(1)<<p.width - 1) << p.bit
	s.level = s.level&^bits | now.level<<p.bit&bits
	s.unknown = s.unknown&^bits | now.unknown<<p.bit&bits
}

func digit(c byte) signal {
	switch c {
	case '0':
		return signal{}
	case '1':
		return signal{level: 1}
	}
	return signal{unknown: 1}
}

func (r *reader) errorf(format string, args ...any) error {
	return failure.Usagef("line %d: %s", r.line+1, fmt.Sprintf(format, args...))
}
