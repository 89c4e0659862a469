package stuckat

import (
	"math/bits"
	"slices"

	"utfbench/netlist"
)

// A Place is a vector's number and a step, from 0, or Nowhere.
type Place struct{ Vector, Step int32 }

// Nowhere is where a fault was found that was not.
var Nowhere = Place{none, none}

// A goal is a fault that is to be found from a power-up in a suite.
type goal struct {
	p       powerUp
	vectors []int   // of the window, of the suite
	frames  *frames // of these vectors, from this power-up
	next    int     // which of the vectors was not looked at yet
	found   *Place
	twins   *frames // of the same vectors, from the first power-up
	twin    *Place  // of the other power-up, if it is the same; else nil
}

func (g *goal) done() bool { return *g.found != Nowhere }

// A candidate is a vector in which a fault acts, and where it does first.
type candidate struct {
	goal       *goal
	vector, at int
}

// A simulator puts one fault after the other into the chip.
type simulator struct {
	w          *window
	m          *machine
	events     *events
	candidates []candidate

	packed [lanes]uint64
	runs   [lanes]run
}

// A run is a candidate in a lane.
type run struct {
	candidate
	walker
}

func newSimulator(n *netlist.Netlist) *simulator {
	return &simulator{m: newMachine(n), events: newEvents(n)}
}

// atFirst is how many vectors of each goal are simulated at first. A vector in which a fault acts mostly shows it.
const atFirst = 2

// samples is the number of vectors of each goal that are searched for a place where the fault acts, before all frames
// of the goal are checked.
const samples = 16

// find looks for a fault in a window: first where it is seen at once, then by simulation from where it acts first.
// If both power-ups are one for the fault, the first of them says it for the second. apart is window.apart.
func (s *simulator) find(w *window, f *Fault, goals []*goal, apart *frames) {
	s.w = w
	s.events.of(w, f)
	if !f.Slow && !s.events.releases() && !s.events.actsIn(apart) {
		goals = share(goals)
		defer func() {
			for _, g := range goals {
				if g.twin != nil && *g.twin == Nowhere {
					*g.twin = *g.found
				}
			}
		}()
	}
	s.m.put(f)
	defer s.m.remove(f)
	for most := atFirst; ; most = min(4*most, max(1, lanes/len(goals))) {
		s.candidates = s.candidates[:0]
		for _, g := range goals {
			s.collect(g, min(len(s.candidates)+most, lanes))
		}
		if len(s.candidates) == 0 {
			return
		}
		s.simulate()
	}
}

// collect adds vectors in which a fault acts, up to most. One in which it is seen at once suffices.
func (s *simulator) collect(g *goal, most int) {
	before := len(s.candidates)
	for ; g.next < len(g.vectors) && !g.done() && len(s.candidates) < most; g.next++ {
		if g.next == samples && !s.events.actsIn(g.frames) {
			g.next = len(g.vectors)
			return
		}
		vector := g.vectors[g.next]
		at, seen := s.events.next(s.w.traces[g.p][vector], 0)
		switch {
		case seen:
			s.foundAt(g, vector, s.w.stepOf(vector, at))
			s.candidates = s.candidates[:before]
		case at != none:
			s.candidates = append(s.candidates, candidate{g, vector, at})
		}
	}
}

// share leaves of two goals for one suite the first.
func share(goals []*goal) (alone []*goal) {
	for _, g := range goals {
		if last := len(alone) - 1; last >= 0 && g.p == 1 && alone[last].p == 0 && alone[last].frames == g.twins {
			alone[last].twin = g.found
			continue
		}
		alone = append(alone, g)
	}
	return alone
}

func (s *simulator) foundAt(g *goal, vector, step int) {
	if !g.done() {
		*g.found = Place{int32(s.w.from + vector), int32(step)}
	}
}

// stepOf returns the step of an entry in a vector's trace.
func (w *window) stepOf(vector, at int) int {
	i, exact := slices.BinarySearch(w.begins[vector], int32(at))
	if !exact {
		i--
	}
	return i
}

// patience is after how many steps it is looked whether a chip has come back to the right state.
const patience = 32

