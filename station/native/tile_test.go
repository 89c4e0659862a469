package native

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/yosys"
	"utfbench/tile/project"
)

const testdata = "../../tile/gates/testdata/"

// Without Yosys a tile has no reference. The error of the mock and the notes of a run explain how to install it.
func TestNoYosys(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("YOSYSHQ_ROOT", "")
	const cure = "yosys is not installed; it makes the gates of a tile's RTL: apt-get install yosys"
	target := NewTarget("mock")
	target.TileName = testdata + "turn"
	if err := target.OpenTile(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := target.Open(t.Context()); err == nil || !strings.Contains(err.Error(), cure) {
		t.Error(err)
	}
	target.Transport = "netlist:" + testdata + "tt_um_bench_turn.v"
	run := station.Run{Target: target, Vectors: plan.Selection{RandomSteps: 20}, NoWiring: true}
	for _, step := range []func(context.Context) error{run.Plan, run.Open, run.Prepare} {
		if err := step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	defer run.Close()
	if _, err := run.Judge(t.Context(), report.Reporters{}); err != nil {
		t.Error(err)
	}
	if c := run.Chip; c.ReferenceName != report.NoReference || !strings.Contains(strings.Join(c.Notes, "\n"), cure) {
		t.Errorf("compared with %q, notes %q", c.ReferenceName, c.Notes)
	}
}

// If a tile has no gates, gates.Show takes the driver of uio from bench-tile.yaml, or shows that it is unknown.
func TestShowWithoutGates(t *testing.T) {
	lines := uint8(0x10)
	for want, outputs := range map[string]*uint8{`uio4 +input or output\n`: nil, `uio4 +output\n`: &lines} {
		var b strings.Builder
		err := gates.Show(&b, gates.DescribedTile{About: &project.Project{Top: "tt_um_x", Outputs: outputs}})
		if err != nil || !regexp.MustCompile(want).MatchString(b.String()) {
			t.Errorf("no %s: %v\n%s", want, err, &b)
		}
	}
}

// The description of a built-in tile without revisions names no revision.
func TestShowBuiltIn(t *testing.T) {
	var b strings.Builder
	err := gates.Show(&b, tile.FactoryTest{})
	if err != nil || !regexp.MustCompile(`(?m)^reference +the model in this program$`).MatchString(b.String()) {
		t.Errorf("%v\n%s", err, &b)
	}
}

// The check finds signals that are not driven, not set or unintended. It names their module, or else the top module.
func TestCheckTile(t *testing.T) {
	if _, err := yosys.Find(); err != nil {
		t.Skip(err)
	}
	const rest = "assign uio_out = 0, uio_oe = 0;\n"
	for _, c := range []struct{ body, more, want string }{
		{body: "assign uo_out = ui_in;\n" + rest},
		{body: "wire [7:0] q; outer o (clk, ui_in, q); assign uo_out = q;\n" + rest,
			more: "module outer(input c, input [7:0] d, output [7:0] q);\ninner i (c, d, q);\nendmodule\n" +
				"module inner(input c, input [7:0] d, output reg [7:0] q);\n" +
				"always @(posedge c) q <= q + d;\nendmodule\n",
			want: "b.v:5: o.i.q is never reset, nor set by random steps: it starts from an unknown value"},
		{body: "wire q; outer o (clk, ui_in, q); assign uo_out = {8{q}};\n" + rest,
			more: "module outer(input c, input [7:0] d, output q);\nreg [7:0] m\n[0:1];\n" +
				"always @(posedge c) m[d[0]] <= m[d[1]];\nassign q = ^m[1];\nendmodule\n",
			want: "a.v:1: o.m is never reset, nor set by random steps: it starts from an unknown value"},
		{body: "outer o (ui_in, uo_out);\n" + rest,
			more: "module outer(input [7:0] d, output reg [7:0] q);\nreg [1:0] r;\n" +
				"always @*\nif (d[0]) q = d;\nalways_latch if (d[1]) r = d[2:1];\nendmodule\n",
			want: "b.v:3: o.q is a latch, since this block does not assign it in every case: assign a default first, " +
				"or write always_latch if the latch is intended"},
		{body: "outer o (ui_in, uo_out);\n" + rest,
			more: "module outer(input [7:0] d, output reg [7:0] q);\nalways_latch\nif (d[0]) q = d;\nendmodule\n"},
		{body: "assign uo_out[7:4] = ui_in;\nassign uio_out = 0;\n",
			want: "a.v:1: nothing drives uo0-uo3 (uo_out): assign every output of the top module, unused " +
				"ones to 0\na.v:1: nothing drives uio0-uio7 (uio_oe): assign every output of the top module, " +
				"unused ones to 0"},
		{body: "reg [7:0] q; always @(posedge clk) q <= ui_in;\nalways @(posedge clk) if (!rst_n) q <= 0;\n" +
			"assign uo_out = q;\n" + rest,
			want: "a.v:4: q is driven from another place, too, so its level is unknown where they differ: assign " +
				"it in one block"},
		{body: "outer o (ui_in, uo_out);\nassign uo_out = 0;\n" + rest,
			more: "module outer(input [7:0] d, output [7:0] q);\nassign q = d;\nendmodule\n",
			want: "info.yaml:1: it has no gates: Yosys rejects the design: the output q of the instance o in tt_um_x " +
				"drives bits that are 8'00000000 by an assignment as well: assign each bit in one place"},
		{body: "reg [7:0] q, r; always @(posedge clk) {q, r} <= {r, ui_in};\nassign uo_out = q;\n" + rest},
	} {
		of := checked(t, c.body, map[string]string{"src/b.v": c.more,
			"info.yaml": "project: {top_module: tt_um_x, source_files: [a.v, b.v]}\n"})
		var got []string
		found, err := gates.CheckTile(of)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			f.File = filepath.Base(f.File)
			got = append(got, f.String())
		}
		if said := strings.Join(got, "\n"); said != c.want {
			t.Errorf("%s%s\ngot  %s\nwant %s", c.body, c.more, said, c.want)
		}
	}
}

// checked opens the tile of a project whose top module has this body, with more files.
func checked(t *testing.T, body string, more map[string]string) tile.Tile {
	t.Helper()
	dir := t.TempDir()
	more["src/a.v"] = "module tt_um_x (input [7:0] ui_in, uio_in, output [7:0] uo_out, uio_out, uio_oe,\n" +
		"input ena, clk, rst_n);\n" + body + "endmodule\n"
	for name, text := range more {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, "src"), 0o700),
			os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	of := NewTarget("")
	of.TileName, of.WithoutGates = dir, true
	if err := of.OpenTile(t.Context()); err != nil {
		t.Fatal(err)
	}
	return of.Tile
}

