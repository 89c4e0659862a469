package gates

import (
	"utfbench/tile"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// maxProof is the number of clocks after a reset within which the sets must stop growing.
const maxProof = 4096

// ImpossibleLevels implements tile.Prover. It represents the states after a reset of one clock as a set of levels for
// each net, and adds the levels after each further clock with any inputs, including a reset, until the sets stay the
// same. It treats dependent nets as independent, so it misses some impossible levels.
func (t *Tile) ImpossibleLevels(levels tile.Levels) (never tile.Levels) {
	d := t.Design
	possible := d.prog.PossibleLevels()
	get := func(n sim.Net) sim.Set { return possible(n) }
	never = d.without(levels, get)
	if never == levels || !d.prog.HasOnlyDirectControls() {
		return never
	}
	chip := d.NewChip(nil)
	f := Frame{InX: allX, Pulses: always[:1]}
	chip.Step(&f) // a reset
	f.RstX = ^uint64(0)
	for range maxProof {
		if d.without(levels, chip.m.Level) == never {
			return never
		}
		next := chip.Clone()
		next.Step(&f)
		if !chip.m.Join(next.m) {
			return d.without(levels, chip.m.Level)
		}
	}
	return never
}

// allX makes the levels of eight lines unknown in all vectors.
var allX = [8]uint64{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}

// without returns the subset of levels that the outputs do not have in vector 0.
func (d *Design) without(levels tile.Levels, of func(sim.Net) sim.Set) (never tile.Levels) {
	for i := range 16 {
		bit := transport.Outputs(1) << i
		net := d.uo[i%8]
		if i >= 8 {
			net = d.out[i%8]
		}
		s := of(net)
		if levels.Low&bit != 0 && s.Lo&1 == 0 {
			never.Low |= bit
		}
		if levels.High&bit != 0 && s.Hi&1 == 0 {
			never.High |= bit
		}
	}
	return never
}