// simulate does candidates side by side, until each goal is found or its candidates are at their end.
func (s *simulator) simulate() {
	var live word
	for lane, c := range s.candidates {
		s.runs[lane].candidate = c
		s.enter(lane, c.at)
		live.set(lane)
	}
	for tick := 1; live.any(); tick++ {
		looks := s.tick(&live)
		wrong, contend := s.m.differ(), s.m.contend()
		for k := range live {
			s.events.contends = s.events.contends || contend[k]&looks[k]&live[k] != 0
			for x := wrong[k] & looks[k] & live[k]; x != 0; x &= x - 1 {
				r := &s.runs[64*k+bits.TrailingZeros64(x)]
				s.foundAt(r.goal, r.vector, r.step)
			}
		}
		s.advance(&live)
		if tick%patience == 0 && live.any() {
			s.converge(&live)
		}
	}
}

// enter puts a lane at an entry of its vector, in the state of the chip without the fault.
func (s *simulator) enter(lane, at int) {
	r := &s.runs[lane]
	e := s.w.traces[r.goal.p][r.vector][at]
	s.m.start(lane, s.w.state(e.role(), e.id()))
	if s.events.fault.Slow {
		level, known := s.events.shownBefore(s.w.traces[r.goal.p][r.vector], at)
		if !known {
			level = !s.events.fault.Level
		}
		s.m.v[s.m.n.Nodes+before].put(lane, bitOf(level))
	}
	v := &s.w.vectors[r.vector]
	r.step = s.w.stepOf(r.vector, at)
	r.begin(v, r.goal.p)
	r.clocks = int(s.w.begins[r.vector][r.step+1]) - 1 - at
}

// tick clocks the lanes that have a clock left, and returns those at the end of a step.
func (s *simulator) tick(live *word) (looks word) {
	var clocks word
	for k, x := range live {
		for ; x != 0; x &= x - 1 {
			lane := 64*k + bits.TrailingZeros64(x)
			s.packed[lane] = s.runs[lane].packed
			if s.runs[lane].clocks > 0 {
				clocks.set(lane)
			}
			if s.runs[lane].clocks <= 1 {
				looks.set(lane)
			}
		}
	}
	s.m.load(&s.packed)
	if clocks.any() {
		s.m.clock(&clocks)
	}
	s.m.look(&looks)
	return looks
}

// advance moves to the next clock or step, and ends finished lanes.
func (s *simulator) advance(live *word) {
	for k, x := range live {
		for ; x != 0; x &= x - 1 {
			lane := 64*k + bits.TrailingZeros64(x)
			r := &s.runs[lane]
			switch {
			case r.goal.done():
				live.clear(lane)
			case r.clocks > 1:
				r.clocks--
			default:
				r.step++
				if r.begin(&s.w.vectors[r.vector], r.goal.p) {
					live.clear(lane)
				}
			}
		}
	}
}

// converge moves lanes that are right again to the next place where the fault acts.
func (s *simulator) converge(live *word) {
	states := s.m.states()
	for k, x := range live {
		for ; x != 0; x &= x - 1 {
			lane := 64*k + bits.TrailingZeros64(x)
			r := &s.runs[lane]
			at := int(s.w.begins[r.vector][r.step+1]) - 1 - r.clocks
			t := s.w.traces[r.goal.p][r.vector]
			if !s.isRight(states, lane, t[at]) || !s.isPrompt(lane, t, at) {
				continue
			}
			at, seen := s.events.next(t, at)
			switch {
			case seen:
				s.foundAt(r.goal, r.vector, s.w.stepOf(r.vector, at))
				live.clear(lane)
			case at == none:
				live.clear(lane)
			default:
				s.enter(lane, at)
			}
		}
	}
}

func (s *simulator) isRight(states [][lanes]uint64, lane int, e entry) bool {
	for i, want := range s.w.state(e.role(), e.id()) {
		if states[i][lane] != want {
			return false
		}
	}
	return true
}

// isPrompt reports whether a slow pin, if any, showed the right level at the previous clock.
func (s *simulator) isPrompt(lane int, t trace, at int) bool {
	if !s.events.fault.Slow {
		return true
	}
	level, known := s.events.shownBefore(t, at)
	return known && s.m.v[s.m.n.Nodes+before].has(lane) == level
}

func bitOf(level bool) uint64 {
	if level {
		return 1
	}
	return 0
}
