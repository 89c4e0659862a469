package grade

import (
	"slices"

	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
)

// Limits of a tour: the steps in all, at least two for each combination of inputs in each state, and those after which
// a new vector begins.
const (
	tourSteps   = 1 << 16
	vectorSteps = 2048
)

// Tour returns vectors that visit each state of a small state machine that a reset leads to, compare the outputs with
// all combinations of inputs there, and apply a clock with each. It returns none for other tiles, for a state that no
// reset reaches, and for a tour with too many steps.
func Tour(t *gates.Tile) []Vector {
	m, ok := t.Machine()
	if !ok {
		return nil
	}
	g := &guide{t: t, m: m, chip: t.Design.NewChip(nil), at: map[uint64]int{}}
	if !g.begin() {
		return nil
	}
	for {
		path, found := g.path()
		switch {
		case !found && g.now == 0:
			return g.vectors
		case !found || len(g.last().Steps) > vectorSteps:
			if !g.begin() {
				return nil
			}
			continue
		}
		for _, input := range path {
			g.step(input)
		}
		if !g.visit() {
			return nil
		}
	}
}

// A guide makes a tour.
type guide struct {
	t       *gates.Tile
	m       *gates.Machine
	chip    *gates.Chip
	at      map[uint64]int // index into states
	states  [][]int        // the next state by input, for the first inputs; state 0 is that after the reset
	now     int
	steps   int
	vectors []Vector

	came   []hop // by state: how the last search came there
	search int
	queue  []int
}

func (g *guide) last() *Vector { return &g.vectors[len(g.vectors)-1] }

// begin begins a vector, and reports whether the reset leads to a known state.
func (g *guide) begin() bool {
	g.vectors = append(g.vectors, Vector{})
	g.chip.Reset()
	g.do(tile.Reset(g.t))
	return g.arrive()
}

// do applies a step.
func (g *guide) do(s transport.Step) {
	g.steps++
	v := g.last()
	v.Steps, v.Want = append(v.Steps, s), append(v.Want, g.chip.Apply(&s))
}

// step applies a combination of inputs and a clock, except if a reset changes the state without one. It reports whether
// the next state is known.
func (g *guide) step(input int) (known bool) {
	s, from := g.m.Step(input), g.now
	if s.Reset {
		s.Clocks = 0
		g.do(s)
		if known = g.arrive(); g.now != from {
			return known
		}
		s.Clocks = 1
	}
	g.do(s)
	return g.arrive()
}

// arrive notes the state that the chip is in, and reports whether it is known.
func (g *guide) arrive() bool {
	state, ok := g.m.State(g.chip, 0)
	at, met := g.at[state]
	if !met {
		at = len(g.states)
		g.at[state], g.states = at, append(g.states, nil)
	}
	g.now = at
	return ok
}

// visit compares the outputs with the next combination of inputs in this state, and applies a clock. It reports whether
// the next state is known, and the tour within its limit.
func (g *guide) visit() bool {
	from, input := g.now, len(g.states[g.now])
	if s := g.m.Step(input); !s.Reset {
		s.Clocks = 0
		g.do(s)
	}
	known := g.step(input)
	g.states[from] = append(g.states[from], g.now)
	return known && g.steps <= tourSteps && 2*len(g.states)*g.m.Count() <= tourSteps
}

// A hop is how a search came to a state.
type hop struct{ search, from, input int }

// path returns the inputs that lead to the nearest state with inputs to visit.
func (g *guide) path() (inputs []int, found bool) {
	g.search++
	for len(g.came) < len(g.states) {
		g.came = append(g.came, hop{})
	}
	g.came[g.now] = hop{g.search, -1, 0}
	g.queue = append(g.queue[:0], g.now)
	for i := 0; i < len(g.queue); i++ {
		at := g.queue[i]
		if len(g.states[at]) < g.m.Count() {
			for ; g.came[at].from >= 0; at = g.came[at].from {
				inputs = append(inputs, g.came[at].input)
			}
			slices.Reverse(inputs)
			return inputs, true
		}
		for input, next := range g.states[at] {
			if g.came[next].search != g.search {
				g.came[next] = hop{g.search, at, input}
				g.queue = append(g.queue, next)
			}
		}
	}
	return nil, false
}
