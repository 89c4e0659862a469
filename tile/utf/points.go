package utf

import (
	"fmt"

	"utfbench/model"
	"utfbench/tile"
	"utfbench/transport"
)

// points covers every code point, surrogates included, in every mode: 12 cases each. A further block contains the first
// values that are not code points, in 8 cases each, since they have no UTF-16 form; only they depend on CHK.
//
// A mode is a form to write with levels of CHK and CBE, constant during the whole case. Each case reads back all three
// forms, so 36 pairings are covered. The mode beyond adds steps (shape.beyond): a chip counts bytes and positions to
// four, and only the step after the fourth shows the count. CBE is low there, so a lost count does not give 00.
type points struct {
	cases // as if every value were a code point
	// by levels, form, and the length of the UTF-8 form, which determines the other lengths
	templates [4][3][5]template
	modes     []mode // modes of a code point, plainest first
	past      []mode // modes of a value beyond the code points
}

const (
	pointsBlock = 1024
	pointsEnd   = 0x110000
)

// A mode is a form to write, at levels of CHK and CBE.
type mode struct {
	form   Form
	levels uint8
}

// beyond is the mode with longer cases; see shape.beyond.
var beyond = mode{UTF32, model.Idle &^ model.CBE}

// modeLevels lists the levels of CHK and CBE; levelIndex numbers them for tables.
var modeLevels = [...]uint8{model.Idle, model.Idle &^ model.CBE, model.Idle &^ model.CHK,
	model.Idle &^ (model.CHK | model.CBE)}

func levelIndex(ui uint8) uint8 { return ui / model.CHK & 3 }

func newPoints() *points {
	p := &points{}
	for _, levels := range modeLevels {
		for _, form := range Forms {
			m := mode{form, levels}
			if p.modes = append(p.modes, m); form != UTF16 {
				p.past = append(p.past, m)
			}
			for n8 := 1; n8 <= 4; n8++ {
				p.templates[levelIndex(levels)][form][n8] = pointTemplate(m, n8)
			}
		}
	}
	p.cases = cases{pointsEnd + pointsBlock, len(p.modes), pointsBlock}
	return p
}

// pointTemplate returns the template of code points with n8 bytes in UTF-8. UTF-16 reads of larger values return 00.
func pointTemplate(m mode, n8 int) template {
	n16 := 2
	if n8 == 4 {
		n16 = 4
	}
	n := [...]int{UTF32: 4, UTF16: n16, UTF8: n8}[m.form]
	return shape{form: m.form, levels: m.levels, n: n, n16: n16, n8: n8, beyond: m == beyond}.template()
}

// Cases implements tile.Space. Values beyond the code points have fewer modes.
func (p *points) Cases(block int) int { return pointsBlock * len(p.modesOf(block)) }

func (p *points) modesOf(block int) []mode {
	if block*pointsBlock >= pointsEnd {
		return p.past
	}
	return p.modes
}

func (p *points) Append(steps []transport.Step, block, i int) []transport.Step {
	v, m := p.at(block, i)
	return p.template(v, m).fill(steps, m.form, m.levels, v, formLen(m.form, v))
}

// Stretches implements tile.StretchLister. A stretch holds code points with UTF-8 forms of one length, in one mode.
func (p *points) Stretches(block int) (all []tile.Stretch) {
	modes := p.modesOf(block)
	first, end := uint32(block*pointsBlock), uint32((block+1)*pointsBlock)
	for v, next := first, first; v < end; v = next {
		for next < end && model.UTF8Len(next) == model.UTF8Len(v) {
			next++
		}
		for i, m := range modes {
			s := p.template(v, m).count(m.form, m.levels, v, formLen(m.form, v), int(next-v))
			s.FirstCase, s.Every = int(v-first)*len(modes)+i, len(modes)
			all = append(all, s)
		}
	}
	return all
}

func (p *points) template(v uint32, m mode) template {
	return p.templates[levelIndex(m.levels)][m.form][model.UTF8Len(v)]
}

func (p *points) at(block, i int) (v uint32, m mode) {
	modes := p.modesOf(block)
	n, mode := cases{each: len(modes), block: pointsBlock}.unit(block, i)
	return uint32(n), modes[mode]
}

func formLen(form Form, v uint32) int {
	switch form {
	case UTF32:
		return 4
	case UTF16:
		return int(model.UTF16Len(v))
	}
	return int(model.UTF8Len(v))
}

func (p *points) Case(block, i int) string {
	v, m := p.at(block, i)
	return fmt.Sprintf("%s written as %s, %s", pointWords(v), m.form, modeWords(m.levels))
}

func (p *points) BlockText(block int) string {
	first := uint32(block * pointsBlock)
	return pointWords(first) + ".." + pointWords(first+pointsBlock-1)
}

// pointWords formats a value, with U+ if it is a code point.
func pointWords(v uint32) string {
	if v >= pointsEnd {
		return fmt.Sprintf("%08X", v)
	}
	return fmt.Sprintf("U+%04X", v)
}
