package gates

import (
	"strconv"

	"utfbench/internal/failure"
	"utfbench/tile/gates/sim"
)

// A parser parses modules word by word. The field word is the next word, which is not yet consumed.
type parser struct {
	scanner
	word string
	at   struct{ line int } // place of word

	m     *module
	width map[string]bus
	spent int // part of maxWork that is used up
	depth int // depth of nested braces

	skip    func(cell string) bool
	skipped map[string]bool // results of skip

	pins []pin // pins of the instance being parsed
	kept []pin // the last block, with the pins of earlier instances
}

// maxWork limits the total number of instances, pins, names and bits in a text; a tile has tens of thousands.
const maxWork = 1 << 19

// spend adds n to the work so far, and reports whether it stays within maxWork.
func (p *parser) spend(n int) bool {
	if p.spent += n; p.spent > maxWork {
		p.fail("more than %d instances, pins, names and bits: this is no netlist of a tile", maxWork)
		return false
	}
	return p.err == nil
}

// A bus is the range of a declared name.
type bus struct{ high, low int }

func (p *parser) next() string {
	taken := p.word
	p.word = p.token()
	p.at.line = p.line
	return taken
}

// fail records the first error. At the end of the text, or at a behavioural keyword, it reports that instead.
func (p *parser) fail(format string, args ...any) {
	switch {
	case p.err != nil:
	case p.word == "":
		p.err = failure.Usagef("the text ends within a module: it is cut off")
	case behaviour[p.word]:
		p.err = failure.Usagef("%s: this is a description of behaviour, and not a netlist of cells, which synthesis "+
			"or place and route writes", p.word)
	default:
		p.err = failure.Usagef(format, args...)
	}
}

// expect consumes a sign, which must be next.
func (p *parser) expect(sign string) {
	if p.err == nil && p.word != sign {
		p.fail("%q: want %q here", p.word, sign)
		return
	}
	p.next()
}

// more reports whether a list continues, and consumes the comma.
func (p *parser) more() bool {
	if p.err != nil || p.word != "," {
		return false
	}
	p.next()
	return true
}

func (p *parser) module() *module {
	p.next()
	p.m, p.width = &module{Ports: map[string]sim.Direction{}, Line: p.at.line}, map[string]bus{}
	p.m.Name = p.name()
	if p.word == "(" {
		p.next()
		p.header()
	}
	p.expect(";")
	for p.err == nil && p.word != "endmodule" {
		p.statement()
	}
	p.next()
	return p.m
}

// header parses the list of ports, which are names or declarations.
func (p *parser) header() {
	for p.err == nil && p.word != ")" {
		if d := p.word; isDirection(d) {
			p.next()
			p.declared(d, true)
		} else {
			p.name()
			p.more()
		}
	}
	p.expect(")")
}

func isDirection(word string) bool { _, is := directions[word]; return is }

func (p *parser) statement() {
	switch word := p.word; {
	case word == "" || behaviour[word]:
		p.fail("%q: want endmodule here", word)
	case isDirection(word):
		p.next()
		p.declared(word, false)
		p.expect(";")
	case word == "wire":
		p.declared("", false)
		p.expect(";")
	case word == "assign":
		p.next()
		to := p.bits()
		p.expect("=")
		p.assign(to, p.bits())
		p.expect(";")
	case word == ";":
		p.next()
	default:
		p.instance()
	}
}

// behaviour lists behavioural keywords, which no netlist contains.
var behaviour = map[string]bool{"#": true, "always": true, "always_ff": true, "always_comb": true, "initial": true,
	"reg": true, "logic": true, "integer": true, "function": true, "task": true, "generate": true,
	"genvar": true, "parameter": true, "localparam": true, "specify": true, "primitive": true, "defparam": true,
	"if": true, "case": true, "begin": true}

// declared parses an optional range and names. In a header it stops after the comma before the next declaration.
func (p *parser) declared(d string, header bool) {
	for p.word == "wire" {
		p.next()
	}
	b := bus{-1, -1}
	if p.word == "[" {
		b.high, b.low = p.brackets()
	}
	for {
		name := p.name()
		if p.err != nil || !p.spend(1) {
			return
		}
		if b.high >= 0 {
			p.width[name] = b
		}
		if d != "" {
			for _, bit := range p.whole(name) {
				p.m.Ports[bit] = directions[d]
			}
		}
		if !header && p.word == "=" {
			p.next()
			p.assign(p.whole(name), p.bits())
		}
		if !p.more() || header && isDirection(p.word) {
			return
		}
	}
}

