package gates

import (
	"fmt"
	"math/bits"

	"utfbench/transport"
)

// Inputs are the lines that the outputs of a stateless design depend on.
type Inputs struct {
	UI, UIO uint8
	Reset   bool
}

// Count returns the number of combinations of their levels.
func (i Inputs) Count() int {
	n := 1 << (bits.OnesCount8(i.UI) + bits.OnesCount8(i.UIO))
	if i.Reset {
		n *= 2
	}
	return n
}

// FreeInputs returns the lines that the outputs depend on. The error names other dependencies.
func (t *Tile) FreeInputs() (in Inputs, err error) {
	d := t.Design
	if !d.Combinational() {
		return in, fmt.Errorf("%s has state, or a loop", t.Name())
	}
	outputs := append(append(d.uo[:], d.out[:]...), d.oe[:]...)
	lines, other := d.prog.Depends(outputs)
	may, always := t.Driven()
	in = Inputs{UI: uint8(lines >> 2), UIO: uint8(lines >> 10), Reset: lines>>1&1 != 0}
	switch {
	case other:
		return in, fmt.Errorf("the outputs of %s depend on a net that nobody drives", t.Name())
	case lines&1 != 0:
		return in, fmt.Errorf("the outputs of %s depend on clk", t.Name())
	case may != always:
		return in, fmt.Errorf("%s turns lines of uio", t.Name())
	case in.UIO&may != 0:
		return in, fmt.Errorf("%s reads lines of uio that it drives", t.Name())
	}
	return in, nil
}

// AllInputs returns a step for each combination of levels that the outputs depend on, or none if they depend on
// anything else.
func (t *Tile) AllInputs() (steps []transport.Step) {
	in, err := t.FreeInputs()
	if err != nil {
		return nil
	}
	may, _ := t.Driven()
	for n := range uint32(in.Count()) {
		s := transport.Step{Drive: ^may, Clocks: 1}
		s.In, n = deposit(n, in.UI)
		s.IO, n = deposit(n, in.UIO)
		s.Reset = in.Reset && n == 0
		steps = append(steps, s)
	}
	return steps
}

// deposit scatters the low bits of n to the ones of mask, and returns the remaining bits.
func deposit(n uint32, mask uint8) (levels uint8, left uint32) {
	for ; mask != 0; mask &= mask - 1 {
		levels |= uint8(n&1) << bits.TrailingZeros8(mask)
		n >>= 1
	}
	return levels, n
}
