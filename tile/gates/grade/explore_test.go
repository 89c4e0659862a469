package grade

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
	"utfbench/tile/project"
)

// timer returns a tile that random steps hardly test: a 12-bit counter runs while ui is A5, and uo[0] is 1 from count
// 3000 on. If other is set, the level of rst_n opposite to the described one resets it. uo[1] changes at each clock.
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
			held := c.Net("") // as in a fabricated netlist's flip-flops
			flop(c, held, gate(c, sim.And, sum, rst), clk)
			c.Add(sim.Buf, q, held)
		}
		done := out[0]
		flop(c, done, gate(c, sim.And, gate(c, sim.Or, done, all(count, 3000)), rst), clk)
		c.Begin("", "", 0)
		c.AddPin("R", rst, false)
		c.Add(sim.Flop, out[1], c.Not(out[1]), clk, sim.Zero, c.Not(rst))
		for _, n := range out[2:] {
			c.Add(sim.Buf, n, sim.Zero)
		}
	})
}

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

// Find shows faults that need a certain input and thousands of clocks, even if the opposite level of rst_n resets. It
// is reproducible, and Compact loses no detected fault and adds no steps. Faults that need a second count stay open.
func TestFind(t *testing.T) {
	for i, other := range []bool{false, true}[:testkit.Pick(1, 2)] {
		x := timer(t, other)
		find := func() *SearchResult {
			e := Explorer{Tile: x, Seed: 1, Budget: time.Duration(testkit.Pick(2, 4)) * time.Second}
			return testkit.Must(e.Find(context.Background()))(t)
		}
		f := find()
		t.Logf("other reset %v: %d shown, %d never, %d open, %v; %d vectors, %d steps, work %.2g", other, f.Detected,
			f.Untestable, f.Open, f.OpenWithin, len(f.Vectors), length(f.Vectors), float64(f.Work))
		if f.Detected*100 < (f.Detected+f.Open)*80 {
			t.Errorf("other reset %v: %d faults are open: %v", other, f.Open, f.OpenWithin)
		}
		if i == 0 && !reflect.DeepEqual(find().Vectors, f.Vectors) {
			t.Error("the same seed finds other vectors")
		}
		got, steps := graded(t, f), length(f.Vectors)
		if n := got.Count(Found); n < f.Detected {
			t.Errorf("the vectors show %d of %d faults", n, f.Detected)
		}
		if err := f.Compact(context.Background()); err != nil {
			t.Fatal(err)
		}
		got = graded(t, f)
		if n := got.Count(Found); n < f.Detected || length(f.Vectors) > steps {
			t.Errorf("compact: %d faults in %d steps, want %d in %d at most", n, length(f.Vectors), f.Detected, steps)
		}
	}
}

// A search whose budget does not suffice to grade its random vectors returns them; they show more than it has counted.
func TestUngradedVectors(t *testing.T) {
	f := testkit.Must((&Explorer{Tile: timer(t, false), Seed: 1, Budget: time.Millisecond}).Find(t.Context()))(t)
	if err := f.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	n := graded(t, f).Count(Found)
	t.Logf("%d shown in %d steps, and %d by a grading", f.Detected, length(f.Vectors), n)
	if n < f.Detected*3/2 {
		t.Errorf("a grading finds %d faults, and the search %d", n, f.Detected)
	}
}

func graded(t *testing.T, f *SearchResult) *Grading {
	t.Helper()
	return testkit.Must((&Grader{List: f.list, Vectors: f.Vectors}).Grade(t.Context()))(t)
}

// A search ends when its context is cancelled.
func TestCancelledSearch(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := (&Explorer{Tile: timer(t, false), Seed: 1, Budget: time.Second}).Find(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func length(vectors []Vector) (n int) {
	for i := range vectors {
		n += len(vectors[i].Steps)
	}
	return n
}
