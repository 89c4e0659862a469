package cells

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/tile/gates/sim"
)

// An Expr is a function of pins. Op is one of ! & ^ | ?, or p for a pin, q for the held bit, or a constant 0 or 1. The
// condition of ? comes first.
type Expr struct {
	Op   byte
	Pin  string
	Args []*Expr
}

// binary lists the operators with two arguments, weakest first.
const binary = "|^&"

var kinds = map[byte][2]sim.Kind{'&': {sim.And, sim.Nand}, '|': {sim.Or, sim.Nor},
	'^': {sim.Xor, sim.Xnor}}

// A parser parses an expression.
type parser struct {
	text string
	at   int
}

func parseExpr(text string) (*Expr, error) {
	p := parser{text: text}
	x := p.choice()
	if p.at != len(text) {
		return nil, fmt.Errorf("%q is no expression from %q on", text, text[p.at:])
	}
	return x, nil
}

// take consumes a sign if it is next.
func (p *parser) take(sign byte) bool {
	if p.at < len(p.text) && p.text[p.at] == sign {
		p.at++
		return true
	}
	return false
}

func (p *parser) choice() *Expr {
	x := p.operation(0)
	if !p.take('?') {
		return x
	}
	yes := p.choice()
	p.take(':')
	return &Expr{Op: '?', Args: []*Expr{x, yes, p.choice()}}
}

func (p *parser) operation(level int) *Expr {
	if level == len(binary) {
		return p.factor()
	}
	x := p.operation(level + 1)
	for p.take(binary[level]) {
		x = &Expr{Op: binary[level], Args: []*Expr{x, p.operation(level + 1)}}
	}
	return x
}

func (p *parser) factor() *Expr {
	switch {
	case p.take('!'):
		return &Expr{Op: '!', Args: []*Expr{p.factor()}}
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
		return &Expr{Op: name[0]}
	default:
		return &Expr{Op: 'p', Pin: name}
	}
}

// pins appends the pins of an expression to a list, each once.
func (x *Expr) pins(list []string) []string {
	if x.Op == 'p' && !slices.Contains(list, x.Pin) {
		list = append(list, x.Pin)
	}
	for _, a := range x.Args {
		list = a.pins(list)
	}
	return list
}

// Eval returns the value for levels of the pins and the held bit.
func (x *Expr) Eval(level func(pin string) bool, held bool) bool {
	arg := func(i int) bool { return x.Args[i].Eval(level, held) }
	switch x.Op {
	case 'p':
		return level(x.Pin)
	case 'q':
		return held
	case '!':
		return !arg(0)
	case '&':
		return arg(0) && arg(1)
	case '|':
		return arg(0) || arg(1)
	case '^':
		return arg(0) != arg(1)
	case '?':
		return arg(0) && arg(1) || !arg(0) && arg(2)
	}
	return x.Op == '1'
}

// An emitter adds the primitives of one cell.
type emitter struct {
	to   *sim.Circuit
	at   func(pin string) sim.Net
	pins map[string]sim.Net // the nets of open pins: all readers get the same level
	q    sim.Net
}

// pin returns the net at a pin. An open input gets a floating net.
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

// net returns the net of an expression.
func (e *emitter) net(x *Expr) sim.Net {
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

// drive adds the primitives that drive a net with an expression.
func (e *emitter) drive(out sim.Net, x *Expr) {
	inverted := 0
	for ; x.Op == '!'; x = x.Args[0] {
		inverted ^= 1
	}
	switch two, is := kinds[x.Op]; {
	case is:
		e.to.Add(two[inverted], out, e.net(x.Args[0]), e.net(x.Args[1]))
	case x.Op == '?' && inverted == 0:
		e.to.Add(sim.Mux, out, e.net(x.Args[0]), e.net(x.Args[1]), e.net(x.Args[2]))
	default:
		e.to.Add([2]sim.Kind{sim.Buf, sim.Not}[inverted], out, e.net(x))
	}
}
