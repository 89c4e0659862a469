package yosys

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/tile/gates/sim"
)

// A construct that Yosys cannot read is reported with its place, or translated if sv2v is installed.
func TestSystemVerilog(t *testing.T) {
	d := written(t, map[string]string{"src/a.v": "interface bus_if(input logic clk);\nlogic d; " +
		"modport src(output d); endinterface\nmodule p(bus_if.src b, input x); assign b.d = x; endmodule\n" +
		"module t(input a, clk, output y); bus_if b(.clk(clk)); p p1(.b(b), .x(a)); assign y = b.d; endmodule\n"})
	d.CacheDir = t.TempDir()
	_, err := Elaborate(t.Context(), d)
	const want = "src/a.v:1: interface is SystemVerilog beyond Yosys: install sv2v"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Fatal(err)
	}
	for want, source := range map[string]string{
		"src/a.v:3: p::e'( is SystemVerilog beyond Yosys: install sv2v": "" +
			"package p; typedef logic [1:0] e; endpackage\n" +
			"module t(input a, output [1:0] y);\nassign y = p::e'(a + 2'd1); endmodule\n",
		"src/a.v:3: continue is SystemVerilog beyond Yosys: install sv2v": "" +
			"module t(input a, output reg y);\nalways @* for (int i = 0; i < 2; i++)\n" +
			"if (i == 1) continue; else y = a;\n" +
			"endmodule\n",
		"unexpected user_type; if a simulator reads this line, it is SystemVerilog beyond Yosys: install sv2v": "" +
			"typedef logic [1:0] e;\nmodule t(input a, output [1:0] y);\nassign y = e'(a + 2'd1); endmodule\n",
	} {
		d := written(t, map[string]string{"src/a.v": source})
		d.CacheDir = t.TempDir()
		if _, err := Elaborate(t.Context(), d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	bin := t.TempDir()
	script := "#!/bin/sh\ngrep -q interface \"$1\" && " +
		"echo 'module t(input a, clk, output y); assign y = a; endmodule'\n"
	if err := os.WriteFile(filepath.Join(bin, "sv2v"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	made, err := Elaborate(t.Context(), d)
	if err != nil || len(made.Circuit.Port("y")) != 1 {
		t.Errorf("%+v, %v", made, err)
	}
}

// A macro that the author declares as a black box has unknown outputs; everything else has gates.
func TestMacro(t *testing.T) {
	d := written(t, map[string]string{"src/a.v": "(* blackbox *) module sram(input clk, input [1:0] a, " +
		"output [1:0] q);\nendmodule\nmodule t(input a, clk, output [2:0] y); " +
		"sram m(.clk(clk), .a({a, a}), .q(y[1:0])); " +
		"assign y[2] = ~a; endmodule\n"})
	d.CacheDir = t.TempDir()
	made, err := Elaborate(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if kinds := kindsOf(made.Circuit); kinds[sim.Unknown] != 2 || kinds[sim.Not] != 1 {
		t.Errorf("%v", kinds)
	}
}
