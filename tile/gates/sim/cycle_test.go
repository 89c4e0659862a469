package sim

import (
	"fmt"
	"slices"
	"testing"
)

// rings returns loops of inverters that oscillate while an input is 1. They have different lengths and contain open
// latches, so that a loop advances by one latch per round.
func rings(t *testing.T, lengths ...int) (c *Circuit, p *Program, run Net, ends []Net) {
	t.Helper()
	c = NewCircuit("rings")
	run = c.AddPort("run", Input, 1)[0]
	shows := c.AddPort("shows", Output, len(lengths))
	for i, n := range lengths {
		c.Begin(fmt.Sprint("ring", i), "ring", 0)
		first := c.Net(fmt.Sprint("ring", i))
		at := first
		for k := range n {
			q := c.Net(fmt.Sprint("ring", i, "_", k))
			c.Add(Latch, q, at, One, Zero, Zero)
			at = q
		}
		c.Add(Nand, first, run, at)
		c.Add(Buf, shows[i], first)
		ends = append(ends, first)
	}
	p, err := Compile(c, []Net{run}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return c, p, run, ends
}

// An event with oscillating loops ends as soon as all have repeated themselves. Loops that have stopped are known.
func TestOscillators(t *testing.T) {
	_, p, run, ends := rings(t, 1, 2, 3)
	behind := p.Cone(1, false)
	for seed := range uint64(10) {
		m := NewMachine(p, &RandomChoices{Seed: seed, SameLanes: true})
		for range 5 {
			m.Set(run, Level(^uint64(0)))
			m.Event(behind)
			if m.round > nextLimit {
				t.Errorf("seed %d: it took %d rounds to give up", seed, m.round)
			}
			if slices.Contains(m.stuck, 0) {
				t.Errorf("seed %d: not all six latches oscillate: %x", seed, m.stuck)
			}
			m.Set(run, Level(0))
			m.Event(behind)
			for _, n := range ends {
				if m.Level(n) != Level(^uint64(0)) {
					t.Errorf("seed %d: %s is %+v after it stopped", seed, p.circuit.Nets[n], m.Level(n))
				}
			}
		}
	}
}

// An oscillating loop is swept again only if a net that it reads has changed.
func TestOscillatorGoesOn(t *testing.T) {
	c := NewCircuit("ring")
	run, other := c.AddPort("run", Input, 1)[0], c.AddPort("other", Input, 1)[0]
	ring := c.Net("ring")
	c.Add(Nand, ring, run, ring)
	c.Add(And, c.AddPort("shows", Output, 1)[0], ring, other)
	p, err := Compile(c, []Net{run, other}, 0)
	if err != nil {
		t.Fatal(err)
	}
	m := NewMachine(p, &RandomChoices{Seed: 1})
	for i, e := range []struct {
		in           Net
		to           uint64
		swept, rings bool
	}{{run, 1, true, true}, {other, 1, false, true}, {run, 0, true, false}, {run, 1, true, true}} {
		m.Set(e.in, Level(-e.to))
		m.Event(p.Cone(p.Inputs(), false))
		if swept, rings := m.swept > 0, m.picked[0] == ^uint64(0); swept != e.swept || rings != e.rings {
			t.Errorf("event %d: swept %t, oscillates %t", i, swept, rings)
		}
	}
}

// A flip-flop clocked by an oscillator may take its data as soon as its reset ends, although nothing else changes.
func TestOscillatorAsAClock(t *testing.T) {
	c := NewCircuit("clocked")
	hold, q := c.AddPort("hold", Input, 1)[0], c.AddPort("q", Output, 1)[0]
	c.Begin("ring", "ring", 0)
	ring := c.Net("ring")
	c.Add(Not, ring, ring)
	c.Begin("flop", "flop", 0)
	c.Add(Flop, q, One, ring, Zero, hold)
	p, err := Compile(c, []Net{hold}, 0)
	if err != nil {
		t.Fatal(err)
	}
	m, behind := NewMachine(p, nil), p.Cone(1, false)
	for level, want := range []Set{X, Level(0), X} {
		m.Set(hold, Level(-uint64(level&1)))
		m.Event(behind)
		if got := m.Level(q); got != want {
			t.Errorf("after %d events q is %+v, want %+v", level, got, want)
		}
	}
}

// An event that takes many rounds but is not periodic, such as an event of a long ripple counter, is completed.
func TestSlowIsNoOscillator(t *testing.T) {
	c := NewCircuit("chain")
	in := c.AddPort("in", Input, 1)[0]
	out := c.AddPort("out", Output, 1)[0]
	p := chain(t, c, in, out, 50)
	m := NewMachine(p, &RandomChoices{Seed: 1, SameLanes: true})
	for _, level := range []uint64{^uint64(0), 0, ^uint64(0)} {
		m.Set(in, Level(level))
		m.Event(p.Cone(1, false))
		if m.Level(out) != Level(level) || m.gaveUp != 0 {
			t.Errorf("%+v after %d rounds, want %x; given up: %x", m.Level(out), m.round, level, m.gaveUp)
		}
	}
}

func chain(t *testing.T, c *Circuit, in, out Net, n int) *Program {
	t.Helper()
	at := in
	for i := range n {
		q := c.Net(fmt.Sprint("q", i))
		c.Add(Latch, q, at, One, Zero, Zero)
		at = q
	}
	c.Add(Buf, out, at)
	p, err := Compile(c, []Net{in}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// An event that takes far more rounds than any tile needs ends with unknown levels.
func TestEventsEnd(t *testing.T) {
	c := NewCircuit("long")
	in := c.AddPort("in", Input, 1)[0]
	out := c.AddPort("out", Output, 1)[0]
	p := chain(t, c, in, out, 2000)
	for _, chance := range []*RandomChoices{nil, {Seed: 1}} {
		m := NewMachine(p, chance)
		m.Set(in, Level(^uint64(0)))
		m.Event(p.Cone(1, false))
		if m.round > 1000 || m.gaveUp == 0 {
			t.Errorf("%d rounds, given up: %x", m.round, m.gaveUp)
		}
		if chance == nil && m.Level(out) != X {
			t.Errorf("%+v at the end of a chain that did not settle", m.Level(out))
		}
	}
}
