package stuckat

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/netlist/structural"
	"utfbench/transport"
)

// kit is the prefix of the cells' names.
const kit = "sky130_fd_sc_hd__"

// joined is a slow chip whose nets are joined by cells that do what a bridge does.
func joined(t *testing.T, verilog string, nets []string, f *Fault) *slow {
	s := newSlow(t, verilog, nil, false)
	a, b := nets[f.bridge.A], nets[f.bridge.B]
	if f.bridge.Short == Dominant {
		b = ""
	}
	for k := range s.m.Instances {
		i := &s.m.Instances[k]
		i.Nets = maps.Clone(i.Nets)
		for _, o := range s.of(i.Cell).Outputs() {
			if net := i.Nets[o]; net != "" && (net == a || net == b) {
				i.Nets[o] = net + " driven"
			}
		}
	}
	if b == "" {
		s.m.Assigns = append(s.m.Assigns, structural.Assign{To: a, From: nets[f.bridge.B]})
		return s
	}
	gate := map[Short]string{WiredAND: "nand2_1", WiredOR: "nor2_1"}[f.bridge.Short]
	s.m.Instances = append(s.m.Instances,
		structural.Instance{Cell: kit + gate, Name: "join", Nets: map[string]string{"A": a + " driven",
			"B": b + " driven", "Y": "joined"}},
		structural.Instance{Cell: kit + "inv_1", Name: "join a", Nets: map[string]string{"A": "joined", "Y": a}},
		structural.Instance{Cell: kit + "inv_1", Name: "join b", Nets: map[string]string{"A": "joined", "Y": b}})
	return s
}

// bridges are bridges by chance of a netlist, of all kinds.
func bridges(t *testing.T, b *Bridger, r *rand.Rand, count int) (all []Fault) {
	t.Helper()
	for range 1000 * count {
		f, ok := b.Bridge(r.IntN(len(b.n.Nets)), r.IntN(len(b.n.Nets)), Short(r.IntN(int(shorts))))
		if ok {
			all = append(all, f)
		}
		if len(all) == count {
			return all
		}
	}
	t.Fatalf("only %d bridges", len(all))
	return nil
}

// What is said of a bridge is what a chip shows whose nets are joined by cells, bit by bit; and where it is seen first.
func TestBridge(t *testing.T) {
	for name, c := range map[string]struct {
		verilog string
		vectors []Vector
		count   int
	}{
		"latches": {latches, random(11, 1, 6, 20), 40},
		"turn":    {read(t, "turn.v"), random(12, 1, 2, 16), 12},
	} {
		t.Run(name, func(t *testing.T) {
			n := netlistOf(t, c.verilog)
			for i := range c.vectors {
				expect(t, c.verilog, &c.vectors[i])
			}
			wrong := 0
			for _, f := range bridges(t, NewBridger(n), rand.New(rand.NewPCG(1, 1)), c.count/testkit.Pick(4, 1)) {
				wrong += bridged(t, c.verilog, c.vectors, &f)
			}
			if wrong < 20/testkit.Pick(4, 1) {
				t.Errorf("only %d bits were wrong: the test tests nothing", wrong)
			}
		})
	}
}

// bridged holds a bridge against a slow chip, and says how many bits of that were wrong.
func bridged(t *testing.T, verilog string, vectors []Vector, f *Fault) (wrong int) {
	n := netlistOf(t, verilog)
	var got [][]transport.Sample
	for i := range vectors {
		got = append(got, joined(t, verilog, n.Nets, f).run(vectors[i].Steps))
		wrong += wrongBits(&vectors[i], got[i])
	}
	accounts, err := Explain(t.Context(), n, []Class{{*f}}, vectors, got)
	if err != nil || accounts[0] != (Account{Explained: wrong}) {
		t.Errorf("%v: %+v of %d, %v", f, accounts, wrong, err)
	}
	w, err := newWindow(t.Context(), n, vectors, 0)
	if err != nil {
		t.Fatal(err)
	}
	for v, at := range newSimulator(n).places(w, f, w.apart()) {
		first := 0
		for ; first < len(got[v]); first++ {
			if known, wrong := observed(vectors[v].Want[first], got[v][first]); known&wrong != 0 {
				break
			}
		}
		if first == len(got[v]) {
			first = none
		}
		if int(at[0].Step) != first {
			t.Errorf("%v is seen first at step %d of %s, and not at %d", f, first, vectors[v].Name, at[0].Step)
		}
	}
	return wrong
}

// A net that depends on the other one cannot be bridged with it, but for what it dominates.
func TestFeedback(t *testing.T) {
	n := netlistOf(t, tile("inv g (.A(ui_in[0]), .Y(a)); inv h (.A(a), .Y(b)); dfxtp f (.CLK(clk), .D(b), .Q(q)); "+
		"inv k (.A(q), .Y(c)); nand2 l (.A(b), .B(c), .Y(y));"))
	b := NewBridger(n)
	net := func(name string) int { return slices.Index(n.Nets, name) }
	for _, c := range []struct {
		a, b string
		want [shorts]bool // AND, OR, dominant
	}{
		{"a", "b", [shorts]bool{}},
		{"b", "a", [shorts]bool{Dominant: true}},
		{"a", "c", [shorts]bool{true, true, true}}, // through a flip-flop
		{"a", "a", [shorts]bool{}},
		{"ui_in[0]", "c", [shorts]bool{}}, // no cell drives it
	} {
		for short, want := range c.want {
			if _, ok := b.Bridge(net(c.a), net(c.b), Short(short)); ok != want {
				t.Errorf("%s with %s, %d: %v", c.a, c.b, short, ok)
			}
		}
	}
}
