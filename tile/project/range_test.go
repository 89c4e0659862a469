package project

import (
	"strings"
	"testing"
)

// A divisor that can be zero and a select that can leave its range are found where declarations show it, and the module
// does not guard them.
func TestUndefined(t *testing.T) {
	for code, want := range map[string]string{
		"wire [3:0] a = ui[7:4], b = ui[3:0]; assign y = a / b;": "the divisor b can be 0",
		"wire [3:0] b; assign y = a % b;":                        "test it, as in b == 0 ? 0 : a % b",
		"wire [3:0] b; assign y = b == 0 ? 0 : a / b;":           "",
		"wire [3:0] b; assign y = |b ? a / b : 0;":               "",
		"assign y = a / 3;":                                      "",
		"parameter N = 3; assign y = a / N;":                     "",
		"reg [7:0] r; always @(posedge clk) r[ui[2:0] -: 4] <= ui[6:3];": "" +
			"ui[2:0] can select r -3 to 7, which has 0",
		"reg [7:0] r; assign y = r[ui[2:0] +: 2];":                            "ui[2:0] can select r 0 to 8, which has",
		"reg [7:0] r; assign y = r[ui[2:0]];":                                 "",
		"reg [9:0] r; reg [3:0] i; assign y = r[i];":                          "i can select r 0 to 15, which has 0",
		"reg [9:0] r; reg [3:0] i; always @* if (i < 10) y = r[i];":           "",
		"reg [7:0] m [0:9]; assign y = m[ui[3:0]];":                           "ui[3:0] can select m 0 to 15, which",
		"reg [7:0] m [0:15]; assign y = m[ui[3:0]];":                          "",
		"reg [7:0] m [0:15]; integer k; initial for (k=0;k<16;k=k+1) m[k]=0;": "",
		"parameter W = 8; reg [W-1:0] r; assign y = r[ui[3:0]];":              "",
		"reg [8'h9:0] r; assign y = r[ui[3:0]];":                              "can select r 0 to 15",
	} {
		all := undefined("a.v", "module m (input [7:0] ui, input [3:0] a, output reg y);\n"+code+"\nendmodule\n")
		var said []string
		for _, f := range all {
			said = append(said, f.String())
		}
		text := strings.Join(said, "\n")
		if (text == "") != (want == "") || !strings.Contains(text, want) ||
			text != "" && !strings.HasPrefix(text, "a.v:2: ") {
			t.Errorf("%s\n%s; want %q", code, text, want)
		}
	}
}

// A signal that two assignments or blocks drive is found with both places, and no other.
func TestRivals(t *testing.T) {
	for code, want := range map[string]string{
		"assign y = a;\nassign y = ~a;": "" +
			"a.v:3: y has two drivers, this",
		"assign y = a;\nassign y[3] = 1;": "" +
			"a.v:3: y[3] has two drivers, this",
		"assign y[7:4] = a;\nassign y[4:2] = 1;": "" +
			"y[4:2] has two drivers, this one and line 2",
		"assign y[7:4] = a, y[3:0] = a;":  "",
		"always @* y = a;\nassign y = 0;": "has two drivers",
		"always @(posedge clk) q <= a;\nalways @(posedge clk) q <= 0;": "" +
			"a.v:3: q has two drivers, this",
		"always @(posedge clk) begin q <= a; q <= 0; end":                                   "",
		"always @(posedge clk) q[0] <= a;\nalways @(posedge clk) q[1] <= a;":                "",
		"generate if (N) begin assign y = a; end else begin assign y = 0; end\nendgenerate": "",
		"`ifdef A\nassign y = a;\n`else\nassign y = 0;\n`endif":                             "",
		"case (N) 0: assign y = a; 1: assign y = 0; endcase":                                "",
		"assign b.d = a;\nassign b.v = a;":                                                  "",
		"if (N) assign y = a; else assign y = 0;":                                           "",
		"genvar i; for (i = 0; i < 8; i = i + 1) begin assign y[i] = a; end":                "",
	} {
		all := rivals("a.v", "module m (input a, clk, output [7:0] y); reg [7:0] q;\n"+code+"\nendmodule\n")
		if (len(all) > 0) != (want != "") || len(all) > 1 || want != "" && !strings.Contains(all[0].String(), want) {
			t.Errorf("%s\n%v; want %q", code, all, want)
		}
	}
}
