package grade

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
	"utfbench/transport"
)

// TestBruteForce checks the grades of random circuits against circuits with each fault of each class built in, on which
// it runs the vectors one by one.
func TestBruteForce(t *testing.T) {
	trials := number("BENCH_TRIALS", testkit.Pick(1, 2))
	for _, kind := range []struct {
		name  string
		wild  bool // latches, loops, tristates, clocks from logic
		exact bool
		first uint64 // number of the first circuit; in wild circuit 3 a clock of a faulty chip glitches
	}{{"clocked", false, true, 0}, {"wild", true, false, 3}} {
		t.Run(kind.name, func(t *testing.T) {
			all, found, missed := 0, 0, 0
			for trial := range uint64(trials) {
				a, f, m := brute(t, kind.first+trial, kind.wild)
				all, found, missed = all+a, found+f, missed+m
				if t.Failed() {
					t.Fatalf("circuit %d", kind.first+trial)
				}
			}
			t.Logf("%d faults, %d found, %d more by brute force", all, found, missed)
			if found < all/8 {
				t.Error("too few faults are found: the test compares too little")
			}
			if missed > 0 && (kind.exact || missed*100 > found) {
				t.Errorf("%d faults were missed, which brute force finds", missed)
			}
		})
	}
}

// brute compares the grades of a random circuit with the outcome of each fault by brute force.
func brute(t *testing.T, seed uint64, wild bool) (all, found, missed int) {
	t.Helper()
	r := random{rng: rand.New(rand.NewPCG(seed, 3)), wild: wild}
	d := mustCompile(t, r.tile())
	vectors := randomVectors(d, rand.New(rand.NewPCG(seed, 4)), 66, 8)
	l := gates.NewFaultList(d)
	g := Grader{List: l, Vectors: vectors, Prove: true}
	got := testkit.Must(g.Grade(context.Background()))(t)
	prover, n := NewProver(l), 0
	for i, class := range l.Classes {
		for _, f := range class.Faults {
			if n++; n%testkit.Pick(4, 1) != 0 {
				continue
			}
			all++
			site := &l.Sites[f.Site]
			r := random{rng: rand.New(rand.NewPCG(seed, 3)), wild: wild,
				cell: d.Circuit.Parts[site.Part].Name, pins: strings.Split(site.Pin, ","), level: f.Level}
			chips := mustCompile(t, r.tile())
			is := ask(chips, vectors)
			has := got.Findings[i]
			switch {
			case has.Outcome == Found:
				found++
			case is.Outcome == Found && has.Outcome == Untestable:
				t.Errorf("%s is untestable (%s), and brute force finds it", l.Describe(f), class.Untestable)
			case is.Outcome == Found:
				missed++
			}
			if is.Outcome == Found && prover.ProveUntestable(f) {
				t.Errorf("%s is proved to change nothing, and brute force finds it", l.Describe(f))
			}
			if has.Outcome == Found && is != has && !(wild && shows(d, chips, vectors[has.Vector], has.Step)) &&
				!(is.Outcome != Found && convicted(chips, vectors[:has.Vector+1])) {
				t.Errorf("%s (for %s): brute force %v %d, %d, graded %v %d, %d", l.Describe(f),
					l.Describe(class.Faults[0]), is.Outcome, is.Vector, is.Step, has.Outcome, has.Vector, has.Step)
			}
		}
	}
	return all, found, missed
}

// ask runs the vectors on a faulty chip one by one, and returns the finding.
func ask(d *gates.Design, vectors []Vector) Finding {
	c := d.NewChip(nil)
	for v := range vectors {
		c.Reset()
		for i := range vectors[v].Steps {
			got, want := c.Apply(&vectors[v].Steps[i]), vectors[v].Want[i]
			known := ^(got.Unknown() | want.Unknown() | transport.Outputs(vectors[v].Steps[i].Drive)<<8)
			if (got.Levels()^want.Levels())&known != 0 {
				return Finding{Outcome: Found, Vector: v, Step: i}
			}
		}
	}
	return Finding{}
}

// shows reports whether 64 faulty chips, with random states and levels of floating lines, all differ from a good chip
// at a step. With the fault, loops may be cut elsewhere, so that fewer levels are known.
func shows(d *gates.Design, faulty *gates.Design, v Vector, step int) bool {
	right, bad := d.NewChip(nil), faulty.NewChip(&sim.RandomChoices{Seed: 1})
	var f gates.Frame
	for i := range step + 1 {
		f.Set(&v.Steps[i])
		right.Step(&f)
		bad.Step(&f)
	}
	all := ^uint64(0)
	for i := range 16 {
		if i >= 8 && v.Steps[step].Drive>>(i-8)&1 != 0 {
			continue
		}
		r, b := output(right, i), output(bad, i)
		if r.KnownVectors() != 0 && (r.Hi != 0 && b.Lo == all || r.Lo != 0 && b.Hi == all) {
			return true
		}
	}
	return false
}

// convicted reports whether each of 64 faulty chips with random states has a wrong level at some step.
func convicted(faulty *gates.Design, vectors []Vector) bool {
	bad, wrong := faulty.NewChip(&sim.RandomChoices{Seed: 1}), uint64(0)
	var f gates.Frame
	for _, v := range vectors {
		for i := range v.Steps {
			f.Set(&v.Steps[i])
			bad.Step(&f)
			m := FaultMachine{Faults: lanes, Groups: 1, chip: bad}
			w, _ := m.DifferingLanes([]Expectation{Expect(&v.Steps[i], &v.Want[i])})
			wrong |= w
		}
	}
	return wrong == ^uint64(0)
}

