package grade

import (
	"context"
	"slices"

	"utfbench/tile/gates/grade/sat"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// Limits of a proof that a fault shows from every state.
const (
	powerUpTries  = 4          // vectors that are tried for each fault
	powerUpWork   = 20_000_000 // for each vector
	powerUpShare  = 6          // of the budget for all, and half of that for each vector
	powerUpEffort = 300_000    // of each question
	powerUpGroup  = 4          // faults between two checks of the budget
)

// showPowerUps finds the unclear classes, such as a stuck clock, that a vector shows from every state: with the
// vector's steps, no state of the faulty chip matches all compared bits. It tries one vector of each class, then the
// next one. Without state there is nothing to find.
func (g *Grader) showPowerUps(ctx context.Context) error {
	var packs []*pack
	for i := range g.findings {
		if g.findings[i].Outcome == Unclear && g.unclear[i] != nil && !g.Known && !g.List.Design.Combinational() {
			packs = append(packs, g.pack([]int32{int32(i)})...)
			g.nextUnclear(packs[len(packs)-1], 0)
		}
	}
	if len(packs) == 0 {
		return nil
	}
	order, end := newOrder(g.List.Design), g.work+g.Budget/powerUpShare
	for range powerUpTries {
		// In groups, so that no machine's cores decide where the budget ends.
		for group := range slices.Chunk(packs, powerUpGroup) {
			if g.Budget > 0 && g.work > end {
				g.unsettle(group...)
				continue
			}
			if err := g.each(ctx, group, func(p *pack) { g.showPowerUp(order, p) }); err != nil {
				return err
			}
		}
		packs = slices.DeleteFunc(packs, func(p *pack) bool { return p.live == 0 || p.next == len(g.Vectors) })
	}
	return ctx.Err()
}

// nextUnclear sets the next vector, from some vector on, in which the fault of a pack is unclear.
func (g *Grader) nextUnclear(p *pack, from int) {
	unclear := g.unclear[p.classes[0]]
	for p.next = from; p.next < len(g.Vectors) && unclear[p.next/lanes]>>(p.next%lanes)&1 == 0; p.next++ {
	}
}

// showPowerUp tries the next vector of a pack.
func (g *Grader) showPowerUp(o *order, p *pack) {
	most, v := powerUpWork, p.next
	if g.Budget > 0 {
		most = min(most, g.Budget/powerUpShare/2)
	}
	g.nextUnclear(p, v+1)
	m := newMatch(o, g.List.defectOf(g.List.Classes[p.classes[0]].Faults[0]))
	if at := m.run(g.Vectors[v].Steps, g.right.looks[v], most); at >= 0 && g.confirms(p.classes[0], v, at) {
		g.found(p, 1, Finding{Outcome: Found, Vector: v, Step: at})
	} else if m.may == sat.True { // what is unknown is not the state, as with a line that nobody drives
		p.next = len(g.Vectors)
	}
	p.work += m.f.work()
}

// confirms reports whether all of 64 faulty chips, in random states, differ up to a step of a vector. A proof assumes
// clocks without glitches, which the clocks of a faulty chip may have.
func (g *Grader) confirms(class int32, v, at int) bool {
	d, err := g.List.Inject(g.List.Classes[class].Faults[:1])
	if err != nil {
		return false
	}
	rig := Rig{Faults: lanes, Groups: 1, chip: d.NewChip(&sim.RandomChoices{Seed: 1})}
	differ := uint64(0)
	for i := range at + 1 {
		rig.step(i, [][]transport.Step{g.Vectors[v].Steps})
		found, _ := rig.Differ(g.right.looks[v][i : i+1])
		differ |= found
	}
	return differ == ^uint64(0)
}

// A match decides whether a faulty chip in some state can match all compared bits of a vector. Its state is free, and
// every other level that depends on power-up is unknown, so that no chip is left out.
type match struct {
	f    *frames
	d    *defect
	may  sat.Lit // all bits so far
	next int     // the bits at which the next question is asked
	bits int     // compared so far
}

func newMatch(o *order, d *defect) *match {
	f := newFrames(o, nil)
	f.first = slices.Repeat([]rail{railX}, len(o.drivers))
	f.follows = true
	f.free = f.freeStates()
	return &match{f: f, d: d, may: sat.True, next: 1}
}

// run applies a vector, until its work exceeds a limit, and returns the first step after which no state matches, or -1
// if one may.
func (m *match) run(steps []transport.Step, looks []Look, most int) (at int) {
	for at = range steps {
		s := &steps[at]
		in := fixed(s)
		m.f.add(false, in, m.d)
		for range s.Clocks {
			m.f.add(true, in, m.d)
			m.f.add(false, in, m.d)
		}
		if !m.matches(looks[at]) {
			return at
		}
		if m.f.work() > most {
			break
		}
	}
	if m.bits == 0 || m.asks() {
		return -1
	}
	return at
}

// matches compares the outputs, and reports whether some state may match.
func (m *match) matches(k Look) bool {
	now := m.f.good[len(m.f.good)-1]
	for i := range 16 {
		if k.Mask>>i&1 == 0 {
			continue
		}
		r := now[m.f.o.output(i)]
		if k.Level>>i&1 == 0 {
			r = r.not()
		}
		m.may = m.f.And(m.may, r.hi)
		m.bits++
	}
	if m.may == sat.False {
		return false
	}
	if m.bits < m.next {
		return true
	}
	m.next = 2 * m.bits
	return m.asks()
}

// asks reports whether some state may match.
func (m *match) asks() bool { return m.f.Solve(powerUpEffort, m.may) != sat.Impossible }

// output returns the net of a line of uo (0 to 7) or uio.
func (o *order) output(i int) sim.Net {
	if i < 8 {
		return o.uo[i]
	}
	return o.uio[i-8]
}
