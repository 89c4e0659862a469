package verilog

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A copy and the design itself are in one simulation, whatever the modules are called, and both show the same.
func TestCopy(t *testing.T) {
	need(t, "iverilog")
	dir := t.TempDir()
	const design = `
` + "`define LAST b1\n" + `
module tt_um_copied (input wire [7:0] ui_in, output wire [7:0] uo_out, input wire [7:0] uio_in,
    output wire [7:0] uio_out, output wire [7:0] uio_oe, input wire ena, input wire clk, input wire rst_n);
  wire [1:0] b1 = {1'b1, 1'b0}; // b1 is a module as well
  ` + "`LAST" + ` last (b1[1], uo_out[0]);
  display shown ();
  assign uo_out[7:1] = 7'h b1;
  assign {uio_out, uio_oe} = 16'b0;
endmodule
module b1 (input wire a, output wire b); assign b = a; endmodule
/* module none; endmodule */
module display; initial #1 $display("display and b1"); endmodule
`
	source := filepath.Join(dir, "design.v")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(source, design)
	text, top, err := Copy(t.Context(), Config{Sources: []string{source}, Simulator: "icarus"}, "copy_")
	if err != nil || top != "copy_tt_um_copied" {
		t.Fatalf("%q, %v", top, err)
	}
	both, run := filepath.Join(dir, "both.v"), filepath.Join(dir, "run")
	write(both, text+`
module tb;
  wire [7:0] a, b;
  tt_um_copied one (.ui_in(8'b0), .uo_out(a));
  copy_tt_um_copied two (.ui_in(8'b0), .uo_out(b));
  initial #2 $display("%b %b", a, b);
endmodule
`)
	if out, err := exec.Command("iverilog", "-g2012", "-o", run, "-s", "tb", both,
		source).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, text)
	}
	out, err := exec.Command("vvp", "-n", run).CombinedOutput()
	if want := "display and b1\ndisplay and b1\n01100011 01100011\n"; err != nil || string(out) != want {
		t.Errorf("%v: %q, not %q", err, out, want)
	}
}

// A word after "module" in a comment is no module's name.
func TestCopyOfComments(t *testing.T) {
	need(t, "icarus")
	c := design(t, "icarus", "// the serial interface\n"+strings.Replace(header, "(", "( // a module if needed\n", 1)+
		rest+"initial if (0) $display(\"module wire\");\nendmodule\n")
	text, _, err := Copy(t.Context(), c, "its_")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"its_input", "its_if", "its_wire", "its_module"} {
		if strings.Contains(text, word) {
			t.Errorf("%s is in the copy:\n%s", word, text)
		}
	}
}
