package cells

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/netlist"
	"utfbench/netlist/layout"
	"utfbench/netlist/layout/layouttest"
	"utfbench/netlist/structural"
	"utfbench/netlist/stuckat"
	table "utfbench/tile/gates/cells"
	"utfbench/tile/utf"
)

// shorted is chip.v with two nets joined by cells: by an AND or an OR of what drives them, or the first by the second.
// It is nil if the nets then depend on each other.
func shorted(t *testing.T, a, b string, short stuckat.Short) *broken {
	t.Helper()
	read := func(name string) string {
		text, err := os.ReadFile("../../netlist/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	modules, err := structural.Parse(read("chip.v"))
	if err != nil {
		t.Fatal(err)
	}
	m := modules[0]
	for k := range m.Instances {
		i := &m.Instances[k]
		i.Nets = maps.Clone(i.Nets)
		cell, _ := table.Find(i.Cell)
		for _, o := range cell.Outputs() {
			if net := i.Nets[o]; net == a || net == b && short != stuckat.Dominant {
				i.Nets[o] = net + " driven"
			}
		}
	}
	add := func(cell string, nets map[string]string) {
		name := fmt.Sprint("join", len(m.Instances))
		m.Instances = append(m.Instances,
			structural.Instance{Cell: "sky130_fd_sc_hd__" + cell + "_1", Name: name, Nets: nets})
	}
	switch short {
	case stuckat.Dominant:
		add("buf", map[string]string{"A": b, "X": a})
	default:
		gate := map[stuckat.Short]string{stuckat.WiredAND: "nand2", stuckat.WiredOR: "nor2"}[short]
		add(gate, map[string]string{"A": a + " driven", "B": b + " driven", "Y": "joined"})
		add("inv", map[string]string{"A": "joined", "Y": a})
		add("inv", map[string]string{"A": "joined", "Y": b})
	}
	n, err := netlist.Build(modules)
	if err != nil {
		return nil
	}
	return &broken{n: n, v: make([]bool, n.Nodes), state: make([]bool, len(n.Flops))}
}

// Two nets that are bridged are among those that explain a run best, unless a pin that is stuck explains all of it as
// well: with the layout, and by the netlist alone.
func TestLocateBridge(t *testing.T) {
	testkit.Long(t)
	n, all := own(t, "chip.v"), vectors(t, utf.TT09, "sequences")[:150]
	gds, lef := layouttest.Draw(n)
	l, err := layout.Read(layout.Drawing{Data: []byte(gds)}, []netlist.File{{Text: lef}}, n)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 5))
	tried, bridges := 0, 0
	for tried < 3 {
		a := r.IntN(len(n.Nets))
		beside := l.Neighbours(a)
		if len(beside) == 0 {
			continue
		}
		b, short := beside[r.IntN(len(beside))].Net, stuckat.Short(r.IntN(3))
		run := &Run{Tile: utf.TT09, Layout: l}
		if tried%3 == 2 {
			run.Layout = nil
		}
		chip := shorted(t, n.Nets[a], n.Nets[b], short)
		if chip == nil || !failing(t, run, all, chip) {
			continue
		}
		tried++
		found, err := run.Locate(t.Context(), n, nil)
		if err != nil {
			t.Fatal(err)
		}
		is := func(p Place) bool { return joins(&p, n.Nets[a], n.Nets[b]) && (run.Layout == nil || p.At.Y > 1) }
		switch best := &found.Best[0]; {
		case slices.ContainsFunc(found.Best, is):
			bridges++
		case best.Missed+best.Unseen > 0 || best.With != nil:
			t.Errorf("%s and %s, %d: %d bridges tried, the best of %d is %v", n.Nets[a], n.Nets[b], short,
				found.Bridges, len(found.Best), best)
		}
	}
	if bridges == 0 {
		t.Error("each bridge was explained by a stuck pin: the test tests nothing")
	}
}

// failing has a chip do vectors, and says whether it differed in some.
func failing(t *testing.T, run *Run, all []stuckat.Vector, chip *broken) bool {
	for _, v := range all {
		if err := run.Add(v.Name, v.Suite, v.Steps, chip.run(v.Steps)); err != nil {
			t.Fatal(err)
		}
	}
	return run.Failed() > 0
}

// joins says whether a place is a bridge of two nets.
func joins(p *Place, a, b string) bool {
	if p.With == nil {
		return false
	}
	is := []string{p.Net, p.With.Net}
	return slices.Contains(is, plain(a)) && slices.Contains(is, plain(b))
}

func plain(net string) string { return strings.TrimPrefix(net, `\`) }
