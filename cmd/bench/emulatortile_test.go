//go:build unix

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"utfbench/golden"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/rp2040/boardtest"
)

// minimum rates of a tile given by its Verilog, in steps/s, counting only cycles in which the board does not wait for
// this machine; docs/tiles.md has measured rates
const (
	goalTile  = 30000 // random steps on a bus that turns
	goalNew   = 35200 // clocks that each change ui and uio: 200 times microcotb's 176
	goalTests = 4000  // exchanges of a test in a simulation, two per clock
)

// The chip, as a tile given by its Verilog, passes both random vectors and a test in a simulation.
func TestEmulatorTile(t *testing.T) {
	for _, tool := range []string{"verilator", "iverilog"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs " + tool)
		}
	}
	e := onRelease(t, boardtest.NewRelease(t), "tt09")
	target := "-t rp2040 --no-wiring --design " + utf.TT09.Project() + " --tile " + asTile(t, "", "")
	times := e.Times()
	said := e.passes(t, "run "+target+" --random 4000 --no-history", "PASS")
	e.Watch(nil)
	checkSpeed(t, times, said, goalTile)
	e.parked(t)

	times = e.Times()
	said = e.passes(t, "run "+target+" --no-history --file "+newInputs(t), "PASS")
	e.Watch(nil)
	checkSpeed(t, times, said, goalNew)

	file := filepath.Join(t.TempDir(), "test.v")
	if err := os.WriteFile(file, []byte(converts), 0o600); err != nil {
		t.Fatal(err)
	}
	command := filepath.Join(filepath.Dir(file), "simulate")
	if err := os.WriteFile(command, []byte("#!/bin/sh\niverilog -g2012 -o "+file+"vp "+file+
		" $BENCH_SHIM && vvp -n "+file+"vp\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	times = e.Times()
	var out bytes.Buffer
	code := patiently(t.Context(), 5*time.Minute, []string{"cocotb", "-t", "rp2040:" + e.TTY, "--no-wiring", "--design",
		utf.TT09.Project(), "--tile", asTile(t, "", ""), "--", command}, &out)
	said = out.String()
	e.Watch(nil)
	t.Log(said)
	exchanges := regexp.MustCompile(`exchanges (\d+)`).FindStringSubmatch(said)
	if code != exitPass || exchanges == nil {
		t.Fatalf("exit code %d", code)
	}
	n, _ := strconv.Atoi(exchanges[1])
	times.CheckSpeed(t, n, goalTests)
	e.parked(t)
}

// newInputs returns vectors in which all inputs change at each clock and the bench drives uio.
func newInputs(t *testing.T) string {
	t.Helper()
	text := "suite new\n\ndocument chance\nsection \"chance\"\n\nvector new \"all new\"\n  expects reference\n"
	rng := rand.New(rand.NewPCG(1, 1))
	steps := []transport.Step{tile.ResetStep(utf.TT09)}
	for len(steps) < 3000 {
		s := transport.Step{In: uint8(rng.Uint32()), IO: uint8(rng.Uint32()), Drive: 0xFF, Clocks: 1}
		if utf.TT09.Drives(s) == 0 {
			steps = append(steps, s)
		}
	}
	for _, s := range steps {
		text += "  " + golden.StepText(s, golden.Bits{}, golden.Bits{}) + "\n"
	}
	file := filepath.Join(t.TempDir(), "new.vec")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// converts is a test in plain Verilog that changes all inputs at each clock and samples the outputs.
const converts = "`timescale 1ns / 1ps\n" + `
module tb;
  reg clk = 0, rst_n = 0;
  reg [7:0] ui = 8'hFF, uio = 0;
  wire [7:0] uo, io, oe;
  tt_um_utf_chip dut (.ui_in(ui), .uo_out(uo), .uio_in(uio), .uio_out(io), .uio_oe(oe), .ena(1'b1), .clk(clk),
    .rst_n(rst_n));
  always #10 clk = ~clk;
  integer i;
  initial begin
    repeat (3) @(posedge clk);
    #1 rst_n = 1;
    for (i = 0; i < 500; i = i + 1) begin
      @(posedge clk);
      #1 ui = ui ^ (8'h01 << (i % 3)); uio = uio + 7;
      #1 if (^uo === 1'bx) begin $display("x at %0d: %b", i, uo); $fatal(1); end
    end
    $finish;
  end
endmodule
`
