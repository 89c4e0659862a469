package native

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile"
	"utfbench/tile/gates/yosys"
)

// constructs maps names to bodies of good tiles, with a register q, that simulators and Yosys may read differently.
var constructs = map[string]string{
	"case of a floating input": "reg [7:0] o; always @* case ({uio_in[0], ui_in[1:0]}) 0: o = 6; 1: o " +
		"= 37; 2: o = 65; " +
		"3: o = 95; 4: o = 122; 5: o = 153; 6: o = 181; 7: o = 211; endcase assign uo_out = o;",
	"casex": "reg [7:0] o; always @* casex (uio_in[1:0]) 2'b1x: o = 1; 2'b01: o = 2; default: o = 3; endcase " +
		"assign uo_out = o;",
	"casez": "reg [7:0] o; always @* casez (ui_in[3:0]) 4'b1???: o = 1; 4'b01??: o = 2; default: o = 3; endcase " +
		"assign uo_out = o;",
	"divisor of zero": "always @(posedge clk) if (!rst_n) q <= 0; else q <= {ui_in[7:4] / ui_in[3:0], ui_in[7:4] % " +
		"ui_in[3:0]}; assign uo_out = q;",
	"constant zero divisor": "assign uo_out = ui_in[0] ? ui_in / 8'd3 : ui_in % 8'd5;",
	"signed division":       "wire signed [7:0] a = ui_in; assign uo_out = a / 8'sd3 + a % 8'sd7;",
	"negative divisor":      "wire signed [3:0] a = ui_in[3:0], b = ui_in[7:4]; assign uo_out = {a / b, a % b};",
	"part written below": "always @(posedge clk) if (!rst_n) q <= 0; else q[ui_in[2:0] -: 4] <= " +
		"ui_in[6:3]; assign uo_out = q;",
	"part written above": "always @(posedge clk) if (!rst_n) q <= 0; else q[ui_in[2:0] +: 4] <= " +
		"ui_in[6:3]; assign uo_out = q;",
	"part read above":  "assign uo_out = ui_in[ui_in[2:0] +: 4];",
	"part read below":  "assign uo_out = ui_in[ui_in[2:0] -: 4];",
	"bit out of range": "wire [9:0] r = {ui_in, 2'b10}; assign uo_out = {8{r[ui_in[3:0]]}};",
	"bit written outside": "reg [4:0] r; always @(posedge clk) if (!rst_n) r <= 0; else r[ui_in[2:0]] " +
		"<= ui_in[3]; assign " +
		"uo_out = r;",
	"ten words": "reg [7:0] m [0:9]; always @(posedge clk) begin m[ui_in[3:0]] <= ui_in; q <= m[ui_in[7:4]]; end " +
		"assign uo_out = rst_n ? q : 0;",
	"negative index":    "wire [3:-4] r = ui_in; wire signed [3:0] i = ui_in[3:0]; assign uo_out = {8{r[i]}};",
	"comparison with x": "assign uo_out = uio_in === 8'bx ? 1 : 2;",
	"initial value":     "reg [7:0] r = 5; always @(posedge clk) r <= r + 1; assign uo_out = r;",
	"sensitivity":       "reg [7:0] o; always @(ui_in) o = ui_in ^ uio_in; assign uo_out = o;",
	"missing signal":    "reg [7:0] o; always @(ui_in[3:0]) o = ui_in; assign uo_out = o;",
	"race": "reg [7:0] r; always @(posedge clk) r = ui_in; always @(posedge clk) q <= r; " +
		"assign uo_out = q;",
	"late race": "reg [7:0] r; always @(posedge clk) q <= r; always @(posedge clk) r = ui_in; " +
		"assign uo_out = q;",
	"own clock": "reg h; always @(posedge clk) if (!rst_n) h <= 0; else h <= ~h; always @(posedge h) q <= ui_in; " +
		"assign uo_out = q;",
	"gated clock": "wire g = clk & ui_in[7]; always @(posedge g or negedge rst_n) if (!rst_n) q <= 0; " +
		"else q <= q + 1; " +
		"assign uo_out = q;",
	"wide shift":       "assign uo_out = (8'h81 << ui_in) | (8'h81 >> ui_in[7:4]);",
	"arithmetic shift": "wire signed [7:0] a = ui_in; assign uo_out = (a >>> ui_in[2:0]) ^ (ui_in >>> 1);",
	"negative shift":   "wire signed [3:0] n = ui_in[3:0]; assign uo_out = 8'h5A << n;",
	"mixed signs": "wire signed [3:0] a = ui_in[3:0]; wire [3:0] b = ui_in[7:4]; assign uo_out = {a < b, a < " +
		"$signed(b), a + b};",
	"width of a sum":        "assign uo_out = (ui_in + 8'hFF) >> 1;",
	"width of an inversion": "assign uo_out = ui_in[0] + ~1'b0;",
	"latch":                 "reg [7:0] o; always @* if (ui_in[7]) o = ui_in; assign uo_out = o;",
	"full case": "reg [7:0] o; always @* (* full_case *) case (ui_in[1:0]) 0: o = 1; 1: o = 2; 2: o = 3; endcase " +
		"assign uo_out = o;",
	"parallel case": "reg [7:0] o; always @* begin o = 0; (* parallel_case *) case (1'b1) ui_in[0]: o " +
		"= 1; ui_in[1]: o = " +
		"2; endcase end assign uo_out = o;",
	"unique case": "reg [7:0] o; always_comb begin o = 9; unique case (ui_in[1:0]) 0: o = 1; 1: o = 2; endcase end " +
		"assign uo_out = o;",
	"default of x": "reg [7:0] o; always @* case (ui_in[1:0]) 0: o = 1; 1: o = 2; default: o = 8'bx; " +
		"endcase assign " +
		"uo_out = o;",
	"x in a condition": "reg p; always @(posedge clk) begin p <= p ^ ui_in[0]; if (!rst_n) q <= 0; " +
		"else if (p) q <= ui_in; " +
		"end assign uo_out = q;",
	"floating condition": "always @(posedge clk) if (!rst_n) q <= 0; else if (uio_in[0]) q <= ui_in; " +
		"else q <= ui_in; assign " +
		"uo_out = q;",
	"floating selection": "assign uo_out = uio_in[0] ? ui_in | 8'h0F : ui_in & 8'hF0;",
	"floating sum":       "wire [7:0] s = uio_in + 1; assign uo_out = {ui_in[7:4], s[3:0] & 4'd0};",
	"internal tri-state": "wire b; assign b = ui_in[0] ? ui_in[1] : 1'bz; assign b = ui_in[0] ? 1'bz : " +
		"ui_in[2]; assign uo_out " +
		"= {8{b}};",
	"wired or": "wor b; assign b = ui_in[0]; assign b = ui_in[1]; assign uo_out = {8{b}};",
	"power":    "assign uo_out = ui_in + 2 ** 3;",
	"static function": "function [7:0] f(input [7:0] a); reg [7:0] s; begin if (a[7]) s = a; f = s | " +
		"a; end endfunction " +
		"assign uo_out = f(ui_in) & {8{ui_in[7]}};",
	"delayed assignment": "always @(posedge clk) if (!rst_n) q <= 0; else q <= #1 ui_in; assign uo_out = q;",
	"set and reset": "wire s = ui_in[0]; always @(posedge clk or negedge rst_n or posedge s) if " +
		"(!rst_n) q <= 0; else if " +
		"(s) q <= 8'hFF; else q <= ui_in; assign uo_out = q;",
	"both edges": "reg [3:0] n; always @(negedge clk) if (!rst_n) n <= 0; else n <= n + ui_in[3:0]; " +
		"always @(posedge " +
		"clk) q <= n; assign uo_out = q;",
	"undeclared name": "assign w = ui_in[0]; assign uo_out = {8{w}};",
	"part of a memory": "reg [7:0] m [0:3]; initial begin m[0] = 1; m[1] = 2; m[2] = 3; end assign " +
		"uo_out = m[ui_in[1:0]];",
	"loop variable": "integer i; reg [7:0] o; always @* begin o = 0; for (i = 0; i < 8; i = i + 1) if " +
		"(ui_in[i]) o = i; " +
		"end assign uo_out = o;",
	"reduction of floating":  "assign uo_out = {8{&{uio_in[0], ui_in[0]} & ~ui_in[0]}};",
	"unassigned outputs":     "assign uo_out[3:0] = ui_in[3:0];",
	"string and wide number": "assign uo_out = ui_in ^ \"ab\";",
	"macro of synthesis":     "\n`ifdef SYNTHESIS\nassign uo_out = ui_in;\n`else\nassign uo_out = ~ui_in;\n`endif\n",
}

