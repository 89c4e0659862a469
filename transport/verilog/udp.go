package verilog

import (
	"fmt"
	"regexp"
	"strings"

	"utfbench/internal/failure"
)

// A primitive is a user-defined primitive of Verilog (IEEE 1364-2005, chapter 8), which Verilator up to 5.0 does not
// take. Here it becomes a module that does the same for levels 0 and 1, under the same name and with its ports in the
// same order. What the table says of x alone is left out.
type primitive struct {
	name       string
	ports      []string // the output first
	sequential bool
	rows       []row
}

// A row of the table: a symbol for each input, the state before (0 where there is none), and the output.
type row struct {
	inputs     []string
	state, out byte
}

var (
	primitiveHead = regexp.MustCompile(`(?s)^\s*primitive\s+(\S+?)\s*\((.*?)\)\s*;(.*?)\btable\b(.*?)\bendtable\b`)
	portWords     = regexp.MustCompile(`\b(?:output|input|reg|wire)\b`)
	registered    = regexp.MustCompile(`\breg\b`)
	symbol        = regexp.MustCompile(`\([01xXbB?]{2}\)|[01xXbB?rRfFpPnN*]`)
)

// mostInputs is of a primitive; IEEE 1364-2005, 8.1.4, asks simulators for 9 where there is a state and 10 where not.
const mostInputs = 10

func parsePrimitive(text string) (*primitive, error) {
	head := primitiveHead.FindStringSubmatch(bare(text))
	if head == nil {
		return nil, failure.Usagef("a primitive of the cells cannot be read: it begins with %.60q", text)
	}
	p := &primitive{name: head[1], sequential: registered.MatchString(head[2] + head[3])}
	for _, port := range strings.Split(portWords.ReplaceAllString(head[2], " "), ",") {
		p.ports = append(p.ports, strings.TrimSpace(port))
	}
	n := len(p.ports) - 1
	if n < 1 || n > mostInputs {
		return nil, failure.Usagef("the primitive %s has %d inputs: 1 to %d are allowed", p.name, n, mostInputs)
	}
	for _, line := range strings.Split(head[4], ";") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		parts := strings.Split(line, ":")
		r := row{inputs: symbol.FindAllString(parts[0], -1), state: '?'}
		out := strings.TrimSpace(parts[len(parts)-1])
		if p.sequential && len(parts) == 3 {
			if before := strings.TrimSpace(parts[1]); len(before) == 1 {
				r.state = before[0]
			}
		}
		if len(r.inputs) != n || len(out) != 1 || len(parts) != 2 && len(parts) != 3 {
			return nil, failure.Usagef("the primitive %s has %d inputs, and a row that does not fit: %q", p.name, n,
				strings.TrimSpace(line))
		}
		r.out = out[0]
		p.rows = append(p.rows, r)
	}
	return p, nil
}

// levels says which of the levels 0 and 1 a symbol stands for.
func levels(symbol byte) (zero, one bool) {
	return strings.IndexByte("0?bB", symbol) >= 0, strings.IndexByte("1?bB", symbol) >= 0
}

func is(symbol byte, level uint) bool {
	zero, one := levels(symbol)
	return level == 0 && zero || level == 1 && one
}

// edge says whether a symbol is that of an edge, and whether a rise or a fall is among those it stands for.
func edge(symbol string) (any, rise, fall bool) {
	switch symbol[0] {
	case 'r', 'R', 'p', 'P':
		return true, true, false
	case 'f', 'F', 'n', 'N':
		return true, false, true
	case '*':
		return true, true, true
	case '(':
		from0, from1 := levels(symbol[1])
		to0, to1 := levels(symbol[2])
		return true, from0 && to1, from1 && to0
	}
	return false, false, false
}

// An event is an edge of one input; that of none, on -1, is what the levels alone say.
type event struct {
	input int
	rise  bool
}

// matches says whether a row is for the inputs as they are after the event, and for a state.
func (r *row) matches(inputs, state uint, e event) bool {
	for i, s := range r.inputs {
		isEdge, rise, fall := edge(s)
		switch {
		case isEdge != (i == e.input):
			return false
		case isEdge && (e.rise && !rise || !e.rise && !fall || inputs>>i&1 == 1 != e.rise):
			return false
		case !isEdge && !is(s[0], inputs>>i&1):
			return false
		}
	}
	return is(r.state, state)
}

