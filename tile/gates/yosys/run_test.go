package yosys

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"utfbench/internal/failure"
	"utfbench/internal/testkit"
	"utfbench/tile/gates/sim"
	"utfbench/tile/project"
)

const header = "module t(input wire clk, input wire [3:0] a, output wire [3:0] y);\n"

// written writes files to a folder with a space in its name. Files whose names end in .v are the sources.
func written(t *testing.T, files map[string]string) Design {
	t.Helper()
	if _, err := Find(); err != nil {
		t.Skip(err)
	}
	d := Design{Top: "t", ProjectDir: filepath.Join(t.TempDir(), "a tile")}
	for name, text := range files {
		path := filepath.Join(d.ProjectDir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(name) == ".v" {
			d.Sources = append(d.Sources, path)
		}
	}
	slices.Sort(d.Sources)
	return d
}

func kindsOf(c *sim.Circuit) map[sim.Kind]int {
	kinds := map[sim.Kind]int{}
	for _, cell := range c.Cells {
		kinds[cell.Kind]++
	}
	return kinds
}

// The place of a register is the line that assigns it, not the line of an enclosing instance. Its name is from its own
// module, whatever signals of other modules are connected to it.
func TestPlaces(t *testing.T) {
	d := written(t, map[string]string{
		"src/a.v": header + "wire [3:0] q;\nouter o (\n.c(clk), .d(a), .q(q));\nassign y = q;\nendmodule",
		"src/b.v": "module outer (input c, input [3:0] d, output [3:0] q);\nwire [1:0] x;\n" +
			"inner a (c, d[1:0], x);\ninner b (c, x, q[1:0]);\nassign q[3:2] = x;\nendmodule\n",
		"src/c.v": "module inner (input c, input [1:0] d, output reg [1:0] q);\nwire n;\n" +
			"\n\nturn t (q[0], n);\n" +
			"always @(posedge c) q <= {n, d[0]};\nendmodule\n" +
			"module turn (input d, output q);\nassign q = !d;\nendmodule\n",
	})
	d.CacheDir = t.TempDir()
	e := testkit.Must(Elaborate(t.Context(), d))(t)
	var got []string
	for _, c := range e.Circuit.Cells {
		if c.Kind == sim.Flop {
			p := e.Circuit.Parts[c.Part]
			got = append(got, fmt.Sprintf("%s:%d %s", filepath.Base(p.File), p.Line, p.Name))
		}
	}
	slices.Sort(got)
	want := []string{"c.v:6 o.a.q[0]", "c.v:6 o.a.q[1]", "c.v:6 o.b.q[0]", "c.v:6 o.b.q[1]"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Sources may lack a final newline, and may use include files, macros, data, names with spaces, cells of a kit, and
// undeclared nets in one file but not in another.
func TestElaborate(t *testing.T) {
	d := written(t, map[string]string{
		"src/a top.v": "`default_nettype none\n`include \"size.vh\"\n" + header + `
			wire [3:0] q, inverted;
			memory #(.FILE("rom.hex")) m (.clk(clk), .a(a), .q(q));
			sky130_fd_sc_hd__inv_2 u (.A(q[0]), .Y(inverted[0]));
			assign y = {q[3:1], inverted[0]};
			endmodule`, // without a newline
		"src/b.v": `module memory #(parameter FILE = "none") (input clk, input [` + "`LAST" + `:0] a, output [3:0] q);
			reg [3:0] rom [0:15]; reg [3:0] last = 5;
			initial $readmemh(FILE, rom);
			always @(posedge clk) last <= rom[a];
			assign implicit = last[3];
			assign q = {implicit, last[2:0]};
			endmodule`,
		"inc dir/size.vh": "`define LAST 3\n`ifndef FROM_OUTSIDE\n$no verilog\n`endif\n",
		"src/rom.hex":     "0 1 2 3 4 5 6 7 8 9 A B C D E F\n",
	})
	d.Includes, d.Defines = []string{filepath.Join(d.ProjectDir, "inc dir")}, []string{"FROM_OUTSIDE=1"}
	d.CacheDir = t.TempDir()
	e := testkit.Must(Elaborate(context.Background(), d))(t)
	if kinds := kindsOf(e.Circuit); kinds[sim.Flop] != 4 || kinds[sim.Unknown] != 0 {
		t.Errorf("kinds of primitives: %v", kinds)
	}
	at := slices.IndexFunc(e.Circuit.Cells, func(c sim.Cell) bool { return c.Kind == sim.Flop })
	if got := e.Circuit.Describe(e.Circuit.Cells[at].Part); !strings.Contains(got, "/src/") ||
		!strings.Contains(got, ".v:") {
		t.Errorf("a flip-flop is called %s", got)
	}
	for _, name := range []string{"src/a top.v", "src/b.v", "inc dir/size.vh", "src/rom.hex"} {
		if !slices.Contains(e.FilesRead, filepath.Join(d.ProjectDir, name)) {
			t.Errorf("%s is not among the files that were read: %q", name, e.FilesRead)
		}
	}
	checkDigest(t, d, e)
}

// checkDigest checks that a change of a file changes the digest if the design reads the file, and only then. The cache
// holds a circuit for each content of the data.
func checkDigest(t *testing.T, d Design, before *Elaboration) {
	data := testkit.Must(os.ReadFile(filepath.Join(d.ProjectDir, "src/rom.hex")))(t)
	for _, c := range []struct {
		file, text string
		differs    bool
	}{{"src/other.hex", "0", false}, {"src/rom.hex", "F E D C B A 9 8 7 6 5 4 3 2 1 1\n", true},
		{"src/rom.hex", string(data), false}} {
		if err := os.WriteFile(filepath.Join(d.ProjectDir, c.file), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		e := testkit.Must(Elaborate(context.Background(), d))(t)
		if same := slices.Equal(e.Circuit.Cells, before.Circuit.Cells); e.Digest != before.Digest != c.differs ||
			same == c.differs || !slices.Equal(e.FilesRead, before.FilesRead) {
			t.Errorf("%s: another digest: %v, another circuit: %v, read %q", c.file, !c.differs, !same, e.FilesRead)
		}
	}
	if kept, _ := filepath.Glob(filepath.Join(d.CacheDir, "*")); len(kept) != 3 {
		t.Errorf("the cache has %q: want two circuits, and the names of data files", kept)
	}
}

// A flip-flop is unknown after power-up despite an initial block, and is kept even if its data are constant.
func TestInitialValuesAreDropped(t *testing.T) {
	d := written(t, map[string]string{"src/a.v": header + `reg [3:0] q = 3;
		reg [3:0] ram [0:1]; initial begin ram[0] = 0; ram[1] = 0; end
		always @(posedge clk) begin if (&q) q <= q + 1; if (a[0]) ram[a[1]] <= ram[!a[1]]; end
		assign y = q ^ ram[a[1]];
		endmodule`})
	e := testkit.Must(Elaborate(context.Background(), d))(t)
	if n := kindsOf(e.Circuit)[sim.Flop]; n != 12 {
		t.Errorf("%d flip-flops, want 12", n)
	}
}

// An array of instances connects one bit to each instance. Modules with the attribute keep_hierarchy, or with names
// such as Yosys makes, are part of the circuit like all others.
func TestModulesOfAllKinds(t *testing.T) {
	d := written(t, map[string]string{"src/a.v": header + "sky130_fd_sc_hd__inv_2 i[1:0] (.A(a[1:0]), .Y(y[1:0]));\n" +
		"(* keep_hierarchy *) \\$paramod\\sub\\W=2 s (.i(a[3:2]), .o(y[3:2])); endmodule\n" +
		"(* keep_hierarchy *) module \\$paramod\\sub\\W=2 (input [1:0] i, output [1:0] o); assign o = ~i; endmodule\n"})
	e := testkit.Must(Elaborate(context.Background(), d))(t)
	inverted := map[sim.Net]bool{}
	for _, c := range e.Circuit.Cells {
		if c.Kind == sim.Not {
			inverted[c.In[0]] = true
		}
	}
	if len(inverted) != 4 {
		t.Errorf("%d nets are inverted, want 4", len(inverted))
	}
}

// Pins by position follow the order of the kit's module: the output first and the select input last.
func TestPinsByPosition(t *testing.T) {
	var made [2][]sim.Cell
	for i, pins := range []string{"y[0], a[0], a[1], a[2]", ".S(a[2]), .A1(a[1]), .X(y[0]), .A0(a[0])"} {
		d := written(t, map[string]string{"src/a.v": header + `sky130_fd_sc_hd__mux2_1 m(` + pins + `);
			sky130_fd_sc_hd__diode_2 d(.DIODE(a[3]));
			assign y[3:1] = 0; endmodule`})
		e := testkit.Must(Elaborate(context.Background(), d))(t)
		made[i] = e.Circuit.Cells
	}
	if !slices.Equal(made[0], made[1]) {
		t.Errorf("by position %v, by name %v", made[0], made[1])
	}
}

// Elaborate reports undeclared names that nothing drives, even in an instance, also from the cache. A default_nettype
// directive of one file does not affect another file.
func TestUndeclared(t *testing.T) {
	d := written(t, map[string]string{
		"src/a.v": header + "sub s(.i(low), .o(y[0]));\nassign low = a[0];\n" +
			"assign y[3:1] = {3{a[1] & hgih}};\nendmodule",
		"src/b.v": "module sub(input wire i, output wire o);\nassign o = i ^ inevrted;\nendmodule",
		"src/c.v": "`default_nettype none\nmodule unused; endmodule\n",
	})
	d.CacheDir = t.TempDir()
	for range 2 {
		e := testkit.Must(Elaborate(context.Background(), d))(t)
		want := []project.Finding{
			{File: d.Sources[0], Line: 4, Text: "hgih is not declared, and nothing drives it"},
			{File: d.Sources[1], Line: 2, Text: "inevrted is not declared, and nothing drives it"}}
		if !slices.Equal(e.Undriven, want) {
			t.Errorf("got  %v\nwant %v", e.Undriven, want)
		}
	}
}

func TestElaborateRefuses(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.vh")
	if err := os.WriteFile(outside, []byte("wire x;\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{header + "assign y = ;\nendmodule", "src/a.v:2: syntax error, unexpected ';'"},
		{header + "assign y = a assign x = 1;\nendmodule", "src/a.v:2: syntax error, unexpected assign"},
		{header + "assign y = a a;\nendmodule", "src/a.v:2: syntax error, unexpected name"},
		{header + "\n  `include \"size.vh\"\nassign y = a;\nendmodule",
			"src/a.v:3: no include file size.vh beside the sources: `includes` of bench-tile.yaml adds a folder"},
		{header + "reg [3:0] q; assign y = q; always_comb if (clk) q = a;\nendmodule",
			"q of module t would be a latch, since its always_comb does not assign it in every case: assign"},
		{header + "reg [3:0] q; assign y = q; always @(posedge clk or negedge a[0]) q <= a;\nendmodule",
			"an always block lists several edges, and does not begin with an if for its asynchronous reset"},
		{header + "reg [3:0] m [1:0]; assign y = m[clk]; initial $readmemh(\"none.hex\", m);\nendmodule",
			"src/a.v: no data file none.hex for $readmemh: `workdir` of bench-tile.yaml is the folder"},
		{header + "assign y = a; assign a = {4{clk}};\nendmodule", "it is an input, but the sources drive it"},
		{"module t(input wire clk, inout wire [3:0] y, output wire z);\nassign z = y[0];\nendmodule",
			"port y: it is inout, and joined to a constant or another port"},
		{header + "assign y = a;\n", "src/a.v: it ends inside of a module: is an endmodule missing?"},
		{header + "nobody n(a, y);\nendmodule", "module nobody, which module t has as n, is in none of the sources"},
		{header + "uart_txx u(a, y);\nendmodule\nmodule uart_tx; endmodule",
			"is in none of the sources (did you mean uart_tx?)"},
		{header + "part p(.a(a), .yy(y));\nendmodule\nmodule part(input [3:0] a, output [3:0] y); endmodule",
			"part has no port yy, which its instance p in t connects"},
		{header + "part #(.N(2)) p(.a(a), .yy(y));\nendmodule\n" +
			"module part #(parameter N = 1) (input [3:0] a, output [3:0] y); endmodule",
			"part has no port yy, which its instance p in t connects"},
		{"`default_nettype none\n" + header + "assign low = a[0];\nassign y = {4{low}};\nendmodule\n" +
			"`default_nettype wire",
			"src/a.v:3: low is not declared, and `default_nettype is none"},
		{"module other; endmodule", "Module `t' not found"},
		{"`include \"missing.vh\"\n", "src/a.v:1: no include file missing.vh beside the sources"},
		{header + "`include \"" + outside + "\"\nassign y = a; endmodule", "secret.vh, which is outside of "},
		{header + "reg [3:0] m [0:15]; initial $readmemh(\"" + outside + "\", m); assign y = m[a]; endmodule",
			"secret.vh"},
		{header + "gf180mcu_fd_sc_mcu7t5v0__mux2_1 m(y[0], a[0], a[1], a[2]); endmodule",
			"src/a.v:2: cell m (gf180mcu_fd_sc_mcu7t5v0__mux2_1): its pins are connected by position"},
		{header + `reg [1:0] m [0:1]; always @(posedge clk) m[a[0]] <= a;
			sky130_fd_sc_hd__inv_2 array[1:0] (.A(m[1]), .Y(y[1:0])); endmodule`,
			"the array of instances array has a word of the memory m at a pin"},
		{header + "import \"DPI-C\" function integer getpid();\nassign y = getpid(); endmodule",
			"src/a.v: Found DPI function"},
	} {
		d := written(t, map[string]string{"src/a.v": c.text})
		_, err := Elaborate(context.Background(), d)
		if failure.KindOf(err) != failure.User || !strings.Contains(err.Error(), c.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// Without Yosys the error explains how to get it; VHDL is rejected.
func TestNoYosys(t *testing.T) {
	d := Design{Top: "t"}
	t.Setenv("PATH", t.TempDir())
	t.Setenv("YOSYSHQ_ROOT", "")
	for _, c := range []struct{ source, want string }{
		{"a.v", "apt-get install yosys"}, {"src/top.vhdl", "src/top.vhdl is VHDL"},
	} {
		d.Sources = []string{c.source}
		if _, err := Elaborate(context.Background(), d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Error(err)
		}
	}
}
