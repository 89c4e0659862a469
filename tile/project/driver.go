package project

import (
	"fmt"

	"utfbench/internal/files"
	"utfbench/internal/printable"
)

// A driver is an assignment to bits of a signal outside of a function or task.
type driver struct {
	name string
	bits *bounds // nil for all
	line int
	from int // the process or continuous assignment, by its first token
}

// rivals returns the signals of a text that two continuous assignments or blocks drive, with both places. It ignores
// pairs with a condition of the preprocessor between them.
func rivals(path, text string) (all []Finding) {
	conditional := func(from, to int) bool {
		for n, code := range codeLines(text) {
			if n > from && n <= to && directive().MatchString(code) {
				return true
			}
		}
		return false
	}
	for _, m := range modules(text) {
		drivers := m.drivers()
		met := map[string]bool{}
		for i, second := range drivers {
			for _, first := range drivers[:i] {
				if first.name != second.name || first.from == second.from || !overlap(first.bits, second.bits) ||
					met[first.name] || conditional(first.line, second.line) {
					continue
				}
				met[first.name] = true
				bits := second.bits
				if bits == nil {
					bits = first.bits
				}
				all = append(all, Finding{path, second.line, fmt.Sprintf("%s has two drivers, this one and line %d: "+
					"assign each bit in one place", bitsOf(first.name, bits), first.line)})
			}
		}
	}
	return all
}

var directive = printable.Regexp("^\\s*`(?:ifn?def|elsif|else|endif)\\b")

func overlap(a, b *bounds) bool { return a == nil || b == nil || a.low <= b.high && b.low <= a.high }

func bitsOf(name string, b *bounds) string {
	switch {
	case b == nil:
		return name
	case b.low == b.high:
		return fmt.Sprintf("%s[%d]", name, b.low)
	}
	return fmt.Sprintf("%s[%d:%d]", name, b.high, b.low)
}

// drivers returns the continuous assignments and the blocks' assignments to whole signals and constant bits.
func (m *module) drivers() (all []driver) {
	for i := 0; i < len(m.all); i++ {
		if m.text(i) != "assign" || m.generated(i) {
			continue
		}
		from := i
		for i++; i < len(m.all) && m.all[i].isName(); i++ {
			d := driver{name: m.text(i), line: m.all[i].line, from: from}
			if i++; m.text(i) == "." { // a member, or a name in another module
				break
			}
			if m.text(i) == "[" {
				b, constant := m.bounds(i)
				if m.text(i+2) == "]" {
					b.low = b.high + 1
					b.high = b.low
				}
				if !constant {
					break
				}
				d.bits, i = &b, m.closed(i)
			}
			all = append(all, d)
			if i = m.value(i); m.text(i) != "," {
				break
			}
		}
	}
	for _, p := range m.processes {
		for _, a := range p.assigns {
			if !p.own[a.name] && m.text(a.at+1) != "[" && m.text(a.at+1) != "." && !m.generated(p.from) {
				all = append(all, driver{name: a.name, line: a.line, from: p.from})
			}
		}
	}
	return all
}

// generated reports whether a token is in a generate block or under a condition, of which only one may hold.
func (m *module) generated(i int) bool {
	depth := 0
	for k := i - 1; k >= 0; k-- {
		switch m.text(k) {
		case "end":
			depth++
		case "begin":
			if depth--; depth < 0 {
				return true
			}
		case "else", ")", ":":
			if k == i-1 {
				return true
			}
		case "generate":
			return true
		case "endgenerate":
			return false
		}
	}
	return false
}

// TwoDriversFinding returns a signal of the sources with two drivers, or nil.
func (p *Project) TwoDriversFinding() *Finding {
	for _, path := range p.Paths() {
		text, err := files.Verilog.Read(path)
		if err != nil {
			continue // which the check of the sources says
		}
		if all := rivals(path, string(text)); len(all) > 0 {
			return &all[0]
		}
	}
	return nil
}
