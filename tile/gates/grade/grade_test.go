package grade

import (
	"context"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// oneFlop returns the circuit of a tile with a flip-flop from ui0 to uo0, and a cell without a path to an output.
func oneFlop() *sim.Circuit {
	c := sim.NewCircuit("flop")
	in, out := tileNets(c)
	c.Begin("f", "dfxtp", 0)
	for pin, n := range map[string]sim.Net{"CLK": in[0], "D": in[3]} {
		c.AddPin(pin, n, false)
	}
	c.AddPin("Q", out[0], true)
	c.Add(sim.Flop, out[0], in[3], in[0])
	nowhere := c.Net("nowhere")
	c.Begin("n", "and2", 0)
	c.AddPin("A", in[3], false)
	c.AddPin("B", out[0], false)
	c.AddPin("X", nowhere, true)
	c.Add(sim.And, nowhere, in[3], out[0])
	return c
}

// TestOutcomes compares the grades of a flip-flop with outcomes derived by hand. With a stuck clock it keeps its
// power-up level, which is wrong once both levels were expected, in one vector or in two.
func TestOutcomes(t *testing.T) {
	for _, test := range []struct {
		levels                string
		clock, data0, q1, and string
	}{{"01", "found", "found", "found", "untestable"},
		{"0|1", "found", "found", "found", "untestable"},
		{"11", "unknown", "found", "unknown", "untestable"}} {
		d := mustCompile(t, oneFlop())
		var vectors []Vector
		for levels := range strings.SplitSeq(test.levels, "|") {
			v, chip := Vector{}, d.NewChip(nil)
			for _, level := range levels {
				s := transport.Step{In: uint8(level - '0'), Clocks: 1}
				v.Steps, v.Want = append(v.Steps, s), append(v.Want, chip.Apply(&s))
			}
			vectors = append(vectors, v)
		}
		g := testkit.Must((&Grader{List: gates.NewFaultList(d), Vectors: vectors}).Grade(t.Context()))(t)
		for name, want := range map[string]string{"f/CLK=stuck0": test.clock, "f/CLK=stuck1": test.clock,
			"f/D=stuck0": test.data0, "f/Q=stuck1": test.q1, "n/A=stuck0": test.and} {
			if got := outcomeOf(g, name); got != want {
				t.Errorf("%s after %s: %s, want %s", name, test.levels, got, want)
			}
		}
	}
}

// A multiplexer that selects its own output holds a level. Each of its faults is active, although its output is one of
// its inputs. With S stuck at 0 it holds its power-up level, which is unknown.
func TestCellThatFeedsItself(t *testing.T) {
	c := sim.NewCircuit("latch")
	in, out := tileNets(c)
	c.Begin("m", "mux2", 0)
	c.AddPin("A0", out[0], false)
	c.AddPin("A1", in[3], false)
	c.AddPin("S", in[4], false)
	c.AddPin("X", out[0], true)
	c.Add(sim.Mux, out[0], in[4], in[3], out[0])
	d := mustCompile(t, c)
	v := Vector{}
	chip := d.NewChip(nil)
	for _, levels := range []uint8{2, 3, 1, 0, 2, 0, 1} { // bit 0 is A1, bit 1 is S
		s := transport.Step{In: levels}
		v.Steps, v.Want = append(v.Steps, s), append(v.Want, chip.Apply(&s))
	}
	g := testkit.Must((&Grader{List: gates.NewFaultList(d), Vectors: []Vector{v}}).Grade(context.Background()))(t)
	for i, f := range g.Findings {
		holds := g.Describe(g.Classes[i].Faults[0]) == "m/S=stuck0"
		if f.Outcome != Found && !(holds && f.Outcome == Unclear) {
			t.Errorf("%s: %s: %s", g.Describe(g.Classes[i].Faults[0]), f.Outcome, g.Classes[i].Untestable)
		}
	}
}

// A fault at a pin whose net has one level from the first step on is never activated, whatever it had before.
func TestNeverActivated(t *testing.T) {
	d := mustCompile(t, oneFlop())
	v := Vector{Steps: []transport.Step{{Clocks: 1}, {Clocks: 1}}, Want: make([]transport.Sample, 2)}
	g := testkit.Must((&Grader{List: gates.NewFaultList(d), Vectors: []Vector{v}}).Grade(t.Context()))(t)
	if got := outcomeOf(g, "f/D=stuck0"); got != Inactive.String() {
		t.Error(got)
	}
}

// TestContentionFindsNothing drives uio0, which uo0 repeats, against an output enable that is stuck at 1: the chip may
// read any level there, so the stuck enable does not count as found.
func TestContentionFindsNothing(t *testing.T) {
	c := sim.NewCircuit("contention")
	in, out := tileNets(c)
	c.Begin("low", "conb", 0)
	c.AddPin("LO", out[16], true)
	c.Add(sim.Buf, out[16], sim.Zero)
	c.Begin("b", "buf", 0)
	c.AddPin("A", in[11], false)
	c.AddPin("X", out[0], true)
	c.Add(sim.Buf, out[0], in[11])
	d := mustCompile(t, c)
	v := Vector{}
	chip := d.NewChip(nil)
	for i := range 40 {
		s := transport.Step{IO: uint8(i & 1), Drive: 1, Clocks: 1}
		v.Steps, v.Want = append(v.Steps, s), append(v.Want, chip.Apply(&s))
	}
	g := testkit.Must((&Grader{List: gates.NewFaultList(d), Vectors: []Vector{v}}).Grade(t.Context()))(t)
	for name, want := range map[string]string{"low/LO=stuck1": "unknown", "b/A=stuck0": "found"} {
		if got := outcomeOf(g, name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A stuck reset is visible from all states except the one in which all eight other flip-flops are 0. It counts as
// undetected, since the previous vector may leave that state. After a second clock with a 1 it is always visible.
func TestShownFromEveryState(t *testing.T) {
	c := sim.NewCircuit("carried")
	in, out := tileNets(c)
	some := sim.Zero
	for range 8 {
		q := c.Net("")
		c.Add(sim.Flop, q, in[3], in[0])
		some = c.Gate(sim.Or, some, q)
	}
	c.Begin("f", "flop", 0)
	c.AddPin("R", in[4], false)
	c.AddPin("Q", out[0], true)
	c.Add(sim.Flop, out[0], some, in[0], sim.Zero, in[4])
	d := mustCompile(t, c)
	first, second := transport.Step{In: 2, Clocks: 1}, transport.Step{In: 3, Clocks: 2}
	for want, steps := range map[string][]transport.Step{"unknown": {first}, "found": {first, second}} {
		v, chip := Vector{Steps: steps}, d.NewChip(nil)
		for i := range steps {
			v.Want = append(v.Want, chip.Apply(&steps[i]))
		}
		grader := Grader{List: gates.NewFaultList(d), Vectors: []Vector{v}, Prove: true}
		if got := outcomeOf(testkit.Must(grader.Grade(t.Context()))(t), "f/R=stuck0"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		grader.Budget = 1 // too small for a proof
		err := grader.showPowerUps(t.Context())
		for _, f := range grader.findings {
			if err != nil || f.Outcome == Unclear && !f.Untried {
				t.Errorf("without a proof: %v, %v", f, err)
			}
		}
	}
}

func outcomeOf(g *Grading, name string) string {
	for i, class := range g.Classes {
		for _, f := range class.Faults {
			if g.Describe(f) == name {
				return g.Findings[i].Outcome.String()
			}
		}
	}
	return "no such fault"
}

// TestBudget checks that a small budget grades a reproducible sample, and reports it.
func TestBudget(t *testing.T) {
	c := sim.NewCircuit("wide")
	in, out := tileNets(c)
	n := in[3]
	for i := range 1200 { // each pair of cells has separate faults
		c.Begin("x"+strings.Repeat("x", i%3), "xor2", 0)
		next := c.Net("")
		c.AddPin("A", n, false)
		c.AddPin("B", in[4+i%7], false)
		c.AddPin("X", next, true)
		c.Add(sim.Xor, next, n, in[4+i%7])
		n = next
	}
	c.Begin("last", "buf", 0)
	c.AddPin("A", n, false)
	c.AddPin("X", out[0], true)
	c.Add(sim.Buf, out[0], n)
	d := mustCompile(t, c)
	g := Grader{List: gates.NewFaultList(d), Budget: 1}
	v := Vector{Steps: []transport.Step{{In: 0xFF}}, Want: make([]transport.Sample, 1)}
	v.Want[0] = d.NewChip(nil).Apply(&v.Steps[0])
	g.Vectors = []Vector{v}
	got := testkit.Must(g.Grade(t.Context()))(t)
	if got.Count(Found) != 0 || got.UnsettledCount() == 0 {
		t.Errorf("without a budget: %d found, %d unsettled, want none, some", got.Count(Found), got.UnsettledCount())
	}
	g.Vectors, g.Budget = []Vector{v}, 15*d.Program().OpCount()
	got = testkit.Must(g.Grade(t.Context()))(t)
	graded := len(got.Classes) - got.Count(Ungraded) - got.Count(Untestable)
	if graded < firstSample || got.Count(Ungraded) == 0 {
		t.Errorf("%d of %d classes are graded, want a sample", graded, len(got.Classes))
	}
	if again := testkit.Must(g.Grade(t.Context()))(t); !slices.Equal(again.Findings, got.Findings) {
		t.Error("graded again, it is another sample")
	}
}

// A chain of latches whose enables ripple against the data takes a round for each latch, which is far more work than
// its size suggests. The budget is kept nevertheless.
func TestBudgetOfLatches(t *testing.T) {
	c := sim.NewCircuit("chain")
	in, out := tileNets(c)
	const n = 200
	data := make([]sim.Net, n+1)
	for i := range data {
		data[i] = c.Net("")
	}
	c.Begin("first", "buf", 0)
	c.Add(sim.Buf, data[0], in[3])
	enable := in[4]
	for i := n; i > 0; i-- {
		c.Begin("l", "dlxtp", 0)
		c.AddPin("D", data[i-1], false)
		c.AddPin("GATE", enable, false)
		c.AddPin("Q", data[i], true)
		c.Add(sim.Latch, data[i], data[i-1], enable)
		late := c.Net("")
		c.Begin("b", "buf", 0)
		c.AddPin("A", enable, false)
		c.AddPin("X", late, true)
		c.Add(sim.Buf, late, enable)
		enable = late
	}
	c.Begin("last", "buf", 0)
	c.Add(sim.Buf, out[0], data[n])
	d := mustCompile(t, c)
	chip, v := d.NewChip(nil), Vector{}
	for i := range 300 {
		s := transport.Step{In: uint8(i * 5 / 3)}
		v.Steps, v.Want = append(v.Steps, s), append(v.Want, chip.Apply(&s))
	}
	g := Grader{List: gates.NewFaultList(d), Vectors: []Vector{v}, Budget: 1_000_000}
	got, err := g.Grade(t.Context())
	if err != nil || got.Work > 3*g.Budget || got.UnsettledCount() == 0 {
		t.Errorf("%d evaluations with a budget of %d, %d unsettled, %v", got.Work, g.Budget, got.UnsettledCount(), err)
	}
}
