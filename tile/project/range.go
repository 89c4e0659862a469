package project

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// bounds are the lowest and highest index of a vector or memory.
type bounds struct{ low, high int }

func (b bounds) String() string { return fmt.Sprintf("%d to %d", b.low, b.high) }

// width returns the number of bits of a range, or 0 for one that is too wide to count with.
func (b bounds) width() int {
	if n := b.high - b.low + 1; n <= 24 {
		return n
	}
	return 0
}

// undefined returns the divisors that can be zero and the selects that can leave their range, as far as declarations
// with numbers show: simulators and synthesis differ there. A signal that the module compares with something is
// taken as guarded.
func undefined(path, text string) (all []Finding) {
	for _, m := range modules(text) {
		vectors, memories := m.ranges()
		for i, t := range m.all {
			what := ""
			switch {
			case slices.ContainsFunc(m.apart, func(s span) bool { return s.has(i) }):
			case t.text == "/" || t.text == "%":
				what = m.divisor(i)
			case m.text(i+1) == "[" && m.text(i-1) != ".":
				of, is := memories[t.text]
				if !is {
					of, is = vectors[t.text]
				}
				if is {
					what = m.reach(i, of, vectors)
				}
			}
			if what != "" {
				all = append(all, Finding{path, t.line, what})
			}
		}
	}
	return all
}

// divisor describes a signal after an operator at i that can be zero, or returns "".
func (m *module) divisor(i int) string {
	by := m.text(i + 1)
	if !m.signals[by] || m.guarded(by) {
		return ""
	}
	if m.text(i+2) == "[" {
		if part, is := m.bounds(i + 2); is && m.text(i+4) == ":" {
			by = bitsOf(by, &part)
		}
	}
	return fmt.Sprintf("the divisor %s can be 0: a simulation shows x or 0 then, and silicon something else: test it, "+
		"as in %[1]s == 0 ? 0 : a %s %[1]s", by, m.text(i))
}

// reach describes a select of the signal at i that can leave its bounds, or returns "".
func (m *module) reach(i int, of bounds, vectors map[string]bounds) string {
	by, can := m.selected(i+2, vectors)
	if by == "" || m.guarded(by) || can.low >= of.low && can.high <= of.high {
		return ""
	}
	return fmt.Sprintf("%s can select %s %s, which has %s: simulators and synthesis differ outside of it; limit the "+
		"index, or make %[2]s as large", by, m.text(i), can, of)
}

// ranges returns the bounds of the vectors and memories that are declared with numbers.
func (m *module) ranges() (vectors, memories map[string]bounds) {
	vectors, memories = map[string]bounds{}, map[string]bounds{}
	for i := range m.all {
		if !slices.Contains([]string{"reg", "wire", "logic", "input", "output"}, m.text(i)) {
			continue
		}
		of, k := bounds{}, i+1
		for slices.Contains([]string{"reg", "wire", "logic", "signed", "unsigned"}, m.text(k)) {
			k++
		}
		known := true
		if m.text(k) == "[" {
			of, known = m.bounds(k)
			k = m.closed(k)
		}
		for m.text(k) != "[" && k < len(m.all) && m.all[k].isName() {
			name := m.text(k)
			if k++; m.text(k) == "[" {
				if words, is := m.bounds(k); is {
					memories[name] = words
				}
				k = m.closed(k)
			} else if known {
				vectors[name] = of
			}
			if k = m.value(k); m.text(k) == "," {
				k++
			}
		}
	}
	return vectors, memories
}

// bounds parses a range of numbers, such as [7:0], or [16] for 16 words.
func (m *module) bounds(i int) (b bounds, is bool) {
	first, one := m.number(i + 1)
	last, two := m.number(i + 3)
	switch {
	case one && m.text(i+2) == "]":
		return bounds{0, first - 1}, true
	case one && two && m.text(i+2) == ":" && m.text(i+4) == "]":
		return bounds{min(first, last), max(first, last)}, true
	}
	return b, false
}

// number returns the value of a token that is a number.
func (m *module) number(i int) (n int, is bool) {
	if m.text(i) != "0" {
		return 0, false
	}
	text := strings.ReplaceAll(m.all[i].number, "_", "")
	base := 10
	if _, digits, sized := strings.Cut(text, "'"); sized {
		digits = strings.TrimLeft(digits, "sS")
		base = map[byte]int{'b': 2, 'o': 8, 'd': 10, 'h': 16}[(digits + " ")[0]|0x20]
		text = strings.TrimSpace(digits[min(1, len(digits)):])
	}
	if base == 0 {
		return 0, false
	}
	value, err := strconv.ParseInt(text, base, 32)
	return int(value), err == nil
}

// selected returns the signal by which a select begins at i, and the bits that it can reach; "" for any that is not a
// single signal of known width, with a constant number of bits.
func (m *module) selected(i int, vectors map[string]bounds) (by string, can bounds) {
	of, is := vectors[m.text(i)]
	if !is {
		return "", can
	}
	by = m.text(i)
	if i++; m.text(i) == "[" {
		part, is := m.bounds(i)
		if !is || m.text(i+2) == "]" {
			return "", can
		}
		by, of = fmt.Sprintf("%s[%d:%d]", by, part.high, part.low), part
		i = m.closed(i)
	}
	if of.width() == 0 {
		return "", can
	}
	can.high = 1<<of.width() - 1
	n, constant := m.number(i + 1)
	switch {
	case m.text(i) == "]":
		return by, can
	case !constant || m.text(i+2) != "]":
	case m.text(i) == "+:":
		return by, bounds{0, can.high + n - 1}
	case m.text(i) == "-:":
		return by, bounds{1 - n, can.high}
	}
	return "", can
}

// guarded reports whether the module compares a signal, or tests whether it is zero.
func (m *module) guarded(signal string) bool {
	name, _, _ := strings.Cut(signal, "[")
	compares := []string{"==", "!=", "<", ">", ">="}
	tests := []string{"!", "|", "case"}
	for i, t := range m.all {
		if t.text != name {
			continue
		}
		next := i + 1
		if m.text(next) == "[" {
			next = m.closed(next)
		}
		before := m.text(i - 1)
		if slices.Contains(compares, m.text(next)) || slices.Contains(compares, before) ||
			slices.Contains(tests, before) && !m.isOperand(i-2) || before == "(" && m.text(i-2) == "case" {
			return true
		}
	}
	return false
}

// isOperand reports whether a token ends an operand, so that an operator after it is binary.
func (m *module) isOperand(i int) bool {
	t := m.text(i)
	return t == ")" || t == "]" || t == "}" || t == "0" || t != "" && m.all[i].isName()
}