// No good tile fails in a simulation of its own sources, whether -t names them or not.
func TestConstructs(t *testing.T) {
	if _, err := yosys.Find(); err != nil {
		t.Skip(err)
	}
	simulators := []string{"icarus"}
	if testkit.Full() {
		simulators = append(simulators, "verilator")
	}
	names := slices.Sorted(maps.Keys(constructs))
	for i := 0; i < len(names); i += testkit.SampleSize(9, 8, 1) {
		body := constructs[names[i]]
		t.Run(names[i], func(t *testing.T) {
			dir := t.TempDir()
			files := map[string]string{"info.yaml": "project: {top_module: tt_um_x, source_files: [a.v]}\n",
				"src/a.v": "module tt_um_x(input [7:0] ui_in, output [7:0] uo_out, input [7:0] uio_in, output " +
					"[7:0] uio_out, " +
					"output [7:0] uio_oe, input ena, input clk, input rst_n);\nreg [7:0] q; assign uio_out = 0, " +
					"uio_oe = 0;\n" +
					body + "\nendmodule\n"}
			for path, text := range files {
				path = filepath.Join(dir, path)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, simulator := range simulators {
				for _, where := range []string{"verilog", "verilog:" + filepath.Join(dir, "src", "a.v")} {
					judgeConstruct(t, dir, simulator, where)
				}
			}
		})
	}
}

func judgeConstruct(t *testing.T, dir, simulator, where string) {
	t.Helper()
	commands := map[string]string{"icarus": "iverilog", "verilator": "verilator"}
	if _, err := exec.LookPath(commands[simulator]); err != nil {
		t.Skip(err)
	}
	target := NewTarget(where)
	target.TileName, target.Simulation.Simulator, target.Seed = dir, simulator, 11
	if err := target.OpenTile(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer tile.CloseReference(target.Tile)
	run := station.Run{Target: target, Vectors: plan.Selection{RandomSteps: 600}, NoWiring: true}
	defer run.Close()
	for _, step := range []func(context.Context) error{run.Plan, run.Open, run.Prepare} {
		err := step(t.Context())
		if simulator == "verilator" && err != nil && strings.HasSuffix(t.Name(), "wired_or") {
			t.Log(err) // Verilator does not support it
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var reasons []string
	o, err := run.Judge(t.Context(), report.ResultFunc(func(r *driver.Result) error {
		reasons = append(reasons, r.Reason)
		return nil
	}))
	tally := o.Tally
	if err != nil || tally.Verdicts[driver.Fail] > 0 || tally.Verdicts[driver.Error] != tally.ErrorsByTwin+tally.ErrorsByX {
		t.Errorf("%s by %s: %s %q, %v", where, simulator, tally.Verdict(), reasons, err)
	}
	t.Logf("%s by %s: %s %s", where, simulator, tally.Verdict(), strings.Join(reasons[:min(1, len(reasons))], ""))
}
