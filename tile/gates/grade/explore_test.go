package grade

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
	"utfbench/tile/project"
	"utfbench/transport"
)

// timer returns a tile that random steps hardly test: a 12-bit counter runs while ui is A5, and uo[0] is 1 from count
// 3000 on. It resets at the level of rst_n that its description says, or at the other one.
func timer(t *testing.T, other bool) *gates.Tile {
	return built(t, func(c *sim.Circuit, clk, rst sim.Net, in, out []sim.Net) {
		if other {
			rst = c.Not(rst)
		}
		all := func(nets []sim.Net, value int) sim.Net {
			is := sim.One
			for i, n := range nets {
				if value>>i&1 == 0 {
					n = c.Not(n)
				}
				is = gate(c, sim.And, is, n)
			}
			return is
		}
		run := all(in, 0xA5)
		count := make([]sim.Net, 12)
		for i := range count {
			count[i] = c.Net(fmt.Sprintf("count[%d]", i))
		}
		carry := run
		for _, q := range count {
			sum := gate(c, sim.Xor, q, carry)
			carry = gate(c, sim.And, q, carry)
			held := c.Net("") // as in a netlist's flip-flops
			flop(c, held, gate(c, sim.And, sum, rst), clk)
			c.Add(sim.Buf, q, held)
		}
		done := out[0]
		flop(c, done, gate(c, sim.And, gate(c, sim.Or, done, all(count, 3000)), rst), clk)
		for _, n := range out[1:] {
			c.Add(sim.Buf, n, sim.Zero)
		}
	})
}

// built returns a tile whose outputs of uo a function drives.
func built(t *testing.T, drive func(c *sim.Circuit, clk, rst sim.Net, in, out []sim.Net)) *gates.Tile {
	t.Helper()
	c := sim.NewCircuit("built")
	clk, rst := c.AddPort("clk", sim.Input, 1)[0], c.AddPort("rst_n", sim.Input, 1)[0]
	c.AddPort("ena", sim.Input, 1)
	in := c.AddPort("ui_in", sim.Input, 8)
	c.AddPort("uio_in", sim.Input, 8)
	out := c.AddPort("uo_out", sim.Output, 8)
	for _, name := range []string{"uio_out", "uio_oe"} {
		for _, n := range c.AddPort(name, sim.Output, 8) {
			c.Add(sim.Buf, n, sim.Zero)
		}
	}
	drive(c, clk, rst, in, out)
	d := testkit.Must(gates.Compile(c))(t)
	return gates.New(&project.Project{Top: "built", Reset: project.Reset{Clocks: 1}}, d, "0123456789abcdef")
}

// gate adds a cell with pins, so that it has faults.
func gate(c *sim.Circuit, k sim.Kind, a, b sim.Net) sim.Net {
	c.Begin("", "", 0)
	c.AddPin("A", a, false)
	c.AddPin("B", b, false)
	out := c.Gate(k, a, b)
	c.AddPin("Y", out, true)
	return out
}

func flop(c *sim.Circuit, q, d, clk sim.Net) {
	c.Begin("", "", 0)
	c.AddPin("D", d, false)
	c.AddPin("Q", q, true)
	c.Add(sim.Flop, q, d, clk)
}

