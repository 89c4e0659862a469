package verilog

import (
	"strings"
	"testing"
)

// What is a register gets a type that knows X, and all else stays as it is.
func TestFourState(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"bit a; int b;", "logic a; integer b;"},
		{"output bit signed [3:0] a,\n  int  unsigned b", "output logic signed [3:0] a,\n  integer  unsigned b"},
		{"byte a [0:1];", "logic signed [7:0] a [0:1];"},
		{"shortint unsigned a; longint\tsigned b;", "logic unsigned [15:0] a; logic signed [63:0] b;"},
		{"typedef enum {A, B} t;", "typedef enum integer {A, B} t;"},
		{"enum bit [1:0]{A} a;", "enum logic [1:0]{A} a;"},
		{"enum logic {A} a;", ""},
		{"localparam int A = 3; parameter byte B = 1; const bit c = 1;", ""},
		{"for (int i = 0; i < 8; i++)", ""},
		{"automatic int n = 0;", ""},
		{"a = int'(b) + byte '(c);", ""},
		{"function int f(bit a); int n; endfunction int n;", "function int f(bit a); int n; endfunction integer n;"},
		{"task t; byte b; endtask", ""},
		{"// bit a;\n/* int b; */ x = \"byte c\"; \\bit d;", ""},
		{"bit_a int8 mybyte byte_t $bits `bit enum_t", ""},
		{"x = 4'b0; bit y;", "x = 4'b0; logic y;"},
	} {
		if c.want == "" {
			c.want = c.text
		}
		if got := fourState(c.text); got != c.want {
			t.Errorf("%q became %q, want %q", c.text, got, c.want)
		}
	}
}

// A mistake in a design that is changed is told by the author's file and line.
func TestFourStateMistake(t *testing.T) {
	both(t, func(t *testing.T, simulator string) {
		c := design(t, simulator, header+rest+"bit [7:0] a;\nassign a = absent(ui_in);\nendmodule\n")
		if _, err := BuildReference(t.Context(), c); err == nil || !strings.Contains(err.Error(), "bad.v:5: ") {
			t.Errorf("the error is %v, want one with bad.v:5", err)
		}
	})
}
