package sweep

import (
	"fmt"

	"utfbench/golden"
	"utfbench/model"
	"utfbench/transport"
)

// points is every code point, surrogates too, in every mode: 12 cases each.
//
// A mode is a form to write, a level of CHK and a level of CBE, which stand for the whole case. All three forms are read
// back in each, which makes 36 pairings. The modes with both levels high go one byte further, see shape.surplus: the chip
// counts to four in places, and only the step after the fourth shows that it counted.
type points struct {
	templates [pointsModes][5]template // by mode, and by the length of the UTF-8 form, which decides the other lengths
}

const (
	pointsModes = 12 // modes
	pointsBlock = 1024
	pointsEnd   = 0x110000
)

// A mode is a form to write, at levels of CHK and CBE.
type mode struct {
	form   golden.Form
	levels uint8
}

// modes are all of them, the plainest first.
var modes = func() (all [pointsModes]mode) {
	i := 0
	for _, levels := range []uint8{model.Idle, model.Idle &^ model.CBE, model.Idle &^ model.CHK, model.Idle &^ (model.CHK | model.CBE)} {
		for _, form := range golden.Forms {
			all[i] = mode{form, levels}
			i++
		}
	}
	return all
}()

func newPoints() *points {
	p := &points{}
	for i, m := range modes {
		for n8 := 1; n8 <= 4; n8++ {
			n16 := 2
			if n8 == 4 {
				n16 = 4
			}
			n := [...]int{golden.UTF32: 4, golden.UTF16: n16, golden.UTF8: n8}[m.form]
			p.templates[i][n8] = shape{form: m.form, levels: m.levels, n: n, n16: n16, n8: n8, surplus: m.levels == model.Idle}.template()
		}
	}
	return p
}

func (p *points) Blocks() int   { return pointsEnd / pointsBlock }
func (p *points) Cases(int) int { return pointsBlock * pointsModes }

func (p *points) Append(steps []transport.Step, block, i int) []transport.Step {
	v, m := pointAt(block, i)
	return p.templates[m][model.UTF8Len(v)].fill(steps, modes[m].form, modes[m].levels, v, formLen(modes[m].form, v))
}

// pointAt is the code point and the mode of a case.
func pointAt(block, i int) (v uint32, mode int) {
	return uint32(block*pointsBlock + i/pointsModes), i % pointsModes
}

// formLen is how many bytes v has in a form.
func formLen(form golden.Form, v uint32) int {
	switch form {
	case golden.UTF32:
		return 4
	case golden.UTF16:
		return int(model.UTF16Len(v))
	}
	return int(model.UTF8Len(v))
}

func (p *points) Case(block, i int) string {
	v, m := pointAt(block, i)
	return fmt.Sprintf("U+%04X written as %s, %s", v, formNames[modes[m].form], modeWords(modes[m].levels))
}

func (p *points) Words(block int) string {
	return fmt.Sprintf("U+%04X..U+%04X", block*pointsBlock, (block+1)*pointsBlock-1)
}
