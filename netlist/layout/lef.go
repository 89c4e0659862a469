package layout

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A macro is a cell as LEF has it.
type macro struct {
	size   rect // around its origin
	pins   map[string][]pinRect
	supply map[string]bool // pins that carry power
}

type pinRect struct {
	layer string
	rect  rect
}

// A lefReader reads words.
type lefReader struct {
	words  []string
	lines  []int // of the words
	at     int
	macros map[string]*macro
}

// readLEF adds a text's macros, and skips everything else.
func readLEF(s string, macros map[string]*macro) error {
	l := &lefReader{macros: macros}
	for i, line := range strings.Split(s, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for _, w := range strings.Fields(line) {
			l.words, l.lines = append(l.words, w), append(l.lines, i+1)
		}
	}
	found := false
	for l.at < len(l.words) {
		if l.take() != "MACRO" {
			continue
		}
		found = true
		if err := l.macro(l.take()); err != nil {
			return err
		}
	}
	if !found {
		return refuse("no MACRO is in it: this is no LEF file of cells")
	}
	return nil
}

func (l *lefReader) take() string {
	if l.at >= len(l.words) {
		return ""
	}
	l.at++
	return l.words[l.at-1]
}

// statement returns the words up to a semicolon.
func (l *lefReader) statement() []string {
	from := l.at
	for l.at < len(l.words) && l.words[l.at] != ";" {
		l.at++
	}
	words := l.words[from:l.at]
	l.take()
	return words
}

// macro reads one up to its END.
func (l *lefReader) macro(name string) error {
	m := &macro{pins: map[string][]pinRect{}, supply: map[string]bool{}}
	l.macros[name] = m
	var origin, size point
	for {
		switch word := l.take(); word {
		case "":
			return refuse("line %d: the LEF file ends within the macro %s", l.line(), name)
		case "END":
			if l.take() == name {
				m.size = rectOf(point{-origin.x, -origin.y}, size.minus(origin))
				return nil
			}
		case "ORIGIN", "SIZE":
			at, err := l.pair(l.statement())
			if err != nil {
				return err
			}
			if word == "SIZE" {
				size = at
			} else {
				origin = at
			}
		case "PIN":
			if err := l.pin(m, l.take()); err != nil {
				return err
			}
		case "OBS", "DENSITY":
			l.skip()
		default:
			l.statement()
		}
	}
}

func (l *lefReader) line() int { return l.lines[min(l.at, len(l.lines))-1] }

// skip skips to the END of an unnamed block.
func (l *lefReader) skip() {
	for word := l.take(); word != "END" && word != ""; word = l.take() {
		l.statement()
	}
}

// pin reads one up to its END.
func (l *lefReader) pin(m *macro, name string) error {
	layer := ""
	for {
		switch word := l.take(); word {
		case "":
			return refuse("line %d: the LEF file ends within the pin %s", l.line(), name)
		case "END":
			if l.at < len(l.words) && l.words[l.at] == name { // else the end of a PORT
				l.take()
				return nil
			}
		case "PORT":
			layer = ""
		case "USE":
			if use := l.statement(); len(use) == 1 && (use[0] == "POWER" || use[0] == "GROUND") {
				m.supply[name] = true
			}
		case "LAYER":
			if words := l.statement(); len(words) > 0 {
				layer = words[0]
			}
		case "RECT":
			r, err := l.rect(l.statement())
			if err != nil {
				return err
			}
			m.pins[name] = append(m.pins[name], pinRect{layer, r})
		default:
			l.statement()
		}
	}
}

func (l *lefReader) rect(words []string) (rect, error) {
	if len(words) > 4 { // MASK n
		words = words[len(words)-4:]
	}
	if len(words) != 4 {
		return rect{}, refuse("line %d: RECT has four numbers", l.line())
	}
	low, err := l.pair(words[:2])
	if err != nil {
		return rect{}, err
	}
	high, err := l.pair([]string{words[2], words[3]})
	return rectOf(low, high), err
}

// pair reads two numbers, of um; SIZE has BY between them.
func (l *lefReader) pair(words []string) (p point, err error) {
	if len(words) == 3 && words[1] == "BY" {
		words = []string{words[0], words[2]}
	}
	if len(words) != 2 {
		return p, refuse("line %d: two numbers have to stand here", l.line())
	}
	if p.x, err = l.nm(words[0]); err == nil {
		p.y, err = l.nm(words[1])
	}
	return p, err
}

// mostUm is far more than any chip measures.
const mostUm = 1e6

func (l *lefReader) nm(word string) (int, error) {
	um, err := strconv.ParseFloat(word, 64)
	if err != nil || !(math.Abs(um) < mostUm) {
		return 0, &Error{fmt.Sprintf("line %d: %q is no length in um", l.line(), word)}
	}
	return int(math.Round(um * 1000)), nil
}
