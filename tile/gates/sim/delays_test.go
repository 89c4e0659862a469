package sim

import (
	"container/heap"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// TestNoChipContradicts compares the ternary evaluation of random circuits with a simulation of chips that have random
// delays and power up in random states: every chip has the known ternary levels. The circuits have loops, latches,
// tristates, and clocks, sets and resets from logic.
//
// The delays are within the package's guarantee: a gate may have any delay, a flip-flop or latch is slower than any
// path of gates, and gates in the clock path have none. Inputs change at different times. BENCH_TRIALS sets the number.
func TestNoChipContradicts(t *testing.T) {
	trials := 3000
	if n, err := strconv.Atoi(os.Getenv("BENCH_TRIALS")); err == nil {
		trials = n
	}
	known, all := 0, 0
	for trial := range trials {
		rng := rand.New(rand.NewPCG(uint64(trial), 7))
		c, inputs := randomCircuit(rng)
		p, err := Compile(c, inputs, 1)
		if err != nil {
			t.Fatal(err)
		}
		k, n := contradict(t, p, c, inputs, rng, trial)
		known, all = known+k, all+n
		if t.Failed() {
			return
		}
	}
	if known < all/4 {
		t.Errorf("only %d of %d levels are known: the test compares too little", known, all)
	}
	t.Logf("%d of %d levels are known", known, all)
}

// contradict applies the same events to a machine, a chip and 64 chips in lanes.
func contradict(t *testing.T, p *Program, c *Circuit, inputs []Net, rng *rand.Rand, trial int) (known, all int) {
	m, s, l := NewMachine(p, nil), newDelayed(c, p, inputs, rng), NewMachine(p, &RandomChoices{Seed: uint64(trial)})
	cones := []*Cone{p.Cone(1, false), p.Cone(p.Inputs()&^1, false)}
	if !s.settle() {
		return 0, 0
	}
	levels := make([]bool, len(inputs))
	for event := range 24 {
		clock, before := event%3/2, append([]bool(nil), s.v...)
		for i := range inputs {
			if (i == 0) == (clock == 1) && (i == 0 || rng.IntN(3) == 0) {
				levels[i] = !levels[i]
				s.schedule(inputs[i], levels[i], rng.IntN(2)*rng.IntN(6*holdDelay))
				word := uint64(0)
				if levels[i] {
					word = ^word
				}
				m.Set(inputs[i], Level(word))
				l.Set(inputs[i], Level(word))
			}
		}
		m.Event(cones[1-clock])
		l.Event(cones[1-clock])
		for n := range c.Nets {
			if x, is := m.Level(Net(n)), l.Level(Net(n)); is.Hi&^x.Hi|is.Lo&^x.Lo != 0 {
				t.Errorf("trial %d, event %d: net %d is %x in lanes, and ternary says %+v\n%+v", trial, event, n, is.Hi,
					x, c.Cells)
				return known, all
			}
		}
		if !s.settle() {
			return known, all
		}
		for n := range c.Nets {
			x := m.Level(Net(n))
			if all++; x.KnownVectors() != 0 {
				known++
			}
			if is := s.v[n]; is && x.Hi == 0 || !is && x.Lo == 0 {
				t.Errorf("trial %d, event %d: net %d is %v in a chip, and ternary says %v\nbefore %v\nafter  %v\n%+v",
					trial, event, n, is, x.Hi&1, before, s.v, c.Cells)
				return known, all
			}
		}
	}
	return known, all
}

func randomCircuit(rng *rand.Rand) (*Circuit, []Net) {
	c := NewCircuit("random")
	var inputs, nets []Net
	for range 5 {
		inputs = append(inputs, c.Net(""))
	}
	outs := 6 + rng.IntN(14)
	nets = append(nets, inputs...)
	for range outs {
		nets = append(nets, c.Net(""))
	}
	kinds := []Kind{Not, And, Or, Xor, Nand, Nor, Mux, Flop, Flop, Flop, Latch, Tri}
	for i := range outs {
		out := len(inputs) + i
		any := func() Net { // mostly an earlier net, so that there are few loops
			if rng.IntN(12) == 0 {
				return nets[rng.IntN(len(nets))]
			}
			return nets[1+rng.IntN(out-1)]
		}
		k := kinds[rng.IntN(len(kinds))]
		in := []Net{any(), any(), any(), any()}[:k.Inputs()]
		if k == Flop && rng.IntN(3) > 0 {
			in[1] = inputs[0]
		}
		if k.HoldsBit() {
			in = in[:2+rng.IntN(3)]
		}
		c.Add(k, nets[out], in...)
		if k == Tri && rng.IntN(2) == 0 {
			c.Add(Tri, nets[out], any(), any())
		}
	}
	return c, inputs
}

// holdDelay is the delay of a flip-flop or latch.
const holdDelay = 10_000

// delayed is a simulation with a transport delay in each cell.
type delayed struct {
	c       *Circuit
	v       []bool
	drivers map[Net][]int // cells
	readers map[Net][]int
	delay   []int
	clock   []bool // the previous level of each flip-flop's clock
	now     int
	queue   events
	rng     *rand.Rand
	seq     int
}

type event struct {
	at, seq int
	net     Net
	to      bool
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].seq < e[j].seq
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

func newDelayed(c *Circuit, p *Program, inputs []Net, rng *rand.Rand) *delayed {
	s := &delayed{c: c, v: make([]bool, len(c.Nets)), drivers: map[Net][]int{},
		readers: map[Net][]int{},
		delay:   make([]int, len(c.Cells)), clock: make([]bool, len(c.Cells)), rng: rng}
	for n := 2 + len(inputs); n < len(s.v); n++ {
		s.v[n] = rng.IntN(2) == 0
	}
	s.v[One] = true
	for i := range c.Cells {
		cell := &c.Cells[i]
		s.drivers[cell.Out] = append(s.drivers[cell.Out], i)
		for _, n := range cell.In[:cell.Kind.Inputs()] {
			s.readers[n] = append(s.readers[n], i)
		}
		if s.delay[i] = 1 + rng.IntN(20); cell.Kind.HoldsBit() {
			s.delay[i] = holdDelay
		}
		s.clock[i] = s.v[cell.In[1]]
	}
	fromClock := map[Net]bool{inputs[0]: true}
	for range c.Cells {
		for i := range c.Cells {
			cell := &c.Cells[i]
			for _, n := range cell.In[:cell.Kind.Inputs()] {
				if fromClock[n] && !cell.Kind.HoldsBit() {
					fromClock[cell.Out], s.delay[i] = true, 0
				}
			}
		}
	}
	for i := range c.Cells {
		s.evaluate(i)
	}
	return s
}

func (s *delayed) schedule(n Net, to bool, delay int) {
	s.seq++
	heap.Push(&s.queue, event{s.now + delay, s.seq, n, to})
}

// settle runs until nothing changes, and reports whether it settled.
func (s *delayed) settle() bool {
	for n := 0; len(s.queue) > 0; n++ {
		if n > 3000 {
			return false
		}
		e := heap.Pop(&s.queue).(event)
		s.now = e.at
		if s.v[e.net] == e.to {
			continue
		}
		s.v[e.net] = e.to
		for _, i := range s.readers[e.net] {
			s.evaluate(i)
		}
	}
	return true
}

// evaluate schedules a cell's output.
func (s *delayed) evaluate(i int) {
	c := &s.c.Cells[i]
	in := func(k int) bool { return s.v[c.In[k]] }
	var to bool
	switch c.Kind {
	case Not:
		to = !in(0)
	case And:
		to = in(0) && in(1)
	case Or:
		to = in(0) || in(1)
	case Xor:
		to = in(0) != in(1)
	case Nand:
		to = !(in(0) && in(1))
	case Nor:
		to = !(in(0) || in(1))
	case Mux:
		if to = in(2); in(0) {
			to = in(1)
		}
	case Tri:
		s.shared(c.Out, s.delay[s.drivers[c.Out][0]])
		return
	case Flop, Latch:
		s.hold(i, c, in)
		return
	}
	s.schedule(c.Out, to, s.delay[i])
}

// hold evaluates a flip-flop or latch.
func (s *delayed) hold(i int, c *Cell, in func(int) bool) {
	rose := in(1) && !s.clock[i]
	s.clock[i] = in(1)
	switch {
	case in(3):
		s.schedule(c.Out, false, s.delay[i])
	case in(2):
		s.schedule(c.Out, true, s.delay[i])
	case c.Kind == Flop && rose, c.Kind == Latch && in(1):
		s.schedule(c.Out, in(0), s.delay[i])
	}
}

// shared sets a shared net, to an arbitrary level if nothing drives it or drivers disagree.
func (s *delayed) shared(n Net, delay int) {
	one, zero := false, false
	for _, i := range s.drivers[n] {
		if c := &s.c.Cells[i]; s.v[c.In[1]] {
			one, zero = one || s.v[c.In[0]], zero || !s.v[c.In[0]]
		}
	}
	to := one
	if one == zero {
		to = s.rng.IntN(2) == 0
	}
	s.schedule(n, to, delay)
}

// A possible pulse at a latch's enable may change the output of the latch, whatever it was, and so clock a flip-flop.
func TestPulseOpensLatch(t *testing.T) {
	c := NewCircuit("pulse")
	clk, a, b, d, e, q, f := c.Net(""), c.Net(""), c.Net(""), c.Net(""), c.Net(""), c.Net(""), c.Net("")
	c.Add(Nor, e, a, b)
	c.Add(Latch, q, d, e)
	c.Add(Flop, f, a, q, a)
	p, err := Compile(c, []Net{clk, a, b, d}, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := NewMachine(p, nil)
	for i, s := range []struct{ a, b, d, f Set }{
		{Level(^uint64(0)), Level(0), Level(0), Level(^uint64(0))},
		{Level(^uint64(0)), Level(0), Level(^uint64(0)), Level(^uint64(0))},
		{Level(0), Level(^uint64(0)), Level(^uint64(0)), X}, // the latch may open and clock f, which then takes a
		{Level(^uint64(0)), Level(0), Level(^uint64(0)), Level(^uint64(0))},
		{Level(0), Level(^uint64(0)), Level(^uint64(0)), X},
	} {
		m.Set(a, s.a)
		m.Set(b, s.b)
		m.Set(d, s.d)
		m.Event(p.Cone(p.Inputs()&^1, false))
		if is := m.Level(f); is != s.f {
			t.Errorf("event %d: the flip-flop is %+v, want %+v", i, is, s.f)
		}
	}
}
