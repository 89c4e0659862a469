package sim

// quiet finds, by its index, the state that rests between events: what its clock, enable, set and reset come from never
// changes by itself. It excludes loops, oscillators, and all that hangs on a net that may float.
//
// A path that is closed in both phases of clk is none, as in a clock gate, whose latch is shut while clk is high, and
// whose gate is shut while clk is low.
func (p *Program) quiet() []bool {
	var all []bool
	for _, clk := range []Set{Level(0), Level(^uint64(0))} {
		w := newWalk(p, clk)
		i := 0
		p.eachState(func(b bit) {
			is := w.rests(b.q)
			if i == len(all) {
				all = append(all, true)
			}
			all[i] = all[i] && is
			i++
		})
	}
	return all
}

// held finds, by its index, the state that takes its own level only, whatever all other levels are.
func (p *Program) held() []bool {
	all, state := []bool{}, []bit{}
	p.eachState(func(b bit) { state = append(state, b) })
	for at := 0; at < len(state); at += 32 {
		some := state[at:min(at+32, len(state))]
		m := &Machine{p: p, v: make([]Set, p.size)}
		for i := range m.v {
			m.v[i] = X
		}
		m.v[0], m.v[1] = Level(0), Level(^uint64(0))
		for j, b := range some { // 0 in one vector, 1 in the next
			m.v[b.q] = Set{^(1 << (2 * j)), ^(2 << (2 * j))}
		}
		m.evaluate(p.ops)
		for j, b := range some {
			d := m.v[b.d]
			all = append(all, d.Hi>>(2*j)&1 == 0 && d.Lo>>(2*j)&2 == 0)
		}
	}
	i := 0
	for _, g := range p.groups {
		for range g.bits {
			all[i] = all[i] && g.set == 0 && g.reset == 0
			i++
		}
	}
	return all
}

// A walk follows nets back to whatever may change them between events, with the inputs of their own events constant.
type walk struct {
	p      *Program
	v      []Set     // the levels that each net may have
	driver []*op     // of each net
	holds  []int32   // the state that shows on a net, from 1
	behind [][]int32 // the nets on which each bit of state hangs without an event
	mark   []byte
}

// Marks of nets.
const (
	walking = 1 + iota
	resting
	stirring
)

func newWalk(p *Program, clk Set) *walk {
	w := &walk{p: p, v: make([]Set, p.size), driver: make([]*op, p.size), holds: make([]int32, p.size),
		mark: make([]byte, p.size)}
	m := &Machine{p: p, v: w.v}
	for i := range m.v {
		m.v[i] = X
	}
	m.v[0], m.v[1] = Level(0), Level(^uint64(0))
	for i, n := range p.inputs {
		if p.alone>>i&1 != 0 {
			m.v[n] = clk
		}
		w.mark[n] = resting
	}
	m.evaluate(p.ops)
	for i := range p.ops {
		w.driver[p.ops[i].out] = &p.ops[i]
	}
	for _, g := range p.groups {
		for range g.bits {
			w.behind = append(w.behind, []int32{g.clock, g.set, g.reset})
		}
	}
	for _, l := range p.latches {
		nets := []int32{l.enable, l.set, l.reset}
		if w.v[l.enable].Hi != 0 {
			nets = append(nets, l.d)
		}
		w.behind = append(w.behind, nets)
	}
	for _, c := range p.cuts {
		w.behind = append(w.behind, []int32{c.d})
	}
	i := int32(0)
	p.eachState(func(b bit) {
		i++
		w.holds[b.q] = i
	})
	return w
}

// rests reports whether a net changes in events only.
func (w *walk) rests(n int32) bool {
	switch {
	case w.v[n].both() == 0:
		return true
	case w.mark[n] == 0:
		w.mark[n] = walking
		w.mark[n] = w.look(n)
	}
	return w.mark[n] == resting
}

func (w *walk) look(n int32) byte {
	is := byte(resting)
	see := func(n *int32) {
		if !w.rests(*n) {
			is = stirring
		}
	}
	switch o := w.driver[n]; {
	case w.holds[n] > 0:
		for _, n := range w.behind[w.holds[n]-1] {
			see(&n)
		}
	case o == nil || o.kind == opShared: // may float
		return stirring
	default:
		reads(o, w.p.shared, see)
	}
	return is
}
