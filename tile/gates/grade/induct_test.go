package grade

import (
	"testing"

	"utfbench/tile/gates"
	"utfbench/tile/gates/grade/sat"
	"utfbench/tile/gates/sim"
)

// A fault is proved untestable if it changes only the level behind an output enable that is always low, or if it is
// masked, even in a circuit with an unaffected loop. A line that the fault releases may have any level, so the fault
// may be visible; a line that the good design releases is not compared.
func TestNever(t *testing.T) {
	c := sim.NewCircuit("tile")
	in, out := tileNets(c)
	lines, enables := c.Port("uio_out"), c.Port("uio_oe")
	gate := func(name string, k sim.Kind, q, a, b sim.Net) {
		c.Begin(name, "gate", 0)
		c.AddPin("A", a, false)
		c.AddPin("B", b, false)
		c.AddPin("X", q, true)
		c.Add(k, q, a, b)
	}
	for i := range enables[:7] {
		c.Begin("off", "conb", 0)
		c.Add(sim.Buf, enables[i], sim.Zero)
	}
	gate("turn", sim.And, enables[7], in[3], in[4]) // with a fault, bench and chip may both drive uio7
	gate("behind", sim.And, lines[0], in[3], in[4])
	q, p, masked := c.Net(""), c.Net(""), c.Net("")
	gate("loop1", sim.Nand, q, in[5], p)
	gate("loop2", sim.Nand, p, in[6], q)
	gate("masked", sim.And, masked, in[3], q)
	gate("mask", sim.Or, out[0], in[3], masked)
	gate("seen", sim.And, out[1], in[4], q)
	c.Begin("bus", "ebuf", 0)
	c.AddPin("A", in[0], false)
	c.AddPin("TE", in[1], false)
	c.AddPin("Z", out[2], true)
	c.Add(sim.Tri, out[2], in[0], in[1])
	l := gates.NewFaultList(mustCompile(t, c))
	prover := NewProver(l)
	want := map[string]bool{"behind/X=stuck1": true, "behind/A=stuck0": true, "masked/X=stuck0": true,
		"masked/X=stuck1": false, "seen/X=stuck0": false, "loop1/A=stuck1": false,
		"bus/TE=stuck0": false, "bus/TE=stuck1": true, "turn/A=stuck1": false}
	for _, class := range l.Classes {
		for _, f := range class.Faults {
			name := l.Describe(f)
			is, listed := want[name]
			delete(want, name)
			if got := prover.ProveUntestable(f); listed && got != is {
				t.Errorf("%s: proved %v, want %v", name, got, is)
			}
		}
	}
	if len(want) > 0 {
		t.Error("no such faults: ", want)
	}
	got, err := proveClasses(t.Context(), l, allOf(l), 0, nil)
	if got.untried != len(l.Classes) || got.work > 0 || err != nil {
		t.Errorf("without a budget, a work of %d, and %d faults left, %v", got.work, got.untried, err)
	}
}

// A fault that two rises of ui0 without a clock show is not excluded, although no clocks lead to the state before.
func TestNeverWithoutClocks(t *testing.T) {
	c := sim.NewCircuit("tile")
	in, out := tileNets(c)
	reset, once, twice, ran := c.Not(in[1]), c.Net(""), c.Net(""), c.Net("")
	c.Add(sim.Flop, once, sim.One, in[3], sim.Zero, reset)
	c.Add(sim.Flop, twice, once, in[3], sim.Zero, reset)
	c.Add(sim.Flop, ran, sim.One, in[0], sim.Zero, reset)
	c.Begin("seen", "gate", 0)
	c.AddPin("X", out[0], true)
	c.Add(sim.And, out[0], twice, c.Not(ran))
	p := NewProver(gates.NewFaultList(mustCompile(t, c)))
	p.reach = &reachability{first: map[sat.Lit]rail{}, reset: true}
	if p.ProveUntestable(p.l.Classes[0].Faults[0]) {
		t.Error(p.l.Describe(p.l.Classes[0].Faults[0]), "is proved to never show")
	}
}