// The check names a register only if its reset is active at another level than the design's.
func TestInvertedReset(t *testing.T) {
	if _, err := yosys.Find(); err != nil {
		t.Skip(err)
	}
	const good = "reg [7:0] q, p; assign uo_out = q, uio_out = p;\n" +
		"always @(posedge clk) if (!rst_n) q <= 0; else q <= ui_in;\n"
	for body, want := range map[string]string{
		"always @(posedge clk) if (rst_n) p <= 0; else p <= p + q;\n": "p is set by a high rst_n, and not by a " +
			"low one, which is the reset: is its condition inverted?",
		"always @(posedge clk or posedge rst_n) if (rst_n) p <= 0; else p <= p + q;\n":  "p is set by a high rst_n",
		"always @(posedge clk or negedge rst_n) if (!rst_n) p <= 0; else p <= p + q;\n": "",
		"reg r; always @(posedge clk or negedge rst_n) if (!rst_n) r <= 0; else r <= 1;\n" +
			"always @(posedge clk) if (rst_n) p <= r;\n": "",
		"always @(posedge clk) if (rst_n) p <= q;\n":                                "",
		"always @(posedge clk) p <= {p[6:0], rst_n};\n":                             "",
		"always @(posedge clk) if (rst_n) begin p <= 0; if (q == 99) p <= 1; end\n": "",
	} {
		found, err := gates.CheckTile(checked(t, good+body,
			map[string]string{"info.yaml": "project: {top_module: tt_um_x, source_files: [a.v]}\n"}))
		if said := fmt.Sprint(found); err != nil || !strings.Contains(said, want) ||
			strings.Contains(said, " inverted?") != (want != "") {
			t.Errorf("%s: %s, %v", body, said, err)
		}
	}
}

// The check names a design only if its reset is active at another level of rst_n than the project states.
func TestContraryReset(t *testing.T) {
	if _, err := yosys.Find(); err != nil {
		t.Skip(err)
	}
	const rest = "q <= 0; else q <= q + ui_in; assign uo_out = q;\n"
	for _, c := range []struct{ body, own, want string }{
		{"always @(posedge clk) if (rst_n) " + rest, "", ": the reset seems to be active high: such an rst_n sets q " +
			"and all else that is reset, a low one nothing. Tiny Tapeout resets with a low one: write if (!rst_n), " +
			"and negedge rst_n for posedge rst_n. If a high reset is intended, add reset: {level: high} to bench-"},
		{"always @(posedge clk or posedge rst_n) if (rst_n) " + rest, "", "a.v:4: the reset seems to be active"},
		{"always @(posedge clk) if (!rst_n) " + rest, "reset: {level: high}\n", "the reset seems to be active low: "},
		{"always @(posedge clk) if (rst_n) " + rest, "reset: {level: high}\n", ""},
		{"always @(posedge clk) if (!rst_n) " + rest, "", ""},
		{"always @(posedge clk or negedge rst_n) if (!rst_n) " + rest, "", ""},
		{"reg [7:0] kept; assign uio_out = kept; always @(posedge clk) if (rst_n) kept <= ui_in;\n" +
			"always @(posedge clk or negedge rst_n) if (!rst_n) " + rest, "", ""},
		{"always @(posedge clk) q <= ui_in; assign uo_out = q;\n", "", ""},
		{"assign uo_out = clk ? q : ~q; always @(negedge clk) q <= ui_in;\n", "", "uo0-uo7 follow the level of clk"},
	} {
		more := map[string]string{"info.yaml": "project: {top_module: tt_um_x, source_files: [a.v]}\n"}
		if c.own != "" {
			more["bench-tile.yaml"] = c.own
		}
		found, err := gates.CheckTile(checked(t, "reg [7:0] q;\n"+c.body, more))
		if said := fmt.Sprint(found); err != nil || !strings.Contains(said, c.want) ||
			(strings.Contains(said, "the reset seems") || strings.Contains(said, " follow ")) != (c.want != "") {
			t.Errorf("%s%s: %s, %v", c.own, c.body, said, err)
		}
	}
}
