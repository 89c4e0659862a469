package rp2040

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A processor runs the instructions that cases.py has, and counts the cycles of a Cortex-M0+ (its technical reference
// manual, 3.3; a register of SIO takes one cycle less than memory).
type processor struct {
	t      testing.TB
	code   [][]string // name and operands
	labels map[string]int
	r      [8]uint32
	result uint32 // of the latest instruction that sets flags
	seen   uint32 // of a register of SIO
	memory map[uint32]uint32
	cycles int
	sio    func(p *processor, offset uint32, value *uint32) // reads where value is nil
}

var instruction = regexp.MustCompile(`^ +(\w+)\((.*)\)`)

// assembled reads a function of cases.py with a wiring in it.
func assembled(t testing.TB, pins map[string]int, name string) *processor {
	p := &processor{t: t, labels: map[string]int{}, memory: map[uint32]uint32{}}
	text := string(wiring(pins).fillCases(casesProgram))
	for _, c := range regexp.MustCompile(`(?m)^(\w+) = const\((\w+)\)`).FindAllStringSubmatch(text, -1) {
		text = regexp.MustCompile(`\b`+c[1]+`\b`).ReplaceAllString(text, c[2])
	}
	_, body, found := strings.Cut(text, "def "+name+"(r0):\n")
	if !found {
		t.Fatalf("cases.py has no %s", name)
	}
	for line := range strings.Lines(body) {
		m := instruction.FindStringSubmatch(line)
		if m == nil {
			break
		}
		if m[1] == "label" {
			p.labels[m[2]] = len(p.code)
			continue
		}
		operands := strings.FieldsFunc(m[2], func(r rune) bool { return strings.ContainsRune(", []", r) })
		p.code = append(p.code, append([]string{m[1]}, operands...))
	}
	return p
}

// value is that of an operand.
func (p *processor) value(operand string) uint32 {
	if operand[0] == 'r' {
		return p.r[operand[1]-'0']
	}
	n, err := strconv.ParseUint(operand, 0, 32)
	if err != nil {
		p.t.Fatal(err)
	}
	return uint32(n)
}

func (p *processor) run() {
	for pc := 0; pc < len(p.code); {
		pc = p.step(pc, p.code[pc])
		if p.cycles > 1e6 {
			p.t.Fatal("it does not end")
		}
	}
}

// step does an instruction, and says which is the next.
func (p *processor) step(pc int, in []string) int {
	p.cycles++
	switch in[0] {
	case "b", "beq", "bne", "bge":
		taken := map[string]bool{"b": true, "beq": p.result == 0, "bne": p.result != 0, "bge": int32(p.result) >= 0}
		if taken[in[0]] {
			p.cycles++
			return p.labels[in[1]]
		}
	case "ldr", "str":
		p.move(in)
	case "cmp":
		p.result = p.value(in[1]) - p.value(in[2])
	default:
		p.result = p.compute(in)
		p.r[in[1][1]-'0'] = p.result
	}
	return pc + 1
}

func (p *processor) move(in []string) {
	to, at := &p.r[in[1][1]-'0'], p.value(in[2])+p.value(in[3])
	switch {
	case at >= sio && in[0] == "str":
		p.sio(p, at-sio, to)
		return
	case at >= sio:
		p.sio(p, at-sio, nil)
		*to = p.seen
		return
	case in[0] == "str":
		p.memory[at] = *to
	default:
		*to = p.memory[at]
	}
	p.cycles++
}

func (p *processor) compute(in []string) uint32 {
	a, b := p.value(in[1]), p.value(in[2])
	if len(in) == 4 {
		a, b = b, p.value(in[3])
	}
	switch in[0] {
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
	p.t.Fatalf("an instruction %q", in)
	return 0
}
