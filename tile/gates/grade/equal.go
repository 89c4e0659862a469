package grade

import (
	"context"
	"slices"

	"utfbench/tile/gates/sim"
)

// Equivalent reports whether a fault or mutation provably has no effect: from any state, with any inputs, all outputs
// and all data of state are unchanged. False proves nothing.
func (l *List) Equivalent(f Fault) bool {
	j := l.mutated(f)
	return newMiter(l.Design.Circuit, j.c).never()
}

// provable is the work, in faults times operations, that proofs of untestability may take within a run: less than a
// second.
const provable = 200_000

// Small reports whether the untestable faults can be proved within a run.
func (l *List) Small() bool { return len(l.Classes)*l.Design.Program().Ops() <= provable }

// prove proves which of some open classes have no effect, each once, and makes them untestable. The error is ctx's.
func (g *Grader) prove(ctx context.Context, classes []int32) error {
	if !g.Prove {
		return nil
	}
	for _, class := range classes {
		if g.tried[class] || !g.findings[class].Outcome.open() {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c := &g.List.Classes[class]
		g.tried[class] = true
		if g.List.Equivalent(c.Faults[0]) {
			g.findings[class].Outcome = Untestable
			c.Untestable = "it changes no output and no next state, whatever the state is"
		}
	}
	return nil
}

// provePacks proves open faults in machines, so that they need no simulation.
func (g *Grader) provePacks(ctx context.Context, packs []*pack) error {
	err := g.prove(ctx, alive(packs))
	for _, p := range packs {
		for i, class := range p.classes {
			if !g.testable(class) {
				p.live &^= 1 << i
			}
		}
	}
	return err
}

// mutated returns the circuit with a fault in all vectors.
func (l *List) mutated(f Fault) *injection {
	j := l.injection()
	if f.flips {
		j.flip(f, sim.One)
		return j
	}
	j.replace(f, func(_ sim.Net, inverted bool) sim.Net {
		if f.Level != inverted {
			return sim.One
		}
		return sim.Zero
	})
	return j
}

// A side is one of two circuits in a formula.
type side struct {
	c      *sim.Circuit
	driver []int32 // by net: index into Cells, plus 1; 0 if a variable of its own stands for it
	many   []bool  // by net: several cells drive it
	vars   []int   // by net; 0 if there is none yet
	on     []bool  // nets whose cells are being added to the formula
}

// newSide finds the drivers of nets. A net driven by state, a tristate cell, several cells or nothing may have any
// level.
func newSide(c *sim.Circuit) *side {
	n := len(c.Nets)
	s := &side{c: c, driver: make([]int32, n), many: make([]bool, n), vars: make([]int, n), on: make([]bool, n)}
	for i := range c.Cells {
		out := c.Cells[i].Out
		s.many[out] = s.many[out] || s.driver[out] != 0
		s.driver[out] = int32(i) + 1
	}
	for out, at := range s.driver {
		if at > 0 && (s.many[out] || free(c.Cells[at-1].Kind)) {
			s.driver[out] = 0
		}
	}
	return s
}

// free reports whether the output of a primitive may have any level.
func free(k sim.Kind) bool {
	return k.Holds() || k == sim.Tri || k == sim.Unknown
}

// A miter searches for levels at which two circuits differ. Both have the same cells, and equal numbers are compared.
type miter struct {
	f            formula
	right, wrong *side
	cells        int
	differs      []bool // by net of wrong: whether it may have another level than in right
	looped       bool
	any          []int // variables, one of which is true if the circuits differ
}

func newMiter(right, wrong *sim.Circuit) *miter {
	m := &miter{right: newSide(right), wrong: newSide(wrong), cells: len(right.Cells)}
	m.spread()
	return m
}

// never reports whether no such levels exist.
func (m *miter) never() bool {
	for i := range m.cells {
		a, b := &m.right.c.Cells[i], &m.wrong.c.Cells[i]
		switch {
		case a.Out == b.Out:
		case m.right.many[a.Out], m.wrong.many[a.Out]:
			return false
		case free(a.Kind): // the same state, but with a change behind it
			m.wrong.vars[b.Out] = m.level(m.right, a.Out)
		}
	}
	for _, n := range m.right.c.Port("uo_out") {
		m.compare(n, n)
	}
	enable := m.right.c.Port("uio_oe")
	for i, n := range m.right.c.Port("uio_out") {
		m.compare(enable[i], enable[i])
		m.compareDriven([2]sim.Net{n, enable[i]}, [2]sim.Net{n, enable[i]})
	}
	for i := range m.cells {
		a, b := &m.right.c.Cells[i], &m.wrong.c.Cells[i]
		switch {
		case a.Kind == sim.Tri:
			m.compare(a.In[1], b.In[1])
			m.compareDriven([2]sim.Net(a.In[:2]), [2]sim.Net(b.In[:2]))
		case free(a.Kind) || m.right.driver[a.Out] == 0:
			for k := range a.Kind.Inputs() {
				m.compare(a.In[k], b.In[k])
			}
		}
	}
	if m.looped || len(m.any) == 0 {
		return !m.looped
	}
	m.f.add(m.any...)
	return m.f.impossible(mostConflicts)
}

// compare compares a net with the one in its place in the wrong circuit.
func (m *miter) compare(a, b sim.Net) {
	if a == sim.Open || b == sim.Open || a == b && !m.differs[b] {
		return
	}
	m.compareLevels(m.level(m.right, a), m.level(m.wrong, b))
}

func (m *miter) compareLevels(a, b int) {
	if a != b {
		m.any = append(m.any, m.f.differ(a, b))
	}
}

// compareDriven compares the levels that a tristate driver, or the chip on a line of uio, drives. A level, the first
// net, counts only while its enable, the second, is high.
func (m *miter) compareDriven(a, b [2]sim.Net) {
	if slices.Contains(append(a[:], b[:]...), sim.Open) || a == b && !m.differs[b[0]] && !m.differs[b[1]] {
		return
	}
	driven := func(s *side, n [2]sim.Net) int { return m.and(m.level(s, n[1]), m.level(s, n[0])) }
	m.compareLevels(driven(m.right, a), driven(m.wrong, b))
}

// spread finds the nets that may differ: outputs of changed cells, and whatever follows them without state in between.
func (m *miter) spread() {
	w := m.wrong
	m.differs = make([]bool, len(w.c.Nets))
	readers := make([]int32, len(w.c.Nets)) // by net: the first place that reads it, plus 1
	next := make([]int32, len(w.c.Cells)*len(sim.Cell{}.In))
	var found []sim.Net
	add := func(cell int) {
		if n := w.c.Cells[cell].Out; w.driver[n] != 0 && !m.differs[n] {
			m.differs[n] = true
			found = append(found, n)
		}
	}
	for i := range w.c.Cells {
		cell := &w.c.Cells[i]
		for k := range cell.Kind.Inputs() {
			if n := cell.In[k]; n >= 0 {
				at := int32(i*len(cell.In) + k)
				next[at], readers[n] = readers[n], at+1
			}
		}
		if i >= m.cells || *cell != m.right.c.Cells[i] {
			add(i)
		}
	}
	for len(found) > 0 {
		n := found[len(found)-1]
		found = found[:len(found)-1]
		for at := readers[n]; at != 0; at = next[at-1] {
			add(int(at-1) / len(sim.Cell{}.In))
		}
	}
}

// level returns the variable of a net. Unchanged nets of the wrong circuit share the good one's.
func (m *miter) level(s *side, n sim.Net) int {
	if s == m.wrong && int(n) < len(m.right.vars) && !m.differs[n] && m.wrong.vars[n] == 0 {
		s = m.right
	}
	if s.vars[n] != 0 {
		return s.vars[n]
	}
	if s.driver[n] == 0 {
		s.vars[n] = m.f.variable()
		if n <= sim.One {
			m.f.add(map[bool]int{true: 1, false: -1}[n == sim.One] * s.vars[n])
		}
		return s.vars[n]
	}
	if s.on[n] { // a loop: any level in the good circuit, and in both if the fault does not affect it
		m.looped = m.looped || s == m.wrong
		return m.f.variable()
	}
	s.on[n] = true
	cell := &s.c.Cells[s.driver[n]-1]
	var in [3]int
	same := s == m.wrong && int(s.driver[n]) <= m.cells && *cell == m.right.c.Cells[s.driver[n]-1]
	for k := range cell.Kind.Inputs() {
		if cell.In[k] == sim.Open {
			in[k] = m.f.variable()
			same = false
			continue
		}
		in[k] = m.level(s, cell.In[k])
		same = same && in[k] == m.level(m.right, cell.In[k])
	}
	s.on[n] = false
	if s.vars[n] = m.gate(cell.Kind, in); same {
		s.vars[n] = m.level(m.right, n)
	}
	return s.vars[n]
}

func (m *miter) and(a, b int) int {
	v := m.f.variable()
	m.f.and(a, b, v)
	return v
}

// gate returns the variable of a primitive's output.
func (m *miter) gate(k sim.Kind, in [3]int) int {
	a, b := in[0], in[1]
	switch k {
	case sim.Buf:
		return a
	case sim.Not:
		return -a
	case sim.And:
		return m.and(a, b)
	case sim.Nand:
		return -m.and(a, b)
	case sim.Or:
		return -m.and(-a, -b)
	case sim.Nor:
		return m.and(-a, -b)
	case sim.Xor:
		return m.f.differ(a, b)
	case sim.Xnor:
		return -m.f.differ(a, b)
	}
	return -m.and(-m.and(a, b), -m.and(-a, in[2])) // Mux
}
