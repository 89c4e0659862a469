package project

import (
	"fmt"
	"slices"
	"strings"
)

// races returns differences between simulation and synthesis in the modules of a text: blocking assignments in clocked
// blocks to signals that other blocks read, and incomplete sensitivity lists.
func races(path, text string) (all []Finding) {
	for _, m := range modules(text) {
		for i := range m.processes {
			p := &m.processes[i]
			if p.clocked {
				all = append(all, m.blocking(path, p)...)
			} else if p.listed != nil && !p.star {
				all = append(all, m.incomplete(path, p)...)
			}
		}
	}
	return all
}

// blocking returns names that a clocked block assigns with = and that are read outside of it. A loop variable, or one
// that only the block itself reads, is no race.
func (m *module) blocking(path string, p *process) (all []Finding) {
	var met []string
	for _, a := range p.assigns {
		if !a.blocking || p.own[a.name] || slices.Contains(met, a.name) ||
			!m.outputs[a.name] && !m.readOutside(a.name, p) {
			continue
		}
		met = append(met, a.name)
		all = append(all, Finding{path, a.line, fmt.Sprintf("a blocking assignment to %s in a clocked block, and "+
			"others read it: a simulation may run them before or after it at the same edge, silicon takes the old "+
			"value; write <=", a.name)})
	}
	return all
}

// readOutside reports whether synthesised code outside of a process reads a name.
func (m *module) readOutside(name string, p *process) bool {
	for i, t := range m.all {
		if t.text != name || p.has(i) || m.text(i-1) == "." || m.written(i) ||
			slices.ContainsFunc(m.apart, func(s span) bool { return s.has(i) }) {
			continue
		}
		return true
	}
	return false
}

// written reports whether the name at an index is declared or assigned there.
func (m *module) written(i int) bool {
	for _, p := range m.processes {
		here := func(a assignment) bool { return a.at == i }
		if slices.ContainsFunc(p.assigns, here) || p.has(i) && p.own[m.text(i)] {
			return true
		}
	}
	return m.isDeclared(i)
}

// isDeclared reports whether the name at an index is declared there. It searches backwards over names, values and
// ranges.
func (m *module) isDeclared(i int) bool {
	comma := false
	for k := i - 1; k >= 0; k-- {
		switch t := m.all[k]; {
		case t.text == "]":
			for k > 0 && m.text(k) != "[" {
				k--
			}
		case t.text == ",":
			comma = true
		case t.text == "0", t.isName(), t.text == "=" && comma:
		default:
			return slices.Contains(declaring, t.text)
		}
	}
	return false
}

// declaring lists the words before the names of a declaration.
var declaring = []string{"reg", "wire", "logic", "integer", "int", "input", "output", "inout", "signed", "genvar"}

// incomplete returns the signals that a combinational block reads but does not list.
func (m *module) incomplete(path string, p *process) []Finding {
	known := slices.Clone(p.listed)
	for _, a := range p.assigns {
		known = append(known, a.name)
	}
	var missing []string
	for i := p.from; i < p.to && i < len(m.all); i++ {
		name := m.text(i)
		if m.signals[name] && !slices.Contains(known, name) && !p.own[name] && m.text(i-1) != "." {
			missing, known = append(missing, name), append(known, name)
		}
	}
	if missing == nil {
		return nil
	}
	return []Finding{{path, p.line, fmt.Sprintf("the list of signals lacks %s, which the block reads: a simulation "+
		"does not follow it, silicon does; write @*", strings.Join(missing, ", "))}}
}
