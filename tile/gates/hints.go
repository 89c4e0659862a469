package gates

import (
	"slices"
	"strings"

	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// UninitialisedRegisters returns the registers that keep their power-up state: no step of a long random sequence after
// a reset gives them a known value. Each register is one part, whatever its width.
func (t *Tile) UninitialisedRegisters() (all []sim.Part, err error) {
	steps, err := tile.FixedRandomSteps(t, drawn)
	if err != nil {
		return nil, err
	}
	c := t.take()
	defer t.idle.Put(c)
	unset := t.cells(func(cell sim.Cell) bool { return cell.Kind.HoldsBit() })
	for i := range steps {
		c.Apply(&steps[i])
		unset = slices.DeleteFunc(unset, func(cell sim.Cell) bool { return !c.unknown(cell.Out) })
	}
	return t.parts(unset), nil
}

// RegistersResetInverted returns the registers and latches that the reset leaves unknown although the other level of
// rst_n sets all their bits, whatever the inputs and the state. whole means that this level sets everything that the
// reset sets. If a low rst_n sets state without a clock, the chip has that state from power-up, and it returns none.
func (t *Tile) RegistersResetInverted() (all []sim.Part, whole bool) {
	reset, low := t.ResetStep(), t.ResetStep().Reset
	parked, idle := t.take(), t.take()
	defer t.idle.Put(parked)
	defer t.idle.Put(idle)
	parked.Apply(&transport.ParkStep)
	idle.Apply(&reset)
	sets, other := t.blind(reset, low), t.blind(reset, !low)
	defer t.idle.Put(sets)
	defer t.idle.Put(other)
	whole = true
	var set, rest []sim.Cell
	for _, cell := range t.cells(func(cell sim.Cell) bool { return cell.Kind.HoldsBit() }) {
		if low && !parked.unknown(cell.Out) {
			return nil, false
		}
		known := !other.unknown(cell.Out)
		if whole = whole && (known || sets.unknown(cell.Out)); known && idle.unknown(cell.Out) {
			set = append(set, cell)
		} else {
			rest = append(rest, cell)
		}
	}
	partly := t.parts(rest)
	return slices.DeleteFunc(t.parts(set), func(p sim.Part) bool {
		return slices.ContainsFunc(partly, func(o sim.Part) bool { return o.Name == p.Name })
	}), whole
}

// blind returns a chip after a step with unknown inputs and a given level of rst_n.
func (t *Tile) blind(s transport.Step, low bool) *Chip {
	c := t.take()
	s.Reset, s.Drive = low, 0
	var f Frame
	f.Set(&s)
	for i := range f.InX {
		f.InX[i] = ^uint64(0)
	}
	c.Step(&f)
	return c
}

// Latches returns the latches that synthesis has inferred from the RTL.
func (t *Tile) Latches() []sim.Part {
	return t.parts(t.cells(func(c sim.Cell) bool {
		return c.Kind == sim.Latch && strings.HasPrefix(t.Design.Circuit.Parts[c.Part].Type, "$_DLATCH")
	}))
}

// RivalDrivers returns each part that always drives a net that an earlier part also always drives.
func (t *Tile) RivalDrivers() []sim.Part {
	driven := map[sim.Net]bool{}
	return t.parts(t.cells(func(c sim.Cell) bool {
		had := driven[c.Out]
		driven[c.Out] = had || c.Kind != sim.Tri
		return had && c.Kind != sim.Tri
	}))
}

// ClockedOutputs returns the outputs that follow clk's level through gates, and the parts that read clk as data.
func (t *Tile) ClockedOutputs() (lines transport.Outputs, readers []sim.Part) {
	c := t.Design.Circuit
	var outputs []sim.Net
	for i, port := range []string{"uo_out", "uio_out", "uio_oe"} {
		for bit, n := range c.Port(port) {
			if inputs, _ := t.Design.prog.Dependencies([]sim.Net{n}); inputs&1 != 0 { // depends on clk
				lines |= 1 << (min(8*i, 8) + bit)
				outputs = append(outputs, n)
			}
		}
	}
	leads, clk := c.Drivers().FanIn(false, outputs...), c.Port("clk")[0]
	return lines, t.parts(t.cells(func(g sim.Cell) bool {
		return !g.Kind.HoldsBit() && leads[g.Out] && slices.Contains(g.In[:g.Kind.Inputs()], clk)
	}))
}

// UndrivenBits returns the bits of a port that nothing drives.
func (t *Tile) UndrivenBits(port string) (bits uint8) {
	for i, n := range t.Design.Circuit.Port(port) {
		if len(t.cells(func(c sim.Cell) bool { return c.Out == n })) == 0 {
			bits |= 1 << i
		}
	}
	return bits
}

func (t *Tile) cells(fits func(c sim.Cell) bool) []sim.Cell {
	return slices.DeleteFunc(slices.Clone(t.Design.Circuit.Cells), func(c sim.Cell) bool { return !fits(c) })
}

var indices = printable.LazyRegexp(`(\[\d+\])+$`)

// parts returns the parts of cells, with each register as one part, whatever its width.
func (t *Tile) parts(cells []sim.Cell) (all []sim.Part) {
	for _, cell := range cells {
		part := t.Design.Circuit.Parts[cell.Part]
		part.Name = indices().ReplaceAllString(part.Name, "")
		if !slices.ContainsFunc(all, func(p sim.Part) bool { return p.Name == part.Name }) {
			all = append(all, part)
		}
	}
	return all
}

func (c *Chip) unknown(n sim.Net) bool {
	level := c.m.Level(n)
	return level.Lo&level.Hi&1 != 0
}
