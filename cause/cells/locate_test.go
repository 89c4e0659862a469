package cells

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/tile/gates"
	"utfbench/tile/gates/grade"
	"utfbench/tile/gates/sim"
	"utfbench/tile/project"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// answered returns a run of all vectors on a chip of the design. The chip keeps its power between vectors.
func answered(t *testing.T, d *gates.Design, all []grade.Vector) *Run {
	t.Helper()
	chip, run := d.NewChip(&sim.RandomChoices{Seed: 3, SameLanes: true}), &Run{Tile: utf.TT09}
	for _, v := range all {
		got := make([]transport.Sample, len(v.Steps))
		for i := range v.Steps {
			got[i] = chip.Apply(&v.Steps[i])
		}
		if err := run.Add(v.Name, v.Steps, got); err != nil {
			t.Fatal(err)
		}
	}
	return run
}

// A broken pin is among the best places for its run. The netlist reader injects the fault, not the code under test.
func TestLocate(t *testing.T) {
	text, all := netlist(t, "../../utf/tt09.v"), vectors(t, utf.TT09, "sequences")[:200]
	right := compiled(t, text)
	list := gates.NewFaultList(right)
	r := rand.New(rand.NewPCG(3, 3))
	for tried := 0; tried < testkit.Pick(2, 8); {
		f := list.Classes[r.IntN(len(list.Classes))].Faults[0]
		fault, err := gates.ParseCellFault(list.Describe(f))
		if err != nil || strings.Contains(fault.Pin, ",") {
			continue
		}
		run := answered(t, compiled(t, text, *fault), all)
		if run.CountFailed() == 0 {
			continue
		}
		tried++
		l := testkit.Must(run.Locate(t.Context(), right))(t)
		want := fmt.Sprintf("%s/%s %s", fault.Cell, fault.Pin, list.FaultText(f))
		if !slices.ContainsFunc(l.Best, func(p Place) bool { return p.String() == want }) {
			t.Errorf("%s: %d vectors differed, and the best is %v", want, l.FailedVectors, &l.Best[0])
		}
	}
}

// register returns a netlist with a byte that is written while ui7 is high. Its reset passes through a buffer.
func register() string {
	text := "module tt_um_register (clk, ena, rst_n, ui_in, uio_in, uio_oe, uio_out, uo_out);\n" +
		"  input clk, ena, rst_n;\n  input [7:0] ui_in, uio_in;\n  output [7:0] uio_oe, uio_out, uo_out;\n" +
		"  wire ok;\n  wire [7:0] d;\n  assign uio_oe = 8'h00;\n  assign uio_out = 8'h00;\n" +
		"  sky130_fd_sc_hd__buf_1 b (.A(rst_n), .X(ok));\n"
	for i := range 8 {
		text += fmt.Sprintf("  sky130_fd_sc_hd__mux2_1 m%[1]d (.A0(uo_out[%[1]d]), .A1(ui_in[%[1]d]), .S(ui_in[7]), "+
			".X(d[%[1]d]));\n  sky130_fd_sc_hd__dfrtp_1 f%[1]d (.CLK(clk), .D(d[%[1]d]), .RESET_B(ok), "+
			".Q(uo_out[%[1]d]));\n", i)
	}
	return text + "endmodule\n"
}