// brackets parses [N] or [HIGH:LOW].
func (p *parser) brackets() (high, low int) {
	p.expect("[")
	high = p.number()
	low = high
	if p.word == ":" {
		p.next()
		low = p.number()
	}
	p.expect("]")
	if high-low >= maxBits || low-high >= maxBits {
		p.fail("[%d:%d]: more than %d bits", high, low, maxBits)
	}
	return high, low
}

func (p *parser) number() (n int) {
	word := p.next()
	v, err := strconv.ParseUint(word, 10, 32) // ParseUint accepts no sign
	if err != nil || v > maxBits {
		p.fail("%q: want a number from 0 to %d here", word, maxBits)
		return 0
	}
	return int(v)
}

func (p *parser) name() string {
	word := p.next()
	if !isName(word) {
		p.fail("%q: want a name here", word)
	}
	return word
}

func isName(word string) bool {
	return word != "" && (word[0] == '\\' || inWord(word[0]) && (word[0] < '0' || word[0] > '9') && word[0] != '\'')
}

// assign joins nets bit by bit.
func (p *parser) assign(to, from []string) {
	if p.err != nil {
		return
	}
	if len(to) != len(from) {
		p.fail("%d bits are assigned to %d", len(from), len(to))
		return
	}
	for i := range to {
		p.m.Assigns = append(p.m.Assigns, assignment{To: to[i], From: from[i]})
	}
}

func (p *parser) instance() {
	if !p.spend(1) {
		return
	}
	i := instance{Cell: p.name(), Line: p.at.line}
	i.Name = p.name()
	p.expect("(")
	p.pins = p.pins[:0]
	for p.err == nil && p.word != ")" {
		if p.word != "." {
			p.fail("%s %s connects its pins by their order: they have to be connected by name, as in .A(net)", i.Cell,
				i.Name)
			return
		}
		p.next()
		p.connect(&i)
		if !p.more() {
			break
		}
	}
	p.expect(")")
	p.expect(";")
	if !p.skips(i.Cell) {
		i.Pins = p.keep(p.pins)
		p.m.Instances = append(p.m.Instances, i)
	}
}

// skips reports whether to ignore the instances of a cell.
func (p *parser) skips(cell string) bool {
	is, known := p.skipped[cell]
	if !known {
		is = p.skip(cell)
		p.skipped[cell] = is
	}
	return is
}

// connect parses PIN(NET) or PIN() of an instance.
func (p *parser) connect(i *instance) {
	pin := pin{Name: p.name()}
	p.expect("(")
	if p.word != ")" && p.spend(1) {
		if pin.Net = p.single(); pin.Net == "" {
			pin.Nets = p.bits()
		}
		if len(pin.Nets) == 1 {
			pin.Net, pin.Nets = pin.Nets[0], nil
		}
		if p.err != nil {
			return
		}
		for k := range p.pins {
			if p.pins[k].Name == pin.Name {
				p.fail("the pin %s of %s %s is connected twice", pin.Name, i.Cell, i.Name)
				return
			}
		}
		p.pins = append(p.pins, pin)
	}
	p.expect(")")
}

// single consumes a connection that consists of one net's name, and returns the name; it returns "" for any other.
func (p *parser) single() string {
	p.blanks()
	if p.pos == len(p.text) || p.text[p.pos] != ')' || !isName(p.word) {
		return ""
	}
	if _, bus := p.width[p.word]; bus {
		return ""
	}
	return p.next()
}

// block is the number of pins that are allocated at once.
const block = 1 << 12

func (p *parser) keep(pins []pin) []pin {
	if len(p.kept)+len(pins) > cap(p.kept) {
		p.kept = make([]pin, 0, max(block, len(pins)))
	}
	from := len(p.kept)
	p.kept = append(p.kept, pins...)
	return p.kept[from:len(p.kept):len(p.kept)]
}
