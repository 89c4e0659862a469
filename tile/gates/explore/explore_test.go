package explore

import (
	"context"
	"reflect"
	"testing"
	"time"

	"utfbench/tile/gates"
	"utfbench/tile/gates/circuit"
	"utfbench/tile/gates/grade"
	"utfbench/tile/project"
	"utfbench/transport"
)

// timer returns a tile that random steps hardly test: a 12-bit counter runs while ui is A5, and uo[0] is 1 from count
// 3000 on.
func timer(t *testing.T) *gates.Tile {
	t.Helper()
	c := circuit.New("timer")
	clk, rst := c.AddPort("clk", circuit.Input, 1)[0], c.AddPort("rst_n", circuit.Input, 1)[0]
	c.AddPort("ena", circuit.Input, 1)
	in := c.AddPort("ui_in", circuit.Input, 8)
	c.AddPort("uio_in", circuit.Input, 8)
	out := c.AddPort("uo_out", circuit.Output, 8)
	for _, name := range []string{"uio_out", "uio_oe"} {
		for _, n := range c.AddPort(name, circuit.Output, 8) {
			c.Add(circuit.Buf, n, circuit.Zero)
		}
	}
	all := func(nets []circuit.Net, value int) circuit.Net {
		is := circuit.One
		for i, n := range nets {
			if value>>i&1 == 0 {
				n = c.Not(n)
			}
			is = gate(c, circuit.And, is, n)
		}
		return is
	}
	run := all(in, 0xA5)
	count := make([]circuit.Net, 12)
	for i := range count {
		count[i] = c.Net("count[" + string(rune('0'+i%10)) + "]")
	}
	carry := run
	for _, q := range count {
		sum := gate(c, circuit.Xor, q, carry)
		carry = gate(c, circuit.And, q, carry)
		flop(c, q, gate(c, circuit.And, sum, rst), clk)
	}
	done := c.Net("done")
	flop(c, done, gate(c, circuit.And, gate(c, circuit.Or, done, all(count, 3000)), rst), clk)
	c.Add(circuit.Buf, out[0], done)
	for _, n := range out[1:] {
		c.Add(circuit.Buf, n, circuit.Zero)
	}
	d, err := gates.Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	return gates.New(&project.Project{Top: "timer", Reset: project.Reset{Clocks: 1}}, d, "0123456789abcdef")
}

// gate adds a cell with pins, so that it has faults.
func gate(c *circuit.Circuit, k circuit.Kind, a, b circuit.Net) circuit.Net {
	c.Begin("", "", 0)
	c.AddPin("A", a, false)
	c.AddPin("B", b, false)
	out := c.Gate(k, a, b)
	c.AddPin("Y", out, true)
	return out
}

func flop(c *circuit.Circuit, q, d, clk circuit.Net) {
	c.Begin("", "", 0)
	c.AddPin("D", d, false)
	c.AddPin("Q", q, true)
	c.Add(circuit.Flop, q, d, clk)
}

// A search reaches a fault behind a value that the tile compares with and thousands of clocks. It is reproducible, and
// its compact form shows as much with fewer steps.
func TestFind(t *testing.T) {
	x := timer(t)
	find := func() *Finding {
		f, err := (&Explorer{Tile: x, Seed: 1, Budget: 500 * time.Millisecond}).Find(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := find()
	found, steps := f.Grading.Count(grade.Found), length(f.Vectors)
	testable := len(f.Grading.Classes) - f.Grading.Count(grade.Untestable)
	t.Logf("%d of %d faults, %d vectors, %d steps, work %.2g", found, testable, len(f.Vectors), steps, float64(f.Work))
	if found*100 < testable*75 {
		t.Errorf("%d of %d faults are found", found, testable)
	}
	if again := find(); !reflect.DeepEqual(again.Vectors, f.Vectors) {
		t.Error("the same seed finds other vectors")
	}
	if err := f.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	got, err := (&grade.Grader{List: f.Grading.List, Vectors: f.Vectors}).Grade(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if n := got.Count(grade.Found); n != found || length(f.Vectors) > steps {
		t.Errorf("compact: %d faults in %d steps, want %d in %d at most", n, length(f.Vectors), found, steps)
	}
}

func length(vectors []grade.Vector) (n int) {
	for i := range vectors {
		n += len(vectors[i].Steps)
	}
	return n
}

// Comparators of inputs give values, and those of registers numbers of clocks.
func TestMine(t *testing.T) {
	m := mine(timer(t).Design.Circuit)
	want := value{0xFF, 0xA5}
	if len(m.values) == 0 || m.values[len(m.values)-1] != want {
		t.Errorf("values %x, want %x", m.values, want)
	}
}

// BoardTime adds clocks and steps.
func TestBoardTime(t *testing.T) {
	if got := BoardTime([]transport.Step{{Clocks: 255}, {}}); got != 275*time.Microsecond {
		t.Error(got)
	}
}
