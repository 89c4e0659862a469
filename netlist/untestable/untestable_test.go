package untestable

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/netlist"
	"utfbench/netlist/stuckat"
)

func netlistOf(t *testing.T, verilog string) *netlist.Netlist {
	t.Helper()
	n, err := netlist.Read(netlist.File{Name: "n.v", Text: verilog})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// tile is a module with a tile's ports, whose outputs are low but for uo[0], which shows the net y.
func tile(body string) string {
	return `module t (input [7:0] ui_in, uio_in, output [7:0] uo_out, uio_out, uio_oe, input ena, clk, rst_n);
  wire y; assign uo_out = {7'h00, y}; assign uio_out = 8'h00; assign uio_oe = 8'h00;
` + testkit.Cells(body) + "\nendmodule"
}

// proved are the classes that are proved untestable, by the first fault of each.
func proved(t *testing.T, n *netlist.Netlist) (names []string) {
	t.Helper()
	classes := stuckat.Classes(n)
	is, err := Prove(t.Context(), n, classes)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range classes {
		if is[i] {
			names = append(names, c[0].String())
		}
	}
	slices.Sort(names)
	return names
}

// What is hidden by other gates is proved, and nothing else.
func TestByHand(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"y is ui0, whatever ui1 is", "inv i (.A(ui_in[1]), .Y(n)); nand2 a (.A(ui_in[0]), .B(ui_in[1]), .Y(p)); " +
			"nand2 b (.A(ui_in[0]), .B(n), .Y(q)); nand2 c (.A(p), .B(q), .Y(y));", "a/B stuck at 1, i/Y stuck at 1"},
		{"a gate of constants", "conb t (.HI(h)); nand2 a (.A(h), .B(ui_in[0]), .Y(y));", "t/HI stuck at 1"},
		{"what nothing reads", "inv i (.A(ui_in[0]), .Y(n)); buf b (.A(ui_in[1]), .X(y));",
			"i/Y stuck at 0, i/Y stuck at 1"},
		{"a flip-flop that nothing shows leaves a trace in itself alone, and is left open",
			"dfxtp f (.CLK(clk), .D(ui_in[0]), .Q(q)); buf b (.A(ui_in[1]), .X(y));", "f/Q stuck at 0, f/Q stuck at 1"},
		{"the clear of a flip-flop", "dfrbp f (.CLK(clk), .D(ui_in[0]), .RESET_B(rst_n), .Q(y));", ""},
		{"a clear that never comes", "conb t (.HI(h)); dfrbp f (.CLK(clk), .D(ui_in[0]), .RESET_B(h), .Q(y));",
			"t/HI stuck at 1"},
	} {
		if got := strings.Join(proved(t, netlistOf(t, tile(c.body))), ", "); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// What is proved is true: in netlists by chance no levels and no state at all show a fault that is proved, and some do
// for each that is not.
func TestAgainstAllLevels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	some := 0
	for range 20 {
		n := netlistOf(t, chance(r))
		classes := stuckat.Classes(n)
		is, err := Prove(t.Context(), n, classes)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range classes {
			if is[i] {
				some++
			}
			if is[i] == changes(n, c[0].Change()) {
				t.Errorf("%v: proved %v", &c[0], is[i])
			}
		}
	}
	if some < 20 {
		t.Errorf("only %d were proved: the test tests little", some)
	}
}

// chance is a netlist of gates by chance over four inputs and two flip-flops.
func chance(r *rand.Rand) string {
	nets := []string{"ui_in[0]", "ui_in[1]", "ui_in[2]", "rst_n", "q0", "q1"}
	pick := func() string { return nets[r.IntN(len(nets))] }
	var b strings.Builder
	for i := range 10 {
		name := string(rune('a' + i))
		switch r.IntN(3) {
		case 0:
			b.WriteString("nand2 " + name + " (.A(" + pick() + "), .B(" + pick() + "), .Y(n" + name + "));\n")
		case 1:
			b.WriteString("xor2 " + name + " (.A(" + pick() + "), .B(" + pick() + "), .X(n" + name + "));\n")
		default:
			b.WriteString("a21oi " + name + " (.A1(" + pick() + "), .A2(" + pick() + "), .B1(" + pick() + "), .Y(n" +
				name + "));\n")
		}
		nets = append(nets, "n"+name)
	}
	return tile(b.String() + "dfxtp f0 (.CLK(clk), .D(nh), .Q(q0)); dfxtp f1 (.CLK(clk), .D(ni), .Q(q1)); " +
		"buf z (.A(nj), .X(y));")
}

// inputsOf are the nets that netlists by chance read, and what their two flip-flops hold.
func inputsOf(n *netlist.Netlist) []int {
	return []int{n.In.UI[0], n.In.UI[1], n.In.UI[2], n.In.RstN, n.Flops[0].State, n.Flops[1].State}
}

// nodes are the levels of all nodes for some of inputsOf, without and with a change.
func nodes(n *netlist.Netlist, c stuckat.Change, levels uint) (v [2][]bool) {
	for faulty := range v {
		v[faulty] = make([]bool, n.Nodes)
		v[faulty][n.In.Ena] = true
		for k, net := range inputsOf(n) {
			v[faulty][net] = levels>>k&1 != 0
		}
		for i, g := range n.Gates {
			ops := n.Ops[g.Ops.From:g.Ops.To]
			if own := c.Ops[i]; own != nil && faulty == 1 {
				ops = own
			}
			for _, o := range ops {
				v[faulty][o.To] = v[faulty][o.A.Node()] != o.A.Inverted() && v[faulty][o.B.Node()] != o.B.Inverted()
			}
		}
	}
	return v
}

// shows says whether a change shows at one of some nets, or at a flip-flop without a clock, for some levels.
func shows(n *netlist.Netlist, c stuckat.Change, levels uint, at []int) bool {
	v := nodes(n, c, levels)
	for _, net := range at {
		if node := n.Lits[net].Node(); v[0][node] != v[1][node] {
			return true
		}
	}
	for _, i := range c.Hold {
		f := n.Flops[i]
		if v[0][n.Lits[f.Next].Node()] != n.Lits[f.Next].Inverted() != v[0][f.State] {
			return true
		}
	}
	return false
}

// changes says whether a change shows for any inputs and state.
func changes(n *netlist.Netlist, c stuckat.Change) bool {
	for levels := range uint(1) << len(inputsOf(n)) {
		if shows(n, c, levels, append(n.Out[:], n.Flops[0].Next, n.Flops[1].Next)) {
			return true
		}
	}
	return false
}

// A proof may take some conflicts, and is stopped by its context.
func TestConflicts(t *testing.T) {
	n := netlistOf(t, tile(`xor2 a (.A(ui_in[0]), .B(ui_in[1]), .X(p)); xor2 b (.A(p), .B(ui_in[2]), .X(q));
		xor2 c (.A(ui_in[1]), .B(ui_in[2]), .X(r)); xor2 d (.A(r), .B(ui_in[0]), .X(s)); xor2 e (.A(q), .B(s), .X(u));
		buf f (.A(u), .X(y));`)) // u is always 0, which takes the solver some conflicts
	classes := stuckat.Classes(n)
	last := stuckat.Class{}
	for _, c := range classes {
		if c[0].Cell == "e" && c[0].Pin == "X" && !c[0].Level {
			last = c
		}
	}
	if is, _ := Prove(t.Context(), n, []stuckat.Class{last}); !is[0] {
		t.Error("with its limit it is not proved")
	}
	cut, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Prove(cut, n, classes); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
