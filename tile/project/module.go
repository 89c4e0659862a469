package project

import "slices"

// A module is a Verilog module, to the extent that the check needs.
type module struct {
	all       []token
	outputs   map[string]bool
	signals   map[string]bool // declared nets and variables
	processes []process
	apart     []span // functions, tasks and initial blocks
}

// A span is a range of tokens.
type span struct{ from, to int }

func (s span) has(i int) bool { return i >= s.from && i < s.to }

// A process is an always block.
type process struct {
	span
	line    int
	clocked bool
	listed  []string // signals of a list without edges; nil without such a list
	star    bool     // sensitive to all signals that it reads
	assigns []assignment
	own     map[string]bool // loop variables and local declarations
}

// An assignment is an assignment to a name; at is the name's index.
type assignment struct {
	name     string
	at, line int
	blocking bool
}

// Modules returns the names of the modules in a text.
func Modules(text string) (names []string) {
	for _, m := range modules(text) {
		names = append(names, m.text(0))
	}
	return names
}

// modules parses the modules in a text.
func modules(text string) (found []*module) {
	all := tokens(text)
	for from := 0; from < len(all); from++ {
		if all[from].text != "module" {
			continue
		}
		to := from
		for to < len(all) && all[to].text != "endmodule" {
			to++
		}
		m := &module{all: all[from+1 : to], outputs: map[string]bool{}, signals: map[string]bool{}}
		m.scan()
		found = append(found, m)
		from = to
	}
	return found
}

// text returns the token at an index, or "" past the end.
func (m *module) text(i int) string {
	if i < 0 || i >= len(m.all) {
		return ""
	}
	return m.all[i].text
}

// until returns the index after the next of these words.
func (m *module) until(i int, words ...string) int {
	for i < len(m.all) && !slices.Contains(words, m.text(i)) {
		i++
	}
	return i + 1
}

// closed returns the index after the bracket that closes the one at i.
func (m *module) closed(i int) int {
	depth := 0
	for ; i < len(m.all); i++ {
		switch m.text(i) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth <= 0 {
				return i + 1
			}
		}
	}
	return i
}

// scan finds declarations and processes.
func (m *module) scan() {
	for i := 0; i < len(m.all); {
		next := i + 1
		switch word := m.text(i); word {
		case "function", "task":
			next = m.until(i, "end"+word)
			m.apart = append(m.apart, span{i, next})
		case "initial":
			p := process{own: map[string]bool{}}
			next = m.statement(i+1, &p)
			m.apart = append(m.apart, span{i, next})
		case "always", "always_ff", "always_comb", "always_latch":
			next = m.process(i)
		case "input", "output", "inout", "reg", "wire", "logic":
			m.declared(i)
		}
		i = max(next, i+1)
	}
}

// value returns the index after the initialiser "= value" at i, or i if nothing is initialised there.
func (m *module) value(i int) int {
	if m.text(i) != "=" {
		return i
	}
	for i++; i < len(m.all) && !slices.Contains([]string{",", ";", ")"}, m.text(i)); {
		if slices.Contains([]string{"(", "[", "{"}, m.text(i)) {
			i = m.closed(i)
		} else {
			i++
		}
	}
	return i
}

// declared records the names of a declaration.
func (m *module) declared(i int) {
	output := m.text(i) == "output"
	for i++; i < len(m.all); i++ {
		switch t := m.all[i]; {
		case t.text == "[":
			i = m.closed(i) - 1
		case t.isName():
			m.signals[t.text] = true
			m.outputs[t.text] = m.outputs[t.text] || output
			i = m.value(i+1) - 1
		case t.text == ",", slices.Contains([]string{"reg", "wire", "logic", "signed"}, t.text):
		default:
			return
		}
	}
}

// process parses an always block.
func (m *module) process(i int) (next int) {
	p := process{line: m.all[i].line, own: map[string]bool{}, star: m.text(i) != "always"}
	p.from, p.clocked = i, m.text(i) == "always_ff"
	if i++; m.text(i) == "@" {
		if m.text(i+1) == "(" {
			next = m.closed(i + 1)
		} else {
			next = i + 2
		}
		for ; i < next; i++ {
			switch t := m.all[min(i, len(m.all)-1)]; {
			case t.text == "posedge", t.text == "negedge":
				p.clocked = true
			case t.text == "*":
				p.star = true
			case t.isName():
				p.listed = append(p.listed, t.text)
			}
		}
	}
	p.to = m.statement(i, &p)
	m.processes = append(m.processes, p)
	return p.to
}
