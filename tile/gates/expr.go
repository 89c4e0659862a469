package gates

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/tile/gates/sim"
)

// An expr is a function of pins. Op is one of ! & ^ | ?, or p for a pin, q for the held bit, or a constant 0 or 1. The
// first operand of ? is the condition.
type expr struct {
	Op   byte
	Pin  string
	Args []*expr
}

// binaryOps lists the operators with two arguments, weakest first.
const binaryOps = "|^&"

var operators = map[byte][2]sim.Kind{'&': {sim.And, sim.Nand}, '|': {sim.Or, sim.Nor}, '^': {sim.Xor, sim.Xnor}}

// An exprParser parses an expression.
type exprParser struct {
	text string
	at   int
}

func parseExpr(text string) (*expr, error) {
	p := exprParser{text: text}
	x := p.choice()
	if p.at != len(text) {
		return nil, fmt.Errorf("%q is no expression from %q on", text, text[p.at:])
	}
	return x, nil
}

// take consumes a sign if it is next, and reports whether it was.
func (p *exprParser) take(sign byte) bool {
	if p.at < len(p.text) && p.text[p.at] == sign {
		p.at++
		return true
	}
	return false
}

func (p *exprParser) choice() *expr {
	x := p.operation(0)
	if !p.take('?') {
		return x
	}
	yes := p.choice()
	p.take(':')
	return &expr{Op: '?', Args: []*expr{x, yes, p.choice()}}
}

func (p *exprParser) operation(level int) *expr {
	if level == len(binaryOps) {
		return p.factor()
	}
	x := p.operation(level + 1)
	for p.take(binaryOps[level]) {
		x = &expr{Op: binaryOps[level], Args: []*expr{x, p.operation(level + 1)}}
	}
	return x
}

func (p *exprParser) factor() *expr {
	switch {
	case p.take('!'):
		return &expr{Op: '!', Args: []*expr{p.factor()}}
	case p.take('('):
		x := p.choice()
		p.take(')')
		return x
	}
	rest := p.text[p.at:]
	end := strings.IndexAny(rest, "!()&|^?:")
	if end < 0 {
		end = len(rest)
	}
	p.at += end
	switch name := rest[:end]; name {
	case "0", "1", "q":
		return &expr{Op: name[0]}
	default:
		return &expr{Op: 'p', Pin: name}
	}
}

func (x *expr) pins(list []string) []string {
	if x.Op == 'p' && !slices.Contains(list, x.Pin) {
		list = append(list, x.Pin)
	}
	for _, a := range x.Args {
		list = a.pins(list)
	}
	return list
}

// An emitter adds the primitives of one cell.
type emitter struct {
	to   *sim.Circuit
	at   func(pin string) sim.Net
	pins map[string]sim.Net // nets of open pins, so that all readers of a pin get the same level
	q    sim.Net
}

// pin returns the net at a pin. For an open input that is a floating net.
func (e *emitter) pin(name string) sim.Net {
	if n := e.at(name); n != sim.Open {
		return n
	}
	n, made := e.pins[name]
	if !made {
		n = e.to.Net("")
		if e.pins == nil {
			e.pins = map[string]sim.Net{}
		}
		e.pins[name] = n
	}
	return n
}

func (e *emitter) net(x *expr) sim.Net {
	switch x.Op {
	case '0':
		return sim.Zero
	case '1':
		return sim.One
	case 'q':
		return e.q
	case 'p':
		return e.pin(x.Pin)
	}
	if x.Op == '!' && strings.IndexByte("pq01", x.Args[0].Op) >= 0 {
		return e.to.Not(e.net(x.Args[0]))
	}
	out := e.to.Net("")
	e.drive(out, x)
	return out
}

// drive adds the primitives that drive a net with the value of an expression.
func (e *emitter) drive(out sim.Net, x *expr) {
	inverted := 0
	for ; x.Op == '!'; x = x.Args[0] {
		inverted ^= 1
	}
	switch two, is := operators[x.Op]; {
	case is:
		e.to.Add(two[inverted], out, e.net(x.Args[0]), e.net(x.Args[1]))
	case x.Op == '?' && inverted == 0:
		e.to.Add(sim.Mux, out, e.net(x.Args[0]), e.net(x.Args[1]), e.net(x.Args[2]))
	default:
		e.to.Add([2]sim.Kind{sim.Buf, sim.Not}[inverted], out, e.net(x))
	}
}
