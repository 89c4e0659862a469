package sim

// quiet reports, for each bit of state, whether it rests between events: the sources of its clock, enable, set and
// reset change only in events. Loops, oscillators, and everything behind a net that may float, never rest.
//
// A path that is blocked in each phase of clk does not count: in a clock gate, the latch blocks it while clk is high,
// and the gate while clk is low.
func (p *Program) quiet() []bool {
	low, high := newWalk(p, Level(0)), newWalk(p, Level(^uint64(0)))
	var all []bool
	for _, b := range p.state() {
		all = append(all, low.rests(b.q) && high.rests(b.q))
	}
	return all
}

// held reports, for each bit of state, whether it keeps its current level whatever the other levels are.
func (p *Program) held() []bool {
	all, state := []bool{}, p.state()
	for at := 0; at < len(state); at += 32 {
		some := state[at:min(at+32, len(state))]
		m := p.open()
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

// A walk follows nets back to sources that may change them between events. Inputs with their own events do not.
type walk struct {
	p      *Program
	v      []Set      // possible levels of each net
	driver []*op      // of each net
	holds  []int32    // the bit of state that a net shows, counted from 1
	behind [][4]int32 // the nets that each bit of state depends on without an event
	mark   []byte
}

// Marks of nets.
const (
	walking = 1 + iota
	resting
	stirring
)

func newWalk(p *Program, clk Set) *walk {
	m := p.open()
	w := &walk{p: p, v: m.v, driver: make([]*op, p.size), holds: make([]int32, p.size), mark: make([]byte, p.size)}
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
			w.behind = append(w.behind, [4]int32{g.clock, g.set, g.reset})
		}
	}
	for _, l := range p.latches {
		nets := [4]int32{l.enable, l.set, l.reset}
		if w.v[l.enable].Hi != 0 {
			nets[3] = l.d
		}
		w.behind = append(w.behind, nets)
	}
	for _, c := range p.cuts {
		w.behind = append(w.behind, [4]int32{c.d})
	}
	for i, b := range p.state() {
		w.holds[b.q] = int32(i) + 1
	}
	return w
}

// rests reports whether a net changes only in events.
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
