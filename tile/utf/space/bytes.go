package space

import (
	"fmt"

	"utfbench/model"
	"utfbench/tile"
	"utfbench/tile/utf/dialect"
	"utfbench/transport"
)

// tree is every UTF-8 input of up to four bytes, as a tree of prefixes: each extended prefix has 256 cases, one for
// each byte that may follow it.
//
// A prefix is extended unless the model, after it, is in a state in which an earlier prefix left it that was extended.
// What the chip does with a byte depends on its registers and its pins alone, since nothing else in a synchronous
// design remembers; so after two prefixes that leave it in one state it does the same, and an earlier prefix is no
// longer than a later one and was followed as far. That the chip is in the model's state is what each case reads back:
// the value as UTF-32, RETRY and the count of bytes as flags; the read positions are 0 and no byte of UTF-32 was taken.
// In effect it is the dropped bytes that are not followed up again and again: a drop changes nothing but RETRY.
//
// A byte that the model drops is followed by reading the value alone: the other forms of that value were read back in
// the case of the prefix itself.
type tree struct {
	rev       model.Revision
	prefixes  []prefix
	templates [treeBytes + 1][7][5]template // by bytes written, and the lengths of the UTF-8 and the UTF-16 form
	dropped   [treeBytes + 1]template
}

// A prefix is bytes, and the registers after them.
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
		s := shape{form: dialect.UTF8, levels: model.Idle, n: n}
		for s.n8 = range t.templates[n] {
			for s.n16 = range t.templates[n][s.n8] {
				t.templates[n][s.n8][s.n16] = s.template()
			}
		}
		s.valueOnly = true
		t.dropped[n] = s.template()
	}
	return t
}

// grow finds the prefixes to extend, the shortest first.
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

// after gives the registers when one more byte came.
func (t *tree) after(p *prefix, b uint8) model.Registers {
	c := model.New(t.rev)
	c.PowerUp(p.regs)
	c.Edge(model.Idle&^(model.READ|model.BIO), b, false)
	return c.Registers()
}

func (t *tree) Blocks() int { return (len(t.prefixes) + treeBlock - 1) / treeBlock }

func (t *tree) Cases(block int) int {
	return 256 * min(treeBlock, len(t.prefixes)-block*treeBlock)
}

func (t *tree) at(block, i int) (p *prefix, b uint8) {
	return &t.prefixes[block*treeBlock+i/256], uint8(i)
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

// template returns the template of a prefix with one more byte.
func (t *tree) template(p *prefix, b uint8) template {
	regs, n := t.after(p, b), p.n+1
	if regs.V == p.regs.V && n > 1 {
		return t.dropped[n]
	}
	return t.templates[n][model.UTF8Len(regs.V)][model.UTF16Len(regs.V)]
}

// Stretches implements tile.Counted:, for each prefix, neighbouring bytes that have one template.
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
		s.Fields = []transport.Field{{Step: firstByte + int(p.n), Mask: 0xFF}}
		all = append(all, s)
	}
	return all
}

func (t *tree) Case(block, i int) string {
	p, b := t.at(block, i)
	return fmt.Sprintf("% X written as UTF-8", append(p.bytes[:p.n:p.n], b))
}

func (t *tree) Words(block int) string {
	return t.Case(block, 0) + " to " + t.Case(block, t.Cases(block)-1)
}