// A fault that blocks the reset is found although the chip's state carries over between vectors. From power-up state 0
// it explains all samples; from a mixed state, all samples after the first vector.
func TestLocateKept(t *testing.T) {
	right := compiled(t, register())
	of := gates.New(testkit.Must(project.OpenFabricated("tt_um_register", nil))(t), right, "")
	bad := compiled(t, register(), *testkit.Must(gates.ParseCellFault("b/A=stuck1"))(t))
	for seed := range uint64(8) {
		chip, run := bad.NewChip(&sim.RandomChoices{Seed: seed, SameLanes: true}), &Run{Tile: of}
		if seed == 0 {
			chip = bad.NewChip(nil)
			chip.SetUnknownState(^uint64(0), 0)
		}
		for i := range 40 {
			steps := []transport.Step{{Reset: true}, {Clocks: 1}, {In: 0x80 | uint8(37*i), Clocks: 1}, {Clocks: 1}}
			got := make([]transport.Sample, len(steps))
			for k := range steps {
				got[k] = chip.Apply(&steps[k])
			}
			if err := run.Add(strconv.Itoa(i), steps, got); err != nil {
				t.Fatal(err)
			}
		}
		l := testkit.Must(run.Locate(t.Context(), right))(t)
		p, why := &l.Best[0], "a cell inside the chip explains most, and no wire does; the rest depends on the chip's "+
			"unknown state at power-up"
		if seed == 0 {
			why = "a cell inside the chip explains every answer, and no wire does"
		}
		if len(l.Best) != 1 || p.String() != "b/A stuck at 1" || p.MissedBits+p.FalseErrors > 0 || l.Reason() != why {
			t.Errorf("seed %d: %q, %d best: %+v", seed, l.Reason(), len(l.Best), *p)
		}
	}
}

// A cell's fault that predicts a level does not explain an unknown sample, as an open wire may give.
func TestLocateUnknown(t *testing.T) {
	right := compiled(t, register())
	of := gates.New(testkit.Must(project.OpenFabricated("tt_um_register", nil))(t), right, "")
	bad := compiled(t, register(), *testkit.Must(gates.ParseCellFault("f3/Q=stuck0"))(t))
	for _, cut := range []uint8{0, 1 << 2} {
		chip, run := bad.NewChip(nil), &Run{Tile: of}
		steps := []transport.Step{{Reset: true, Clocks: 1}, {In: 0x8F, Clocks: 1}, {Clocks: 1}}
		got := make([]transport.Sample, len(steps))
		for k := range steps {
			got[k] = chip.Apply(&steps[k])
			got[k].SetUnknown(transport.Outputs(cut))
		}
		if err := run.Add("one", steps, got); err != nil {
			t.Fatal(err)
		}
		l := testkit.Must(run.Locate(t.Context(), right))(t)
		if p := &l.Best[0]; (p.MissedBits == 0) != (cut == 0) || (l.Reason() != "") != (cut == 0) {
			t.Errorf("uo %#x cut: %q, %+v", cut, l.Reason(), *p)
		}
	}
}

// WriteText names a fault's pin, net and equivalent faults, and counts the bits that it does not explain.
func TestLocatedInWords(t *testing.T) {
	said := func(l Location) string {
		var w strings.Builder
		l.WriteText(&w)
		return w.String()
	}
	one := Place{Cell: "_1_", Type: "nand2", Pin: "A", Net: "v[3]", Fault: "stuck at 1", ExplainedBits: 9}
	for i := range 8 {
		one.Equivalent = append(one.Equivalent, fmt.Sprintf("_%d_/Y stuck at 0", i+2))
	}
	near := Place{Cell: "_9_", Pin: "B", Fault: "stuck at 0", ExplainedBits: 4, MissedBits: 5, FalseErrors: 2}
	for _, c := range []struct {
		l    Location
		want []string
	}{
		{Location{TriedClasses: 7, Best: []Place{one}, NextBest: []Place{near}}, []string{
			"explained by one pin of one cell:\n  _1_/A stuck at 1 (nand2), on the net v[3]\n",
			"    the same as _2_/Y stuck at 0, ", " and 2 more\n",
			"which explains 9 of the 9 bits that differ, and predicts no error that was not seen\n",
			"\nless likely ", "\n_9_/B stuck at 0 "}},
		{Location{Best: []Place{one, one}}, []string{"explained by any of 2:\n"}},
		{Location{Best: []Place{near}}, []string{"no broken pin explains all of it; the nearest:\n"}},
		{Location{Best: []Place{{Cell: "_1_", Pin: "A", Fault: "stuck at 1", ExplainedBits: 2, PartlyExplained: 7}}},
			[]string{"no broken pin certainly explains all of it; one that may:\n", "which explains 2 of the 9 bits",
				"\nit explains 7 more of them if the chip was in a certain, unknown state before"}},
		{Location{Best: []Place{{}}}, []string{"  no cell with a broken pin explains it\n"}},
	} {
		text := said(c.l)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	}
}
