package project

import (
	"fmt"
	"strings"
	"testing"
)

// Races are found, and similar correct code is not.
func TestRaces(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"read by another clocked block", `reg a, b;
always @(posedge clk or negedge rst_n)
  if (!rst_n) a = 0;
  else begin
    a = d;
  end
always @(posedge clk) b <= a;`, "5 a"},
		{"read by an instance", `reg [7:0] a;
always @(posedge clk) begin if (d) a[3:0] = 1; else a[7:4] = 2; end
fifo f(.clk(clk), .data(a));`, "4 a"},
		{"read by an assign", "reg a; always @(posedge clk) a = d;\nassign y = a;", "3 a"},
		{"an output", "always @(negedge clk) case (d) 1'b0: q = 1; default: q = 0; endcase", "3 q"},
		{"two of a concatenation", "reg a, b; always @(posedge clk) {a, b} = d;\nwire c = a & b;", "3 a, 3 b"},
		{"always_ff", "logic a; always_ff @(posedge clk) a = d;\nassign y = a;", "3 a"},
		{"not blocking", "reg a; always @(posedge clk) if (a <= d) a <= d;\nassign y = a;", ""},
		{"its own temporary", `reg t, a;
always @(posedge clk) begin t = d; a <= t; end
assign y = a;`, ""},
		{"a local temporary", `reg a;
always @(posedge clk) begin : p reg t; t = d; a <= t; end
always @(posedge clk) begin : o reg t; t = d; end
assign y = a;`, ""},
		{"loop variables", `integer i; reg [7:0] m;
always @(posedge clk) for (i = 0; i < 8; i = i + 1) m[i] <= d;
always @(posedge clk) for (int i = 0; i < 8; i = i + 1) m[i] <= d;
assign y = m[0];`, ""},
		{"functions and tasks", `function f(input x); begin f = x; end endfunction
reg a; always @(posedge clk) a <= f(d);
assign y = a;`, ""},
		{"combinational", "reg a; always @(*) begin a = d; end\nalways @* if (a) y2 = 1;\nassign y = a;", ""},
		{"an initial value", "reg a; initial a = 0; always @(posedge clk) a <= d; assign y = a;", ""},
		{"a comment and a string", `reg a; // always @(posedge clk) a = 1;
/* always @(posedge clk) a = 1; */ always @(posedge clk) begin $display("a = 1;"); a <= 1; end
assign y = a;`, ""},
		{"declared with others", "reg a = 0, t, b; always @(posedge clk) begin t = d; a <= t; end\nassign y = a;", ""},
		{"an incomplete list", "reg a; always @(d) a = d & clk;\nassign y = a;", "3 clk"},
		{"an old complete list", "reg a; always @(d or clk) a = d & clk;\nassign y = a;", ""},
		{"parameters in no list", "parameter P = 1; reg a; always @(d) a = d & P;\nassign y = a;", ""},
		{"cut off", "always @(posedge clk) begin q = (", "3 q"},
	} {
		text := "module m (input clk, rst_n, d,\n output reg q, output y);" + c.body + "\nendmodule\n"
		text = strings.Replace(text, ");", ");\n", 1)
		var got []string
		for _, f := range races("a.v", text) {
			name := strings.TrimSuffix(strings.Fields(f.What)[4], ",")
			if strings.HasPrefix(f.What, "the list") {
				name = strings.TrimSuffix(strings.Fields(f.What)[5], ",")
			}
			got = append(got, fmt.Sprint(f.Line, " ", name))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %q, want %q", c.name, s, c.want)
		}
	}
}

// FuzzRaces checks any text: the search ends, and its lines are within the text.
func FuzzRaces(f *testing.F) {
	f.Add("module m; always @(posedge clk) begin a = 1; end assign y = a; endmodule")
	f.Add("module m(output reg q); always @(a or b) case (q) default q = {a, b[3]}; endcase endmodule")
	f.Add("module always @( begin if ( case for ( \\")
	f.Fuzz(func(t *testing.T, text string) {
		for _, finding := range races("a.v", text) {
			if finding.Line < 1 || finding.Line > strings.Count(text, "\n")+1 {
				t.Errorf("line %d", finding.Line)
			}
		}
	})
}
