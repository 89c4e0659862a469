package cells

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/netlist"
	"utfbench/netlist/stuckat"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// broken is a chip with a change, simulated gate by gate, which shares with the package that is tested the netlist's
// operations alone.
type broken struct {
	n     *netlist.Netlist
	c     stuckat.Change
	v     []bool
	state []bool
}

func (b *broken) eval(s transport.Step) {
	set := func(net int, level bool) { b.v[net] = level }
	for i := range 8 {
		set(b.n.In.UI[i], s.In>>i&1 != 0)
		set(b.n.In.Drive[i], s.Drive>>i&1 != 0)
		set(b.n.In.Wire[i], s.IO>>i&1 != 0 && s.Drive>>i&1 != 0)
	}
	set(b.n.In.RstN, !s.Reset)
	set(b.n.In.Ena, true)
	for i, f := range b.n.Flops {
		set(f.State, b.state[i])
	}
	for i, g := range b.n.Gates {
		ops := b.n.Ops[g.Ops.From:g.Ops.To]
		if own := b.c.Ops[i]; own != nil {
			ops = own
		}
		for _, o := range ops {
			b.v[o.To] = b.level(o.A) && b.level(o.B)
		}
	}
}

func (b *broken) level(l netlist.Lit) bool { return b.v[l.Node()] != l.Inverted() }

func (b *broken) run(steps []transport.Step) (got []transport.Sample) {
	for _, s := range steps {
		for range s.Clocks {
			b.eval(s)
			for i, f := range b.n.Flops {
				if !slices.Contains(b.c.Hold, i) {
					b.state[i] = b.level(b.n.Lits[f.Next])
				}
			}
		}
		b.eval(s)
		var sample transport.Sample
		for i := range 8 {
			if b.level(b.n.Lits[b.n.Out[i]]) {
				sample.Out |= 1 << i
			}
			if b.level(b.n.Lits[b.n.Out[8+i]]) {
				sample.IO |= 1 << i
			}
		}
		got = append(got, sample)
	}
	return got
}

// A broken cell is among the best that explain a run, whatever the chip did before each vector.
func TestLocate(t *testing.T) {
	n, all := own(t, "chip.v"), vectors(t, utf.TT09, "sequences")[:200]
	classes := stuckat.Classes(n)
	r := rand.New(rand.NewPCG(3, 3))
	tried, first := 0, 0
	for tried < 6/testkit.Pick(6, 1) {
		class := classes[r.IntN(len(classes))]
		chip := &broken{n: n, c: class[0].Change(), v: make([]bool, n.Nodes), state: make([]bool, len(n.Flops))}
		run := &Run{Tile: utf.TT09}
		for _, v := range all {
			if err := run.Add(v.Name, v.Suite, v.Steps, chip.run(v.Steps)); err != nil {
				t.Fatal(err)
			}
		}
		if run.Failed() == 0 {
			continue
		}
		tried++
		l, err := run.Locate(t.Context(), n, nil)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(l.Best, func(p Place) bool { return p.String() == class[0].String() }) {
			first++
		} else {
			t.Logf("%v: %d vectors differed, and the best is %v", &class[0], l.Failed, &l.Best[0])
		}
	}
	if first < tried-1 {
		t.Errorf("the broken pin is among the best in %d of %d", first, tried)
	}
}

// What is found is told with its pin, its net, its equals, and what it leaves open.
func TestLocatedInWords(t *testing.T) {
	command := func(words ...string) string { return "bench " + strings.Join(words, " ") }
	said := func(l Located) string {
		var w strings.Builder
		l.Text(&w, command)
		return w.String()
	}
	one := Place{Cell: "_1_", Type: "nand2", Pin: "A", Net: "v[3]", What: "stuck at 1", Explained: 9}
	for i := range 8 {
		one.Same = append(one.Same, fmt.Sprintf("_%d_/Y stuck at 0", i+2))
	}
	near := Place{Cell: "_9_", Pin: "B", What: "stuck at 0", Explained: 4, Missed: 5, Unseen: 2}
	joined := Place{Cell: "_1_", Type: "nand2", Pin: "A", Net: "v[3]", What: "bridged with v[4], wired AND",
		Explained: 9, With: &Driver{Net: "v[4]", Cell: "_2_", Type: "inv", Pin: "Y"}, At: &Point{1.5, 2}}
	for _, c := range []struct {
		l    Located
		want []string
	}{
		{Located{Tried: 7, Best: []Place{one}, Less: []Place{near}}, []string{
			"explained by one pin of one cell:\n  _1_/A stuck at 1 (nand2), on the net v[3]\n",
			"    the same as _2_/Y stuck at 0, ", " and 2 more\n",
			"which explains 9 of the 9 bits that differ, and predicts no error that was not seen\n",
			"\nless likely ", "\n_9_/B stuck at 0 "}},
		{Located{Best: []Place{one, one}, Ask: []string{"a/b.c"}}, []string{"explained by any of 2:\n",
			"\nvectors that would tell them apart:\n  bench run --run ^a/b\\.c$\n"}},
		{Located{Best: []Place{one, one}}, []string{"\nno other vector that the bench has tells them apart\n"}},
		{Located{Best: []Place{near}}, []string{"no broken pin explains all of it; the nearest:\n"}},
		{Located{Best: []Place{joined}, Bridges: 5, Beside: true}, []string{
			", and 5 bridges of nets that run side by side:\nexplained by one bridge of two nets:\n",
			"  v[3] bridged with v[4], wired AND; _1_/A (nand2) and _2_/Y (inv) drive them, at x 1.50 um, " +
				"y 2.00 um\n"}},
		{Located{Best: []Place{near}, Bridges: 5}, []string{"(--gds and --lef would say which are near each other):\n",
			"no broken pin and no bridge explains all of it; the nearest:\n"}},
		{Located{Best: []Place{{}}}, []string{"  no cell with a broken pin explains it\n"}},
	} {
		text := said(c.l)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	}
}
