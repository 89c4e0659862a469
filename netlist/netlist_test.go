package netlist

import (
	"os"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/tile/gates/cells"
	"utfbench/tile/gates/circuit"
)

// Own reads a netlist of this project's own.
func own(t testing.TB, name string) *Netlist {
	t.Helper()
	n, err := Read(file(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func file(t testing.TB, name string) File {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return File{name, string(text)}
}

// tile is a module with a tile's ports, whose outputs are low but for uo[0], which shows the net y.
func tile(body string) string {
	return `module t (input [7:0] ui_in, uio_in, output [7:0] uo_out, uio_out, uio_oe, input ena, clk, rst_n,
  inout VPWR, VGND);
  wire y; assign uo_out = {7'h00, y}; assign uio_out = 8'h00; assign uio_oe = 8'h00;
` + testkit.Cells(body) + "\nendmodule"
}

// What cannot be simulated is named, with its cell.
func TestRefused(t *testing.T) {
	for _, c := range [][2]string{
		{"nand9 g (.A(ui_in[0]), .Y(y));",
			"n.v: cell nand9, of g in line 4, is in none of the kits that utfbench has a table of (gf180mcu_"},
		{"inv g (.A(n), .Y(y));",
			"the net n is driven by nothing, and the pin A of g (sky130_fd_sc_hd__inv_1) reads it"},
		{"inv g (.A(ui_in), .Y(y));",
			"cell sky130_fd_sc_hd__inv_1, of g in line 4, has 8 bits at its pin A, and a cell's pin has one"},
		{"inv g (.Y(y));", "cell sky130_fd_sc_hd__inv_1, of g in line 4, has nothing at its pin A"},
		{"inv g (.A(clk), .Y(y)); buf h (.A(ena), .X(y));",
			"the net y is driven by both the pin Y of g and the pin X of h"},
		{"inv g (.A(h), .Y(y)); inv i (.A(y), .Y(h));", "gates read each other in a circle"},
		{"inv g (.A(clk), .Y(c)); dfxtp f (.CLK(c), .D(ena), .Q(y));",
			"f (sky130_fd_sc_hd__dfxtp_1) takes its bit at the falling edge of clk"},
		{"nand2 g (.A(clk), .B(ena), .Y(c)); dfxtp f (.CLK(c), .D(ena), .Q(y));",
			"the clock of f comes through g (sky130_fd_sc_hd__nand2_1), " + "which is no buffer and no inverter"},
		{"dfxtp f (.CLK(ui_in[0]), .D(ena), .Q(y));", "the clock of f comes from the net ui_in[0]"},
		{"dfxtp d (.CLK(clk), .D(ena), .Q(c)); dfxtp f (.CLK(c), .D(ena), .Q(y));",
			"the clock of f comes from the flip-flop d: divided clocks are not supported"},
		{"sky130_fd_sc_hd__dlxtp_1 g (.D(ena), .GATE(clk), .Q(y));",
			"cell sky130_fd_sc_hd__dlxtp_1, of g in line 4, has a latch, which is not supported"},
		{"sky130_fd_sc_hd__ebufn_1 g (.A(ena), .TE_B(clk), .Z(y));", "of g in line 4, has a tristate output, which"},
		{"sky130_fd_sc_hd__dfrtn_1 g (.D(ena), .CLK_N(clk), .RESET_B(rst_n), .Q(y));",
			"takes its bit at something else than the rising edge of one pin"},
		{"t g (.A(ena), .Y(y));", "is a module of its own: give a netlist that is flat"},
	} {
		body, want := c[0], c[1]
		_, err := Read(File{"n.v", tile(body)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
	for _, c := range [][2]string{
		{"module m; endmodule", "module m has no port ui_in"},
		{"", "it has no module"},
		{tile("") + "\n" + tile(""), "both t and t have the ports of a tile"},
	} {
		text, want := c[0], c[1]
		if _, err := Read(File{"n.v", text}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v, want %q", text, err, want)
		}
	}
}

// Each cell of the table that holds nothing has the same function here, and fits into the tables of gates.
func TestCells(t *testing.T) {
	text, err := os.ReadFile("../tile/gates/cells/cells.txt")
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for line := range strings.Lines(string(text)) {
		for _, library := range cells.Libraries() {
			base, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			of, known := cells.Find(library + base + "_1")
			if !known || of.Filler() || of.Holds != circuit.Unknown || of.Function(cells.Drive) != nil {
				continue
			}
			tried++
			checkCell(t, library+base, of)
		}
	}
	if tried < 200 {
		t.Errorf("only %d cells", tried)
	}
}

func checkCell(t *testing.T, name string, of *cells.Cell) {
	t.Helper()
	c, err := cellOf(name, of)
	if err != nil || len(c.pins) > 6 {
		t.Fatalf("%s: %v, %d inputs", name, err, len(c.pins))
	}
	for _, o := range c.outputs {
		for levels := range uint(1) << len(c.pins) {
			want := of.Function(o.pin).Eval(func(pin string) bool {
				return levels>>slices.Index(of.Inputs, pin)&1 != 0
			}, false)
			if got := o.function.eval(levels, false); got != want {
				t.Errorf("%s, pin %s at %b: %v, want %v", name, o.pin, levels, got, want)
			}
		}
	}
}

// Cells without logic are passed over, supplies are levels, and the clock's own cells are set apart.
func TestUnderstood(t *testing.T) {
	n, err := Read(File{"n.v", tile(`
  fill f1 (.VPWR(VPWR), .VGND(VGND)); tap t1 (); diode d (.DIODE(ui_in[0]));
  buf b1 (.A(clk), .X(c1)); inv b2 (.A(c1), .Y(c2)); inv b3 (.A(c2), .Y(c3));
  dfxtp f (.CLK(c3), .D(n), .Q(y)); nand2 \g[0] (.A(VPWR), .B(ui_in[1]), .Y(n));`)})
	if err != nil {
		t.Fatal(err)
	}
	if len(n.Flops) != 1 || len(n.Clock) != 3 || n.Cells != 8 {
		t.Errorf("%d flip-flops, %d cells of the clock, %d cells", len(n.Flops), len(n.Clock), n.Cells)
	}
	found := false
	for _, g := range n.Gates {
		found = found || g.Cell == "g[0]"
	}
	if !found {
		t.Error("no gate g[0]")
	}
}

// run does operations on a level a node.
func run(n *Netlist, ops []Op, v []bool) {
	get := func(l Lit) bool { return v[l.Node()] != l.Inverted() }
	for _, o := range ops {
		v[o.To] = get(o.A) && get(o.B)
	}
}

// The operations of each gate compute its functions, for all levels of its pins, with each pin stuck and each output
// fixed as well.
func TestOperations(t *testing.T) {
	for _, name := range []string{"turn.v", "chip.v"} {
		n := own(t, name)
		for i := range n.Gates {
			g := &n.Gates[i]
			for levels := range uint(1) << len(g.In) {
				check(t, n, g, levels, levels, n.Ops[g.Ops.From:g.Ops.To], none, false)
				for pin := range g.In {
					check(t, n, g, levels, levels&^(1<<pin), n.Stuck(i, pin, false), none, false)
					check(t, n, g, levels, levels|1<<pin, n.Stuck(i, pin, true), none, false)
				}
				for out := range g.Out {
					check(t, n, g, levels, levels, n.Fixed(i, out, true), out, true)
					check(t, n, g, levels, levels, n.Fixed(i, out, false), out, false)
				}
			}
			if t.Failed() {
				return
			}
		}
	}
}

const none = -1

// check holds operations against the functions at the levels that are seen; the output fixed keeps its level.
func check(t *testing.T, n *Netlist, g *Gate, levels, seen uint, ops []Op, fixed int, level bool) {
	t.Helper()
	nets := map[int]bool{}
	for k, net := range g.In {
		if was, twice := nets[net]; twice && was != (levels>>k&1 != 0) {
			return // two pins at one net
		}
		nets[net] = levels>>k&1 != 0
	}
	if nets[0] {
		return // the constant 0
	}
	v := make([]bool, n.Nodes)
	for net, is := range nets {
		v[n.Lits[net].Node()] = is != n.Lits[net].Inverted()
	}
	if len(ops) != g.Ops.To-g.Ops.From {
		t.Fatalf("%s: %d operations in place of %d", g.Cell, len(ops), g.Ops.To-g.Ops.From)
	}
	run(n, ops, v)
	for k, net := range g.Out {
		want := g.functions[k].eval(seen, false)
		if k == fixed {
			want = level
		}
		if got := v[n.Lits[net].Node()] != n.Lits[net].Inverted(); got != want {
			t.Errorf("%s (%s) at %b, seen as %b, output %d: got %v, want %v", g.Cell, g.Type, levels, seen, k, got,
				want)
		}
	}
}

// Each gate comes after those that it reads.
func TestOrder(t *testing.T) {
	n := own(t, "chip.v")
	driver := map[int]int{}
	for i, g := range n.Gates {
		for _, net := range g.Out {
			driver[net] = i
		}
	}
	for i, g := range n.Gates {
		for _, net := range g.In {
			if from, driven := driver[net]; driven && from >= i {
				t.Errorf("%s reads %s, which comes later", g.Cell, n.Nets[net])
			}
		}
	}
}

// FuzzRead has whole netlists in the tests' cells: one sentence, or a netlist.
func FuzzRead(f *testing.F) {
	f.Add("dfrbp f (.CLK(clk), .D(ui_in[0]), .RESET_B(rst_n), .Q(q), .Q_N(y));")
	f.Add("buf b (.A(clk), .X(c)); dfxtp f (.CLK(c), .D(y), .Q(q)); inv i (.A(q), .Y(y));")
	f.Add("conb t (.HI(y), .LO()); assign n = y; mux2 m (.A0(n), .A1(n), .S(n), .X());")
	f.Fuzz(func(t *testing.T, body string) {
		n, err := Read(File{"n.v", tile(body)})
		if err == nil && n.Nodes < len(n.Nets) {
			t.Error("nodes are missing")
		}
	})
}
