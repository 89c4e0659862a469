package rp2040

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A processor executes the instructions of cases.py and counts the cycles of a Cortex-M0+ (technical reference manual,
// 3.3; an access to SIO takes one cycle less than one to memory).
type processor struct {
	t      testing.TB
	code   []operation
	r      [8]uint32
	result uint32 // of the latest instruction that set flags
	seen   uint32 // value read from SIO
	memory map[uint32]uint32
	cycles int
	sio    func(p *processor, offset uint32, value *uint32) // a read if value is nil
}

// An operation is an instruction; a branch's operand is its target.
type operation struct {
	name     string
	operands []operand
}

// An operand is a register number or a value.
type operand struct {
	register bool
	n        uint32
}

var (
	instruction  = regexp.MustCompile(`^ +(\w+)\((.*)\)`)
	constantLine = regexp.MustCompile(`(?m)^(\w+) = const\((\w+)\)`)
)

// assembled parses a function of cases.py after inserting a wiring.
func assembled(t testing.TB, pins map[string]int, name string) *processor {
	text := string(wiring(pins).fillCases(casesProgram))
	_, body, found := strings.Cut(text, "def "+name+"(r0):\n")
	if !found {
		t.Fatalf("cases.py has no %s", name)
	}
	names := map[string]string{} // of constants and labels
	for _, c := range constantLine.FindAllStringSubmatch(text, -1) {
		names[c[1]] = c[2]
	}
	var all [][]string
	for line := range strings.Lines(body) {
		m := instruction.FindStringSubmatch(line)
		if m == nil {
			break
		}
		if m[1] == "label" {
			names[m[2]] = strconv.Itoa(len(all))
			continue
		}
		all = append(all, append([]string{m[1]},
			strings.FieldsFunc(m[2], func(r rune) bool { return strings.ContainsRune(", []", r) })...))
	}
	p := &processor{t: t, memory: map[uint32]uint32{}}
	for _, words := range all {
		op := operation{name: words[0]}
		for _, word := range words[1:] {
			op.operands = append(op.operands, operandOf(t, names, word))
		}
		p.code = append(p.code, op)
	}
	return p
}

func operandOf(t testing.TB, names map[string]string, word string) operand {
	if len(word) == 2 && word[0] == 'r' {
		return operand{true, uint32(word[1] - '0')}
	}
	if of := names[word]; of != "" {
		word = of
	}
	n, err := strconv.ParseUint(word, 0, 32)
	if err != nil {
		t.Fatal(err)
	}
	return operand{false, uint32(n)}
}

func (p *processor) value(o operand) uint32 {
	if o.register {
		return p.r[o.n]
	}
	return o.n
}

func (p *processor) run() {
	for pc := 0; pc < len(p.code); {
		pc = p.step(pc, &p.code[pc])
		if p.cycles > 1e6 {
			p.t.Fatal("it does not end")
		}
	}
}

// step executes an instruction and returns the index of the next.
func (p *processor) step(pc int, op *operation) int {
	p.cycles++
	switch op.name {
	case "b", "beq", "bne", "bge":
		if op.name == "b" || op.name == "beq" && p.result == 0 || op.name == "bne" && p.result != 0 ||
			op.name == "bge" && int32(p.result) >= 0 {
			p.cycles++
			return int(op.operands[0].n)
		}
	case "ldr", "str":
		p.move(op)
	case "cmp":
		p.result = p.value(op.operands[0]) - p.value(op.operands[1])
	default:
		p.result = p.compute(op)
		p.r[op.operands[0].n] = p.result
	}
	return pc + 1
}

func (p *processor) move(op *operation) {
	to, at := &p.r[op.operands[0].n], p.value(op.operands[1])+p.value(op.operands[2])
	switch {
	case at >= sio && op.name == "str":
		p.sio(p, at-sio, to)
		return
	case at >= sio:
		p.sio(p, at-sio, nil)
		*to = p.seen
		return
	case op.name == "str":
		p.memory[at] = *to
	default:
		*to = p.memory[at]
	}
	p.cycles++
}

func (p *processor) compute(op *operation) uint32 {
	a, b := p.value(op.operands[0]), p.value(op.operands[1])
	if len(op.operands) == 3 {
		a, b = b, p.value(op.operands[2])
	}
	switch op.name {
	case "mov":
		return b
	case "add":
		return a + b
	case "sub":
		return a - b
	case "and_":
		return a & b
	case "orr":
		return a | b
	case "eor":
		return a ^ b
	case "lsl":
		return a << b
	case "lsr":
		return a >> b
	}
	p.t.Fatalf("an instruction %s", op.name)
	return 0
}
