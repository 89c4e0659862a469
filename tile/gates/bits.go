package gates

import (
	"strconv"
	"strings"

	"utfbench/internal/failure"
)

// bits parses a net, a part of a bus, a constant, or a concatenation of these, and returns the bits, lowest first.
func (p *parser) bits() []string {
	switch {
	case p.word == "{":
		return p.braces()
	case p.word != "" && p.word[0] >= '0' && p.word[0] <= '9' || strings.HasPrefix(p.word, "'"):
		bits, err := constant(p.next())
		if err != nil {
			p.fail("%w", err)
		}
		return bits
	}
	name := p.name()
	if p.word != "[" || p.err != nil {
		return p.whole(name)
	}
	high, low := p.brackets()
	if _, is := p.width[name]; !is {
		p.fail("%s[%d]: %s is not declared as a bus", name, high, name)
		return nil
	}
	return p.part(name, high, low)
}

// maxBraces is the maximum depth of nested braces, far above that of any real netlist.
const maxBraces = 64

// braces parses {A, B} or {N{A}}, written highest bit first, and returns the bits, lowest first.
func (p *parser) braces() (all []string) {
	if p.depth++; p.depth > maxBraces {
		p.fail("braces are nested more than %d deep", maxBraces)
		return nil
	}
	defer func() { p.depth-- }()
	p.expect("{")
	if p.word != "" && strings.Trim(p.word, "0123456789") == "" {
		n := p.number()
		inner := p.braces()
		for range n {
			if all = append(all, inner...); len(all) > maxBits {
				p.fail("more than %d bits in braces", maxBits)
				return nil
			}
		}
		p.expect("}")
		return all
	}
	for p.err == nil {
		if all = append(p.bits(), all...); len(all) > maxBits {
			p.fail("more than %d bits in braces", maxBits)
		}
		if !p.more() {
			break
		}
	}
	p.expect("}")
	return all
}

// whole returns all bits of a declared bus, or the single net of any other name.
func (p *parser) whole(name string) []string {
	if b, is := p.width[name]; is {
		return p.part(name, b.high, b.low)
	}
	return []string{name}
}

// part returns the bits of a part of a bus, lowest first.
func (p *parser) part(name string, high, low int) (all []string) {
	if !p.spend(max(high-low, low-high)) {
		return nil
	}
	step := 1
	if high < low {
		step = -1
	}
	for i := low; ; i += step {
		all = append(all, name+"["+strconv.Itoa(i)+"]")
		if i == high {
			return all
		}
	}
}

// constant returns the bits of a sized number, such as 4'b0101 or 8'hF0.
func constant(word string) (bits []string, err error) {
	size, rest, _ := strings.Cut(word, "'")
	n, err := strconv.ParseUint(size, 10, 32)
	if err != nil || n < 1 || n > maxBits || len(rest) < 2 {
		return nil, failure.Usagef("%q: a constant has to say how many bits it has, as in 1'b0", word)
	}
	width, digits := widths[rest[0]|0x20], strings.ReplaceAll(rest[1:], "_", "")
	if width == 0 || digits == "" || len(digits) > maxBits {
		return nil, failure.Usagef("%q is no constant of a netlist, as 4'b0101 and 8'hF0 are", word)
	}
	for i := len(digits) - 1; i >= 0; i-- {
		v, err := strconv.ParseUint(digits[i:i+1], 1<<width, 8)
		if err != nil {
			return nil, failure.Usagef("%q: only 0 and 1 are levels in a netlist of cells", word)
		}
		for k := range width {
			bits = append(bits, constantOf(v>>k&1 != 0))
		}
	}
	for len(bits) < int(n) {
		bits = append(bits, zero)
	}
	return bits[:n], nil
}

// widths maps the letter of a base to the number of bits per digit.
var widths = map[byte]int{'b': 1, 'h': 4}

func constantOf(high bool) string {
	if high {
		return one
	}
	return zero
}
