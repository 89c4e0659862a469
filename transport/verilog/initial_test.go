package verilog

import (
	"strings"
	"testing"
)

// A flip-flop loses its initial value, and nothing else changes.
func TestWithoutInitial(t *testing.T) {
	const always = " always @(posedge clk) if (e) begin q <= d; mem[i] <= d; {c, s.f} <= 2; end endmodule"
	for _, c := range []struct{ text, want string }{
		{"reg [3:0] q = 4'd3;", "reg [3:0] q;"},
		{"reg p = 1, q = {a, b[1]}, r = 2;", "reg p = 1, q, r = 2;"},
		{"state_t q = IDLE; wire w = q == 3;", "state_t q; wire w = q == 3;"},
		{"reg [7:0] mem [0:3] = '{1, 2, 3, 4};", "reg [7:0] mem [0:3];"},
		{"initial q = 5;", "initial ;"},
		{"initial begin q = 0; table[0] = 1; c <= f(1, 2); end reg r = 1;",
			"initial begin ; table[0] = 1; ; end reg r = 1;"},
		{"initial for (i = 0; i <= 3; i = i + 1) mem[i] = 0;", "initial for (i = 0; i <= 3; i = i + 1) ;"},
		{"initial begin for (i = 0; i < 4; i++) begin mem[i] = i; r[i] = i; end $readmemh(\"q\", rom); end",
			"initial begin for (i = 0; i < 4; i++) begin ; r[i] = i; end $readmemh(\"q\", rom); end"},
		{"reg r = 1; always @* begin : q r = q == 1; end", ""},
		{"always @(posedge clk) begin : block q = 1; end", ""},
		{"assign w = q <= 3; if (q <= d) x = 1;", ""},
		{"reg /* q = 1 */ r = 0; // q = 2", ""},
	} {
		if c.want == "" {
			c.want = c.text
		}
		text, want := "module m (input clk);\n"+c.text+"\n"+always, "module m (input clk);\n"+c.want+"\n"+always
		if got := withoutInitial(text); got != want {
			t.Errorf("%s became\n%s, want\n%s", text, got, want)
		}
	}
	for _, text := range []string{"module m (output reg q = 0, input d); endmodule", "module m; reg q = 1;",
		"module m; initial q", "module", "module m; initial begin q = (1; endmodule q <= 1;", ""} {
		if got := withoutInitial(text); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
	const header = "module m (output reg [1:0] q = 0, input d); always @(posedge d) q <= 1; endmodule"
	if got, want := withoutInitial(header), "module m (output reg [1:0] q, input d); always @(posedge "+
		"d) q <= 1; endmodule"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Modules are taken one by one, and what is around them stays.
func TestAsInSilicon(t *testing.T) {
	const one = "`timescale 1ns/1ps\nmodule a; reg q = 1; bit b; always @(posedge c) q <= 2; endmodule // a\n"
	const want = "`timescale 1ns/1ps\nmodule a; reg q; logic b; always @(posedge c) q <= 2; endmodule // a\n"
	for text, want := range map[string]string{"": "", "// nothing": "// nothing", one + one + "\n": want + want + "\n",
		"package p; int n; endpackage " + one: "package p; integer n; endpackage " + want} {
		if got := asInSilicon(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// Whatever a design is, what is cut from it are its own words, in order.
func FuzzWithoutInitial(f *testing.F) {
	for _, seed := range []string{"module m; reg q = 1; always @* q <= 2; endmodule",
		"module m; initial {q[1].a, b} <= (1;",
		"module m (output reg q = {1, 2}, a); initial begin q = 1; end always q <= 1;", "module initial begin ("} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, rest := withoutInitial(text), text
		for i := range len(got) {
			at := strings.IndexByte(rest, got[i])
			if at < 0 {
				t.Fatalf("%q became %q", text, got)
			}
			rest = rest[at+1:]
		}
		fourState(text)
	})
}
