package grade

import (
	"slices"

	"utfbench/tile/gates"
	"utfbench/transport"
)

// A Proof counts the cases of exhaustive vectors; the zero value is for others.
type Proof struct {
	Inputs int // combinations of inputs of a tile without state
	States int // states of a state machine after a reset, with all inputs in each
}

// Prove returns the cases that the vectors exhaust. Given all inputs, faults that never acted or showed are
// untestable.
func (g *Grading) Prove(t *gates.Tile, vectors []Vector) Proof {
	n := proved(t, vectors)
	if n == 0 {
		return Proof{States: states(t, vectors)}
	}
	if g.Cut {
		return Proof{Inputs: n}
	}
	for i := range g.Findings {
		if f := &g.Findings[i]; f.Outcome == Unseen || f.Outcome == Inactive {
			f.Outcome = Untestable
			g.Classes[i].Untestable = "all inputs were tried, and none shows it"
		}
	}
	return Proof{Inputs: n}
}

// proved returns the number of input combinations of a stateless tile if the vectors contain all of them with all
// outputs compared, else 0.
func proved(t *gates.Tile, vectors []Vector) int {
	in, err := t.FreeInputs()
	if err != nil {
		return 0
	}
	type levels struct {
		ui, uio uint8
		reset   bool
	}
	outputs := outputsOf(t)
	seen := map[levels]bool{}
	for i := range vectors {
		for k, s := range vectors[i].Steps {
			if in.UIO&^s.Drive == 0 && vectors[i].Want[k].Unknown()&outputs == 0 {
				seen[levels{s.In & in.UI, s.IO & in.UIO, s.Reset && in.Reset}] = true
			}
		}
	}
	if len(seen) < in.Count() {
		return 0
	}
	return in.Count()
}

// outputsOf returns a mask of a tile's outputs. Its lines of uio must not turn.
func outputsOf(t *gates.Tile) transport.Outputs {
	_, always := t.Driven()
	return transport.Outputs(always)<<8 | 0xFF
}

// A room is a state of a machine, with what vectors did there.
type room struct {
	compared []bool  // by combination of inputs: all outputs were
	next     []*room // by combination of inputs: after a step with one clock, or a reset without one
}

// full reports whether everything was done in a room.
func (r *room) full() bool {
	return !slices.Contains(r.compared, false) && !slices.Contains(r.next, nil)
}

// states returns the number of states of a machine that the first step of the first vector, the reset, leads to, if
// the vectors compared all outputs with all inputs in each of them, and applied one clock; else 0.
func states(t *gates.Tile, vectors []Vector) int {
	m, ok := t.Machine()
	if !ok {
		return 0
	}
	c := census{m: m, outputs: outputsOf(t), met: map[uint64]*room{}}
	for group := range slices.Chunk(vectors, lanes) {
		c.count(t.Design.NewChip(nil), group)
	}
	all, reached := []*room{c.first}, map[*room]bool{c.first: true}
	for i := 0; i < len(all); i++ {
		if all[i] == nil || !all[i].full() {
			return 0
		}
		for _, r := range all[i].next {
			if !reached[r] {
				reached[r] = true
				all = append(all, r)
			}
		}
	}
	return len(all)
}

// A census notes what vectors do in the states of a machine.
type census struct {
	m       *gates.Machine
	outputs transport.Outputs
	met     map[uint64]*room
	first   *room // after the first step; nil if that state is unknown
}

// count runs up to 64 vectors on a chip after power-up.
func (c *census) count(chip *gates.Chip, group []Vector) {
	f := gates.Frame{Pulses: make([]uint64, 0, 255)}
	var in [lanes]*room // nil while the state is unknown
	for at, more := 0, true; more; at++ {
		more, f.Pulses = false, f.Pulses[:0]
		for lane := range group {
			if v := &group[lane]; at < len(v.Steps) {
				more = true
				f.Put(lane, &v.Steps[at])
			}
		}
		chip.Step(&f)
		for lane := range group {
			if v := &group[lane]; at < len(v.Steps) {
				in[lane] = c.step(chip, lane, in[lane], &v.Steps[at], &v.Want[at])
			}
		}
		if at == 0 && c.first == nil {
			c.first = in[0]
		}
	}
}

// step notes a step of a vector, and returns the new state.
func (c *census) step(chip *gates.Chip, lane int, from *room, s *transport.Step, want *transport.Sample) *room {
	state, known := c.m.State(chip, lane)
	if !known {
		return nil
	}
	r := c.met[state]
	if r == nil {
		r = &room{make([]bool, c.m.Count()), make([]*room, c.m.Count())}
		c.met[state] = r
	}
	input, drives := c.m.Number(s)
	if !drives {
		return r
	}
	if want.Unknown()&c.outputs == 0 {
		r.compared[input] = true
	}
	if from != nil && s.Clocks == 1 {
		from.next[input] = r
	}
	if from != nil && from != r && s.Clocks == 0 { // a reset without a clock, before anything is compared
		from.compared[input], from.next[input] = true, r
	}
	return r
}