func mustCompile(t testing.TB, c *sim.Circuit) *gates.Design {
	t.Helper()
	return testkit.Must(gates.Compile(c))(t)
}

// randomVectors returns vectors of several lengths with a good chip's samples.
func randomVectors(d *gates.Design, rng *rand.Rand, n, limit int) (all []Vector) {
	for range n {
		v := Vector{}
		c := d.NewChip(nil)
		for i := range 1 + rng.IntN(limit) {
			s := transport.Step{In: uint8(rng.Uint32()), IO: uint8(rng.Uint32()), Reset: i == 0 || rng.IntN(9) == 0,
				Clocks: uint8(rng.IntN(3))}
			if s.Drive = uint8(rng.Uint32()); rng.IntN(3) == 0 {
				s.Drive = 0
			}
			v.Steps = append(v.Steps, s)
			v.Want = append(v.Want, c.Apply(&s))
		}
		all = append(all, v)
	}
	return all
}

// tileNets adds the ports of a tile and returns the nets of its inputs, clk first, and of its outputs.
func tileNets(c *sim.Circuit) (in, out []sim.Net) {
	for _, name := range []string{"clk", "rst_n", "ena"} {
		in = append(in, c.AddPort(name, sim.Input, 1)...)
	}
	for _, name := range []string{"ui_in", "uio_in"} {
		in = append(in, c.AddPort(name, sim.Input, 8)...)
	}
	for _, name := range []string{"uo_out", "uio_out", "uio_oe"} {
		out = append(out, c.AddPort(name, sim.Output, 8)...)
	}
	return in, out
}

// random builds a random circuit of a tile. A fault makes a cell read or drive a constant at some of its pins.
type random struct {
	rng   *rand.Rand
	wild  bool
	cell  string
	pins  []string
	level bool

	c    *sim.Circuit
	in   []sim.Net
	nets []sim.Net
}

// tile returns a circuit of some 40 cells. Equal random numbers give equal circuits.
func (r *random) tile() *sim.Circuit {
	r.c = sim.NewCircuit("random")
	in, out := tileNets(r.c)
	r.in, r.nets = in, slices.Clone(in)
	for range 10 + r.rng.IntN(20) {
		r.nets = append(r.nets, r.c.Net(""))
	}
	r.nets = append(r.nets, out...)
	kinds := []sim.Kind{sim.Buf, sim.Not, sim.And, sim.Or, sim.Xor, sim.Nand, sim.Nor, sim.Mux, sim.Flop, sim.Flop}
	if r.wild {
		kinds = append(kinds, sim.Latch, sim.Tri, sim.Flop)
	}
	for i := len(in); i < len(r.nets); i++ {
		r.add(kinds[r.rng.IntN(len(kinds))], i)
		if r.wild && r.rng.IntN(10) == 0 {
			r.add(sim.Tri, i)
		}
	}
	return r.c
}

// source returns a net to be read by the cell that drives nets[i]: mostly an earlier one, so that there are few loops.
func (r *random) source(i int) sim.Net {
	switch {
	case r.wild && r.rng.IntN(20) == 0:
		return r.nets[r.rng.IntN(len(r.nets))]
	case r.rng.IntN(25) == 0:
		return sim.Net(r.rng.IntN(2))
	}
	return r.nets[1+r.rng.IntN(i-1)]
}

// add adds a cell that drives nets[i]. Its inputs may be inverted, and its data may pass an enable.
func (r *random) add(k sim.Kind, i int) {
	c, to := r.c, r.nets[i]
	c.Begin(fmt.Sprint("c", len(c.Parts)), "", 0)
	c.AddPin("Y", to, true)
	if r.stuck("Y") {
		c.Add(sim.Buf, to, r.constant())
		to = c.Net("")
	}
	var in []sim.Net
	for p := range k.Inputs() {
		in = append(in, r.input(k, p, r.source(i)))
	}
	if k == sim.Flop && r.rng.IntN(2) == 0 {
		enable := r.pin("E", r.source(i))
		in[0] = c.Gate(sim.Mux, enable, in[0], to)
	}
	c.Add(k, to, in...)
}

func (r *random) input(k sim.Kind, p int, n sim.Net) sim.Net {
	switch {
	case k == sim.Flop && p == 1 && (!r.wild || r.rng.IntN(2) == 0):
		n = r.in[0]
	case k == sim.Flop && p == 3 && r.rng.IntN(4) == 0:
		return sim.Zero // no reset
	case k.HoldsBit() && p == 3:
		n = r.in[1]
	case k.HoldsBit() && p == 2 && (!r.wild || r.rng.IntN(2) == 0):
		return sim.Zero // no set
	}
	n = r.pin(string(rune('A'+p)), n)
	if r.rng.IntN(5) == 0 || k.HoldsBit() && p == 3 {
		return r.c.Not(n)
	}
	return n
}

// pin adds an input pin and returns the net that the cell reads there.
func (r *random) pin(name string, n sim.Net) sim.Net {
	if r.c.AddPin(name, n, false); r.stuck(name) {
		return r.constant()
	}
	return n
}

func (r *random) stuck(pin string) bool {
	return r.cell == r.c.Parts[len(r.c.Parts)-1].Name && slices.Contains(r.pins, pin)
}

func (r *random) constant() sim.Net {
	if r.level {
		return sim.One
	}
	return sim.Zero
}