// A search reaches a fault behind a value that the tile compares with and thousands of clocks. It is reproducible, and
// its compact form shows as much with fewer steps.
func TestFind(t *testing.T) {
	x := timer(t, false)
	find := func() *Explored {
		return testkit.Must((&Explorer{Tile: x, Seed: 1, Budget: 500 * time.Millisecond}).Find(context.Background()))(t)
	}
	f := find()
	got, err := f.Grade(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	found, steps := got.Count(Found), length(f.Vectors)
	testable := len(got.Classes) - got.Count(Untestable)
	t.Logf("%d of %d faults, %d vectors, %d steps, work %.2g", found, testable, len(f.Vectors), steps, float64(f.Work))
	if found*100 < testable*75 {
		t.Errorf("%d of %d faults are found", found, testable)
	}
	if again := find(); !reflect.DeepEqual(again.Vectors, f.Vectors) {
		t.Error("the same seed finds other vectors")
	}
	if keep := testkit.Must(got.Compact(context.Background(), f.Vectors, 0, 1))(t); len(keep) < len(f.Vectors) {
		t.Errorf("compact without work: %d of %d vectors", len(keep), len(f.Vectors))
	}
	if err := f.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got, err = f.Grade(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := got.Count(Found); n != found || length(f.Vectors) > steps {
		t.Errorf("compact: %d faults in %d steps, want %d in %d at most", n, length(f.Vectors), found, steps)
	}
}

// Vectors that are not graded reach what an output shows after a quarter of a million clocks, such as a later part of
// a picture.
func TestStretch(t *testing.T) {
	x := built(t, func(c *sim.Circuit, clk, rst sim.Net, in, out []sim.Net) {
		count := make([]sim.Net, 19)
		carry := sim.Net(sim.One)
		for i := range count {
			count[i] = c.Net(fmt.Sprintf("count[%d]", i))
			sum := gate(c, sim.Xor, count[i], carry)
			carry = gate(c, sim.And, count[i], carry)
			flop(c, count[i], gate(c, sim.And, sum, rst), clk)
		}
		c.Add(sim.Buf, out[0], count[3])
		c.Add(sim.And, out[1], count[18], count[2])
		for _, n := range out[2:] {
			c.Add(sim.Buf, n, sim.Zero)
		}
	})
	e := Explorer{Tile: x, Seed: 1, Budget: 8 * time.Second}
	e.begin()
	e.fill(t.Context())
	if !slices.ContainsFunc(e.more, func(v Vector) bool {
		return slices.ContainsFunc(v.Want, func(s transport.Sample) bool { return s.Out&^s.OutX&2 != 0 })
	}) {
		t.Errorf("none of %d vectors of %v", len(e.more), e.spent)
	}
}

// Outputs that only a reset changes are no reason for a long vector.
func TestStill(t *testing.T) {
	x := built(t, func(c *sim.Circuit, clk, rst sim.Net, _, out []sim.Net) {
		flop(c, out[0], rst, clk)
		for _, n := range out[1:] {
			c.Add(sim.Buf, n, sim.Zero)
		}
	})
	e := Explorer{Tile: x, Seed: 1, Budget: time.Second}
	e.begin()
	e.inverted = 0
	if e.stretch(t.Context(), e.Budget, e.Budget, e.workBudget()); len(e.more) > 0 {
		t.Errorf("a vector of %d steps", len(e.more[0].Steps))
	}
}

// Vectors that are not graded reach what thousands of changing levels lead to.
func TestWalk(t *testing.T) {
	x := built(t, func(c *sim.Circuit, clk, rst sim.Net, in, out []sim.Net) {
		before := c.Net("before")
		flop(c, before, in[0], clk)
		carry := gate(c, sim.Xor, in[0], before)
		for i := range 12 {
			q := c.Net(fmt.Sprintf("count[%d]", i))
			sum := gate(c, sim.Xor, q, carry)
			carry = gate(c, sim.And, q, carry)
			flop(c, q, gate(c, sim.And, sum, rst), clk)
			if i == 11 {
				c.Add(sim.Buf, out[0], q)
			}
		}
		for _, n := range out[1:] {
			c.Add(sim.Buf, n, sim.Zero)
		}
	})
	e := Explorer{Tile: x, Seed: 1, Budget: 8 * time.Second}
	e.begin()
	e.inverted = 0
	e.fill(t.Context())
	if !slices.ContainsFunc(e.more, func(v Vector) bool {
		return slices.ContainsFunc(v.Want, func(s transport.Sample) bool { return s.Out&^s.OutX&1 != 0 })
	}) || e.spent > e.Budget {
		t.Errorf("none of %d vectors of %v", len(e.more), e.spent)
	}
}

// A lane is reset if an output becomes unknown, and not if it always was.
func TestLost(t *testing.T) {
	e := Explorer{Tile: timer(t, false), Seed: 1}
	e.begin()
	e.inverted = 0
	for first, lost := range []bool{true, false} {
		l := e.lane()
		l.todo, l.wild, l.want = nil, true, []transport.Sample{{OutX: 1}, {OutX: uint8(first)}, {OutX: 1}}
		for range 10 * revival {
			e.move(&l, quick)
		}
		resets := slices.ContainsFunc(l.todo, func(s transport.Step) bool { return s.Reset })
		if resets != lost {
			t.Errorf("unknown %d after the reset: it is reset %v, want %v", first, resets, lost)
		}
	}
}

// No step is simulated once the context is cancelled: an episode of a large design takes many seconds.
func TestCancelledSearch(t *testing.T) {
	x := built(t, func(c *sim.Circuit, clk, _ sim.Net, in, out []sim.Net) {
		flop(c, out[0], gate(c, sim.Xor, out[0], in[0]), clk)
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := Explorer{Tile: x, Seed: 1, Budget: time.Second}
	e.begin()
	e.periods(ctx)
	e.phase(ctx, slow)
	e.stretch(ctx, e.Budget, e.Budget, e.workBudget())
	e.fill(ctx)
	if e.work != 0 || len(e.more) > 0 {
		t.Errorf("work %d, %d vectors", e.work, len(e.more))
	}
}

// The search of a small design ends when its vectors fill the board time: the work would last for many times as many.
func TestFullBoardTime(t *testing.T) {
	x := built(t, func(c *sim.Circuit, clk, _ sim.Net, in, out []sim.Net) {
		flop(c, out[0], gate(c, sim.Xor, out[0], in[0]), clk)
	})
	e := Explorer{Tile: x, Seed: 1, Budget: time.Second / 4}
	f := testkit.Must(e.Find(context.Background()))(t)
	if e.spent < e.Budget*9/10 || f.Work > workPerSecond/4/fillShare {
		t.Errorf("%v of %v are spent, with work %.2g", e.spent, e.Budget, float64(f.Work))
	}
}

// A tile that the other level of rst_n resets runs at the level that its description calls the reset.
func TestOtherReset(t *testing.T) {
	for other, want := range map[bool]float64{false: 0.05, true: mostInverted} {
		e := Explorer{Tile: timer(t, other)}
		e.begin()
		l := e.lane()
		if again := len(l.todo) > 1 && !l.todo[1].Reset; again != other || e.inverted != want {
			t.Errorf("other reset %v: begins with %+v, and %v of the moves are inverted", other, l.todo, e.inverted)
		}
	}
}

func length(vectors []Vector) (n int) {
	for i := range vectors {
		n += len(vectors[i].Steps)
	}
	return n
}

// Comparators of inputs give values, and those of registers numbers of clocks.
func TestMine(t *testing.T) {
	m := mine(timer(t, false).Design.Circuit)
	want := value{0xFF, 0xA5}
	if len(m.values) == 0 || m.values[len(m.values)-1] != want {
		t.Errorf("values %x, want %x", m.values, want)
	}
	if want := []int{3000, 3001, 3002}; !slices.Equal(m.counts, want) { // and none of a part, such as a carry
		t.Errorf("counts %v, want %v", m.counts, want)
	}
}

// A counter that begins again at 217, but only while a line is low, has that period, and twice that the bit behind.
func TestPeriods(t *testing.T) {
	x := built(t, func(c *sim.Circuit, clk, rst sim.Net, in, out []sim.Net) {
		count := make([]sim.Net, 8)
		last, carry := c.Not(in[3]), c.Not(in[3])
		for i := range count {
			count[i] = c.Net("")
			bit := count[i]
			if 216>>i&1 == 0 {
				bit = c.Not(bit)
			}
			last = gate(c, sim.And, last, bit)
		}
		keep := gate(c, sim.And, rst, c.Not(last))
		for _, q := range count {
			sum := gate(c, sim.Xor, q, carry)
			carry = gate(c, sim.And, q, carry)
			flop(c, q, gate(c, sim.And, sum, keep), clk)
		}
		flop(c, out[0], gate(c, sim.And, gate(c, sim.Xor, out[0], last), rst), clk)
		for _, n := range out[1:] {
			c.Add(sim.Buf, n, sim.Zero)
		}
	})
	e := Explorer{Tile: x, Seed: 1, Budget: time.Second}
	e.begin()
	if got, want := e.periods(t.Context()), []int{217, 434}; !slices.Equal(got, want) {
		t.Errorf("periods %v, want %v", got, want)
	}
	if got := near([]int{48, 430, 434, 800}, []int{434, 868}); !slices.Equal(got, []int{430, 434}) {
		t.Errorf("%v are near usual ones", got)
	}
}

// BoardTime adds clocks and steps.
func TestBoardTime(t *testing.T) {
	if got := BoardTime([]transport.Step{{Clocks: 255}, {}}); got != 275*time.Microsecond {
		t.Error(got)
	}
}

// A tour of a counter of two bits, which ui[0] enables and ui[1] clears, visits its four states; one of the 4,096
// states of a larger one is left out.
func TestTour(t *testing.T) {
	x := counter(t, 2)
	all := Tour(x)
	got := testkit.Must((&Grader{List: NewList(x.Design), Vectors: all}).Grade(context.Background()))(t)
	if p := got.Prove(x, all); p != (Proof{States: 4}) {
		t.Errorf("%+v, want 4 states", p)
	}
	last := &all[len(all)-1]
	for n := range last.Steps {
		some := append(slices.Clone(all[:len(all)-1]), Vector{Steps: last.Steps[:n], Want: last.Want[:n]})
		if p := got.Prove(x, some); p.States != 0 {
			t.Fatalf("%d of %d steps are enough", n, len(last.Steps))
		}
	}
	blind := slices.Clone(last.Want)
	for i := range blind {
		blind[i].OutX = 1
	}
	if p := got.Prove(x, []Vector{{Steps: last.Steps, Want: blind}}); p.States != 0 {
		t.Error("an output that was never compared counts")
	}
	for name, x := range map[string]*gates.Tile{"14 bits": counter(t, 14), "timer": timer(t, false)} {
		if all := Tour(x); all != nil {
			t.Errorf("%s: a tour of %d vectors", name, len(all))
		}
	}
}

// Where an output shows rst_n, a clock with a reset is not enough: the output is compared in the state before.
func TestTourOfReset(t *testing.T) {
	x := built(t, func(c *sim.Circuit, clk, rst sim.Net, in, out []sim.Net) {
		flop(c, out[0], gate(c, sim.And, rst, gate(c, sim.Xor, out[0], in[0])), clk)
		c.Add(sim.And, out[1], out[0], rst)
		for _, n := range out[2:] {
			c.Add(sim.Buf, n, sim.Zero)
		}
	})
	all := Tour(x)
	got := testkit.Must((&Grader{List: NewList(x.Design), Vectors: all}).Grade(context.Background()))(t)
	if p := got.Prove(x, all); p.States != 2 || got.Count(Found) != len(got.Classes)-got.Count(Untestable) {
		t.Errorf("%+v, found %d of %d", p, got.Count(Found), len(got.Classes))
	}
	for i := range all {
		some := slices.Clone(all)
		some[i].Steps, some[i].Want = nil, nil
		for k, s := range all[i].Steps {
			if !s.Reset || s.Clocks > 0 {
				some[i].Steps, some[i].Want = append(some[i].Steps, s), append(some[i].Want, all[i].Want[k])
			}
		}
		if p := got.Prove(x, some); p.States != 0 {
			t.Error("outputs that were never compared during a reset count")
		}
	}
}

// counter returns a tile with a counter, shown on uo.
func counter(t *testing.T, bits int) *gates.Tile {
	return built(t, func(c *sim.Circuit, clk, rst sim.Net, in, out []sim.Net) {
		carry, keep := in[0], gate(c, sim.And, rst, c.Not(in[1]))
		for i := range bits {
			q := out[min(i, 7)]
			if i > 7 {
				q = c.Net("")
			}
			sum := gate(c, sim.Xor, q, carry)
			carry = gate(c, sim.And, q, carry)
			flop(c, q, gate(c, sim.And, sum, keep), clk)
		}
		for _, n := range out[min(bits, 8):] {
			c.Add(sim.Buf, n, sim.Zero)
		}
	})
}
