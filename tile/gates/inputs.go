package gates

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// Inputs are the lines that the outputs of a stateless design depend on.
type Inputs struct {
	UI, UIO uint8
	Reset   bool
}

// Count returns the number of combinations of the lines' levels.
func (i Inputs) Count() int {
	n := 1 << (bits.OnesCount8(i.UI) + bits.OnesCount8(i.UIO))
	if i.Reset {
		n *= 2
	}
	return n
}

// inputsOf converts a mask of the program's inputs.
func inputsOf(lines uint64) Inputs {
	return Inputs{UI: uint8(lines >> 2), UIO: uint8(lines >> 10), Reset: lines>>1&1 != 0}
}

// FreeInputs returns the lines that the outputs depend on. free reports whether they depend on nothing else, the
// directions of uio are fixed, and the design drives none of those lines.
func (t *Tile) FreeInputs() (in Inputs, free bool) {
	d := t.Design
	if !d.IsCombinational() {
		return in, false
	}
	lines, other := d.prog.Dependencies(slices.Concat(d.uo[:], d.out[:], d.oe[:]))
	may, always := t.DrivenUIO()
	in = inputsOf(lines)
	return in, !other && lines&1 == 0 && may == always && in.UIO&may == 0
}

func (i Inputs) step(n uint32, drive uint8) (s transport.Step) {
	s = transport.Step{Drive: drive, Clocks: 1}
	s.In, n = deposit(n, i.UI)
	s.IO, n = deposit(n, i.UIO)
	s.Reset = n != 0
	return s
}

// minInputSteps is the minimum number of steps of AllInputs.
const minInputSteps = 256

// AllInputs implements tile.Enumerable. Other lines change at random, since a wrong chip may depend on them.
func (t *Tile) AllInputs() (steps []transport.Step) {
	in, free := t.FreeInputs()
	if !free {
		return nil
	}
	may, _ := t.DrivenUIO()
	rng := rand.New(rand.NewPCG(1, 1))
	for n := range max(in.Count(), minInputSteps) {
		s, other := in.step(uint32(n%in.Count()), ^may), rng.Uint32()
		s.In |= uint8(other) &^ in.UI
		s.IO |= uint8(other>>8) &^ in.UIO & s.Drive
		steps = append(steps, s)
	}
	return steps
}

// deposit moves the low bits of n to the set bits of mask, and returns the remaining bits as left.
func deposit(n uint32, mask uint8) (levels uint8, left uint32) {
	for ; mask != 0; mask &= mask - 1 {
		levels |= uint8(n&1) << bits.TrailingZeros8(mask)
		n >>= 1
	}
	return levels, n
}

// TiedOutputs returns the outputs that have the same level for all inputs and states while clk is low.
func (t *Tile) TiedOutputs() (lines transport.Outputs) {
	possible, may := t.Design.prog.PossibleLevels(), transport.Outputs(t.Design.may)
	one := func(n sim.Net) bool { level := possible(n); return level.Hi&level.Lo&1 == 0 }
	for i := range 8 {
		if one(t.Design.uo[i]) {
			lines |= 1 << i
		}
		if may>>i&1 != 0 && one(t.Design.out[i]) {
			lines |= 1 << (8 + i)
		}
	}
	return lines
}

// UnusedLines implements tile.UnusedLineLister. It returns inputs on which no output depends, constant outputs, and
// lines of uio that the design neither reads nor drives.
func (t *Tile) UnusedLines() (lines []string) {
	d := t.Design
	may := d.may
	outputs := slices.Concat(d.uo[:], d.oe[:])
	for i, n := range d.out {
		if may>>i&1 != 0 {
			outputs = append(outputs, n)
		}
	}
	read := d.Circuit.Drivers().FanIn(true, outputs...)
	tied := t.TiedOutputs()
	for line, name := range transport.Lines[:transport.Clk] {
		i := line % 8
		if [3]bool{!read[d.ui[i]], tied>>i&1 != 0, !read[d.uio[i]] && may>>i&1 == 0}[line/8] {
			lines = append(lines, name)
		}
	}
	return lines
}