// next is the output after an event: 0, 1, or what is not known.
func (p *primitive) next(inputs, state uint, e event) byte {
	for _, r := range p.rows {
		if r.matches(inputs, state, e) {
			if r.out == '-' {
				return '0' + byte(state)
			}
			return r.out
		}
	}
	if p.sequential {
		return '0' + byte(state)
	}
	return 'x'
}

// set gives the inputs at which an event makes the output 0 or 1, whatever it was.
func (p *primitive) set(e event) (to [2][]uint) {
	for v := range uint(1) << (len(p.ports) - 1) {
		if e.input >= 0 && v>>e.input&1 == 1 != e.rise {
			continue
		}
		if a, b := p.next(v, 0, e), p.next(v, 1, e); a == b && (a == '0' || a == '1') {
			to[a-'0'] = append(to[a-'0'], v)
		}
	}
	return to
}

// module writes the primitive as a module.
func (p *primitive) module() (string, error) {
	var b strings.Builder
	out, ins := p.ports[0], p.ports[1:]
	fmt.Fprintf(&b, "module %s (%s);\n  output reg %s;\n  input %s;\n", p.name, strings.Join(p.ports, ", "), out,
		strings.Join(ins, ", "))
	level := p.set(event{input: -1})
	if !p.sequential {
		fmt.Fprintf(&b, "  always @* case ({%s})\n%s    default: %s = 1'bx;\n  endcase\nendmodule\n",
			strings.Join(ins, ", "), p.cases(level, "="), out)
		return b.String(), nil
	}
	var clocks []event
	for i := range ins {
		for _, e := range []event{{i, true}, {i, false}} {
			if to := p.set(e); len(to[0])+len(to[1]) > 0 {
				clocks = append(clocks, e)
			}
		}
	}
	if len(clocks) > 1 {
		return "", failure.Usagef("the primitive %s has more than one edge that sets it, and Verilator "+
			"takes no primitives: "+
			"ask for --simulator icarus", p.name)
	}
	fmt.Fprintf(&b, "  reg [1:0] level;\n  always @* case ({%s})\n", strings.Join(ins, ", "))
	for v, at := range level {
		if len(at) > 0 {
			fmt.Fprintf(&b, "    %s: level = 2'd%d;\n", p.patterns(at), v+1)
		}
	}
	fmt.Fprintf(&b, "    default: level = 2'd0;\n  endcase\n  wire low = level == 2'd1, high = level == 2'd2;\n")
	if len(clocks) == 0 {
		fmt.Fprintf(&b, "  always @* if (low) %s = 1'b0; else if (high) %[1]s = 1'b1;\nendmodule\n", out)
		return b.String(), nil
	}
	way := map[bool]string{true: "posedge", false: "negedge"}[clocks[0].rise]
	fmt.Fprintf(&b, "  always @(%s %s or posedge low or posedge high)\n    if (low) %s <= 1'b0;\n    else if (high) "+
		"%[3]s <= 1'b1;\n    else case ({%s})\n%s    default: ;\n    endcase\nendmodule\n", way, ins[clocks[0].input],
		out,
		strings.Join(ins, ", "), p.cases(p.set(clocks[0]), "<="))
	return b.String(), nil
}

// cases are those of a case statement that sets the output.
func (p *primitive) cases(to [2][]uint, assign string) (text string) {
	for v, at := range to {
		if len(at) > 0 {
			text += fmt.Sprintf("    %s: %s %s 1'b%d;\n", p.patterns(at), p.ports[0], assign, v)
		}
	}
	return text
}

// patterns are inputs as the constants of a case; the first input is the highest bit.
func (p *primitive) patterns(inputs []uint) string {
	n := len(p.ports) - 1
	list := make([]string, len(inputs))
	for i, v := range inputs {
		bits := make([]byte, n)
		for k := range n {
			bits[k] = '0' + byte(v>>k&1)
		}
		list[i] = fmt.Sprintf("%d'b%s", n, bits)
	}
	return strings.Join(list, ", ")
}
