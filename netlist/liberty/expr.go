package liberty

import (
	"utfbench/internal/failure"
)

// An Op is what an expression does with its parts.
type Op byte

// Ops.
const (
	Zero  Op = iota
	One      //
	Pin      // the level of an input
	State    // the bit that the cell holds
	Not      // of A
	And      // of A and B
	Or       //
	Xor      //
)

// An Expr is a boolean function of a cell's inputs and of the bit that it holds.
type Expr struct {
	Op   Op
	Pin  int // in Cell.Pins
	A, B *Expr
}

// Eval is the value for levels of the pins, bit i of pin i.
func (e *Expr) Eval(pins uint, state bool) bool {
	switch e.Op {
	case One:
		return true
	case Pin:
		return pins>>e.Pin&1 != 0
	case State:
		return state
	case Not:
		return !e.A.Eval(pins, state)
	case And:
		return e.A.Eval(pins, state) && e.B.Eval(pins, state)
	case Or:
		return e.A.Eval(pins, state) || e.B.Eval(pins, state)
	case Xor:
		return e.A.Eval(pins, state) != e.B.Eval(pins, state)
	}
	return false
}

// Pins says which inputs the function reads, bit i of pin i; an unread input may stand in it.
func (e *Expr) Pins() (mask uint) {
	if e == nil {
		return 0
	}
	if e.Op == Pin {
		return 1 << e.Pin
	}
	return e.A.Pins() | e.B.Pins()
}

// A scope says what the names in a function are.
type scope map[string]*Expr

// A parser reads a function: ! before and ' behind negate, then ^, then & * or a blank, then | or +.
type parser struct {
	text  string
	at    int
	depth int
	names scope
	err   error
}

// most signs of a function, and the deepest brackets in it.
const (
	mostSigns    = 1 << 12
	deepestParen = 100
)

func parse(text string, names scope) (*Expr, error) {
	if len(text) > mostSigns {
		return nil, failure.Usagef("a function of %d signs: at most %d are supported", len(text), mostSigns)
	}
	p := &parser{text: text, names: names}
	e := p.or()
	if p.peek() != 0 {
		p.fail("%q is too much", text[p.at:])
	}
	return e, p.err
}

// fail keeps the first mistake, and ends the text.
func (p *parser) fail(format string, args ...any) *Expr {
	if p.err == nil {
		p.err = failure.Usagef("function %q: "+format, append([]any{p.text}, args...)...)
	}
	p.at = len(p.text)
	return &Expr{}
}

func (p *parser) peek() byte {
	for p.at < len(p.text) && p.text[p.at] <= ' ' {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

func (p *parser) or() *Expr {
	e := p.and()
	for c := p.peek(); c == '|' || c == '+'; c = p.peek() {
		p.at++
		e = &Expr{Op: Or, A: e, B: p.and()}
	}
	return e
}

func (p *parser) and() *Expr {
	e := p.xor()
	for {
		switch c := p.peek(); c {
		case '&', '*':
			p.at++
		case 0, '|', '+', ')':
			return e
		}
		e = &Expr{Op: And, A: e, B: p.xor()}
	}
}

func (p *parser) xor() *Expr {
	e := p.atom()
	for p.peek() == '^' {
		p.at++
		e = &Expr{Op: Xor, A: e, B: p.atom()}
	}
	return e
}

// atom is a name, a constant or brackets, with what negates it.
func (p *parser) atom() *Expr {
	if p.depth++; p.depth > deepestParen {
		return p.fail("brackets stand in brackets more than %d deep", deepestParen)
	}
	defer func() { p.depth-- }()
	var e *Expr
	switch p.peek() {
	case '!':
		p.at++
		return &Expr{Op: Not, A: p.atom()}
	case '(':
		p.at++
		e = p.or()
		if p.peek() != ')' {
			return p.fail("a bracket is not closed")
		}
		p.at++
	default:
		e = p.name()
	}
	for p.peek() == '\'' {
		p.at++
		e = &Expr{Op: Not, A: e}
	}
	return e
}

func (p *parser) name() *Expr {
	from := p.at
	for p.at < len(p.text) && inName(p.text[p.at]) {
		p.at++
	}
	name := p.text[from:p.at]
	switch e := p.names[name]; {
	case e != nil:
		return e
	case name == "0":
		return &Expr{Op: Zero}
	case name == "1":
		return &Expr{Op: One}
	case name == "":
		return p.fail("a pin's name is missing")
	}
	return p.fail("%q is no input of the cell", name)
}

func inName(c byte) bool {
	return c == '_' || c == '[' || c == ']' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
