package yosys

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/internal/failure"
	"utfbench/tile/gates"
	"utfbench/tile/project"
)

// ports is the head of the top module of a project.
const ports = "module t (input [7:0] ui_in, uio_in, output [7:0] uo_out, uio_out, uio_oe, input ena, clk, rst_n);\n" +
	"assign uio_out = ui_in; assign uio_oe = ui_in;\n"

// opened opens a project of one source, with more lines of its info.yaml, and a makefile of its test.
func opened(t *testing.T, source, lines, makefile string) (*project.Project, *gates.Tile, error) {
	t.Helper()
	d := written(t, map[string]string{"src/a.v": source, "test/Makefile": makefile,
		"src/size.vh": "`define SIZE `WIDTH\n",
		"info.yaml":   "project:\n  top_module: t\n  source_files: [a.v]\n" + lines})
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	p, err := project.Open(d.Home)
	if err != nil {
		t.Fatal(err)
	}
	x, err := Open(t.Context(), p, nil)
	return p, x, err
}

// Only macros that the sources use as values but do not define are assumed, and are part of the revision. A rejection
// names the others.
func TestAssumed(t *testing.T) {
	const makefile = "COMPILE_ARGS += -DSIM -DFAST -DN=1 -DN=2\nCOMPILE_ARGS += -DWIDTH=3 -DDEPTH\n"
	for _, c := range []struct{ body, assumed, err string }{
		{"assign uo_out = ui_in;", "", ""},
		{"`ifdef FAST\nassign uo_out = ~ui_in;\n`else\nassign uo_out = ui_in;\n`endif", "", ""},
		{"assign uo_out = ui_in[`WIDTH:0];", "+WIDTH=3(test/Makefile:2)", ""},
		{"`include \"size.vh\"\nassign uo_out = ui_in[`SIZE:`DEPTH];",
			"+WIDTH=3(test/Makefile:2)+DEPTH(test/Makefile:2)", ""},
		{"`ifdef SIM\nassign uo_out = ui_in[`WIDTH:0];\n`else\nmodel m (ui_in, uo_out);\n`endif", "",
			"module model, which module t has as m, is in none of the sources"},
		{"assign uo_out = ui_in[`NOBODY:`WIDTH];", "", "undefined macro `NOBODY"},
		{"assign uo_out = ui_in[`N:0];", "", "undefined macro `N."},
	} {
		p, x, err := opened(t, ports+c.body+"\nendmodule\n", "", makefile)
		if c.err != "" {
			if failure.KindOf(err) != failure.User || !strings.Contains(err.Error(), c.err) ||
				!strings.Contains(err.Error(), " is set by test/Makefile:") {
				t.Errorf("%s: %v, want %s", c.body, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		if got := x.Revision()[len("rtl-0123456789"):]; got != c.assumed || len(p.Defines) != strings.Count(got, "+") {
			t.Errorf("%s: assumed %q, want %q; defined are %q", c.body, got, c.assumed, p.Defines)
		}
	}
}

// Versions of a tile by other macros have the same gates, levels that differ, or neither.
func TestCompare(t *testing.T) {
	const makefile = "ARGS += -DFAST\n"
	for _, c := range []struct{ body, want string }{
		{"`ifdef FAST\ninitial begin $dumpfile(\"t.vcd\"); #1; end\n`endif\n" +
			"reg [3:0] q; always @(posedge clk) q <= q + ui_in;\nassign uo_out = ui_in + uio_in + q;", ""},
		{"`ifdef FAST\nassign uo_out = {ui_in[6:0], ui_in[7]};\n`else\nassign uo_out = ui_in;\n`endif",
			"differ on uo0, uo3, uo5, uo7 at random step 2"},
		{"assign uo_out = ui_in\n`ifdef FAST\n&\n`else\n|\n`endif\nuio_in;", "differ on uo3, uo7 at random step 3"},
		{"assign uo_out = \n`ifdef FAST\n0\n`else\n255\n`endif\n;",
			"differ on uo0, uo1, uo2, uo3, uo4, uo5, uo6, uo7 at random step 1"},
		{"reg q; always @(posedge clk) q <= !q; assign uo_out = \n`ifdef FAST\nui_in\n`else\n{8{q}}\n`endif\n;",
			"differ, but on no line in 2000 random steps"},
		{"reg [30:0] n; always @(posedge clk) if (!rst_n) n <= 0; else n <= n + 1; assign uo_out = \n" +
			"`ifdef FAST\nn[30]\n`else\nn[29]\n`endif\n;", "differ, but on no line in 2000 random steps"},
	} {
		p, x, err := opened(t, ports+c.body+"\nendmodule\n", "", makefile)
		if err != nil {
			t.Fatal(err)
		}
		macros, err := p.TestMacros(p.Defines)
		if err != nil || len(macros) != 1 {
			t.Fatal(macros, err)
		}
		other, err := x.RTL.WithMacros(t.Context(), macros)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := x.Compare(other); got != c.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", c.body, got, err, c.want)
		}
	}
}

// A module missing from the files of --against is no mistake of source_files.
func TestMissingFromReference(t *testing.T) {
	p, _, err := opened(t, ports+"assign uo_out = ui_in;\nendmodule\n", "", "")
	if err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(t.TempDir(), "half.v")
	if err := os.WriteFile(half, []byte(ports+"dac d (ui_in, uo_out);\nendmodule\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.Reference = []string{half}
	if _, err = Open(t.Context(), p, nil); err == nil ||
		!strings.Contains(err.Error(), " is in none of the sources: list its file in --against, after a comma; ") {
		t.Error(err)
	}
}

// An analog tile without a module of its own is called analog, with a hint to use the netlist.
func TestAnalogIncomplete(t *testing.T) {
	for lines, want := range map[string]string{"": "Yosys rejects the design: module dac, ",
		"  analog_pins: 2\n": "info.yaml:4: the tile is analog, with 2 analog pins, and not all of it is in Verilog: " +
			"Yosys rejects the design: module dac, "} {
		_, _, err := opened(t, ports+"dac d (ui_in, uo_out);\nendmodule\n", lines, "")
		if failure.KindOf(err) != failure.User || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "or give --tile the netlist that was fabricated") {
			t.Errorf("%q: %v, want %s", lines, err, want)
		}
		if analog := strings.Contains(err.Error(), "analog"); analog != (lines != "") {
			t.Errorf("%q: %v", lines, err)
		}
	}
}
