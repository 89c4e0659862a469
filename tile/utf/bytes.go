package utf

import (
	"fmt"

	"utfbench/model"
	"utfbench/tile"
	"utfbench/transport"
)

// tree covers every UTF-8 input of up to four bytes, as a tree of prefixes: each extended prefix has 256 cases, one
// for each following byte.
//
// A prefix is not extended if an earlier extended prefix leaves the model in the same state. The chip's reaction to a
// byte depends only on its registers and pins, since nothing else in a synchronous design has memory. So two prefixes
// that end in the same state have the same continuations, and the earlier one, which is not longer, is extended at
// least as far. Each case verifies that the chip is in the model's state: it reads back the value as UTF-32, and RETRY
// and the byte count as flags; the read positions are 0 and no UTF-32 byte was taken. The rule omits only continuations
// that repeat after dropped bytes, since a drop changes only RETRY.
//
// After a byte that the model drops, a case reads back only the value: the prefix's own case reads its other forms.
type tree struct {
	cases     // 256 cases for each prefix
	rev       model.Revision
	prefixes  []prefix
	templates [treeBytes + 1][7][5]template // by number of bytes written, and the lengths of the UTF-8 and UTF-16 forms
	dropped   [treeBytes + 1]template
}

// A prefix holds bytes and the model's registers after them.
type prefix struct {
	bytes [treeBytes - 1]byte
	n     uint8
	regs  model.Registers
}

const (
	treeBytes = 4
	treeBlock = 32 // prefixes
)

func newTree(rev model.Revision) *tree {
	t := &tree{rev: rev, prefixes: []prefix{{}}}
	t.grow()
	for n := 1; n <= treeBytes; n++ {
		s := shape{form: UTF8, levels: model.Idle, n: n}
		for s.n8 = range t.templates[n] {
			for s.n16 = range t.templates[n][s.n8] {
				t.templates[n][s.n8][s.n16] = s.template()
			}
		}
		s.valueOnly = true
		t.dropped[n] = s.template()
	}
	t.cases = cases{len(t.prefixes), 256, treeBlock}
	return t
}

// grow finds the prefixes to extend, shortest first.
func (t *tree) grow() {
	seen := map[model.Registers]bool{{}: true}
	for i := 0; i < len(t.prefixes) && t.prefixes[i].n < treeBytes-1; i++ {
		for b := range 256 {
			p := t.prefixes[i]
			p.regs = t.after(&p, uint8(b))
			if seen[p.regs] {
				continue
			}
			seen[p.regs] = true
			p.bytes[p.n] = uint8(b)
			p.n++
			t.prefixes = append(t.prefixes, p)
		}
	}
}

func (t *tree) after(p *prefix, b uint8) model.Registers {
	c := model.New(t.rev)
	c.PowerUp(p.regs)
	c.ClockEdge(model.Idle&^(model.READ|model.BIO), b, false)
	return c.Registers()
}

func (t *tree) at(block, i int) (p *prefix, b uint8) {
	n, last := t.unit(block, i)
	return &t.prefixes[n], uint8(last)
}

func (t *tree) Append(steps []transport.Step, block, i int) []transport.Step {
	p, b := t.at(block, i)
	at := len(steps) + firstByte
	steps = append(steps, t.template(p, b)...)
	for j := range int(p.n) {
		steps[at+j].IO = p.bytes[j]
	}
	steps[at+int(p.n)].IO = b
	return steps
}

func (t *tree) template(p *prefix, b uint8) template {
	regs, n := t.after(p, b), p.n+1
	if regs.V == p.regs.V && n > 1 {
		return t.dropped[n]
	}
	return t.templates[n][model.UTF8Len(regs.V)][model.UTF16Len(regs.V)]
}

// Stretches implements tile.StretchLister. A stretch has one prefix, one template and consecutive last bytes.
func (t *tree) Stretches(block int) (all []tile.Stretch) {
	for i, end := 0, 0; i < t.Cases(block); i = end {
		p, b := t.at(block, i)
		from := t.template(p, b)
		for end = i + 1; end%256 != 0 && &t.template(p, uint8(end))[0] == &from[0]; end++ {
		}
		s := tile.Stretch{FirstCase: i, Every: 1}
		s.Steps = t.Append(nil, block, i)
		s.First, s.Count = uint32(b), end-i
		s.Steps[firstByte+p.n].IO = 0
		s.Fields = []transport.CounterField{{Step: firstByte + int(p.n), Mask: 0xFF}}
		all = append(all, s)
	}
	return all
}

func (t *tree) Case(block, i int) string {
	p, b := t.at(block, i)
	return fmt.Sprintf("% X written as UTF-8", append(p.bytes[:p.n:p.n], b))
}

func (t *tree) BlockText(block int) string {
	return t.Case(block, 0) + " to " + t.Case(block, t.Cases(block)-1)
}
