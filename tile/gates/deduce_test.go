package gates

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/cause/diagnose"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates/sim"
	"utfbench/tile/project"
	"utfbench/transport"
)

// free returns a tile with flip-flops that no reset reaches. Three bits count while ui0 is 1; uo0 to uo2 show the
// count and uo3 the parity. One bit holds its level, and is visible on uio0 while ui1 is 1. uo4 is always 1.
func free(t *testing.T, count string) *Tile {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tt_um_free.v")
	text := fmt.Sprintf(`module tt_um_free (input [7:0] ui_in, uio_in, output [7:0] uo_out, uio_out, uio_oe,
  input ena, clk, rst_n);
  wire q0, q1, q2, h, d0, d1, d2, e0, e1, e2, nh, p, i;
  %s
  sky130_fd_sc_hd__mux2_1 m0 (.A0(q0), .A1(d0), .S(ui_in[0]), .X(e0));
  sky130_fd_sc_hd__mux2_1 m1 (.A0(q1), .A1(d1), .S(ui_in[0]), .X(e1));
  sky130_fd_sc_hd__mux2_1 m2 (.A0(q2), .A1(d2), .S(ui_in[0]), .X(e2));
  sky130_fd_sc_hd__dfxtp_2 f0 (.CLK(clk), .D(e0), .Q(q0));
  sky130_fd_sc_hd__dfxtp_2 f1 (.CLK(clk), .D(e1), .Q(q1));
  sky130_fd_sc_hd__dfxtp_2 f2 (.CLK(clk), .D(e2), .Q(q2));
  sky130_fd_sc_hd__dfxtp_2 fh (.CLK(clk), .D(h), .Q(h));
  sky130_fd_sc_hd__xor3_1 x (.A(q0), .B(q1), .C(q2), .X(p));
  sky130_fd_sc_hd__inv_2 n (.A(h), .Y(nh));
  sky130_fd_sc_hd__or2_2 o (.A(h), .B(nh), .X(uo_out[4]));
  assign uo_out[3:0] = {p, q2, q1, q0};
  assign uo_out[7:5] = {ui_in[3], uio_in[1], uio_in[0]};
  assign uio_out = {7'b0, h};
  assign uio_oe = {7'b0, ui_in[1]};
endmodule
`, count)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return testkit.Must(Open(&project.Project{Netlist: path}))(t)
}

// Cells that compute the next count of the three bits.
const (
	byOne = `sky130_fd_sc_hd__inv_2 i0 (.A(q0), .Y(d0));
  sky130_fd_sc_hd__xor2_2 i1 (.A(q0), .B(q1), .X(d1));
  sky130_fd_sc_hd__and2_2 i2 (.A(q0), .B(q1), .X(i));
  sky130_fd_sc_hd__xor2_2 i3 (.A(i), .B(q2), .X(d2));`
	byThree = `sky130_fd_sc_hd__inv_2 i0 (.A(q0), .Y(d0));
  sky130_fd_sc_hd__xnor2_2 i1 (.A(q0), .B(q1), .Y(d1));
  sky130_fd_sc_hd__or2_2 i2 (.A(q0), .B(q1), .X(i));
  sky130_fd_sc_hd__xor2_2 i3 (.A(i), .B(q2), .X(d2));`
)

// asked returns random steps, a chip's samples and the reference's samples.
func asked(t *testing.T, reference *Tile, chip *Design, chance sim.RandomChoices, n int) (steps []transport.Step, got,
	want []transport.Sample) {
	t.Helper()
	steps, err := tile.RandomSteps(reference, rand.New(rand.NewPCG(chance.Seed, 1)), n)
	if err != nil {
		t.Fatal(err)
	}
	got = make([]transport.Sample, n)
	c := chip.NewChip(&chance)
	for i := range steps {
		got[i] = c.Apply(&steps[i])
	}
	want = expect(t, reference, steps...)
	return steps, got, want
}

// Deduce determines the state of a counter without a reset from its samples. A chip that counts wrongly differs at the
// first step that no power-up state explains; a good one never does.
func TestDeduce(t *testing.T) {
	right, wrong := free(t, byOne), free(t, byThree)
	for seed := range uint64(40) {
		chance := sim.RandomChoices{Seed: seed, Fate: sim.Fate(seed % 5)}
		steps, got, want := asked(t, right, right.Design, chance, 100)
		before := transport.Outputs(0)
		for _, w := range want {
			before |= w.Unknown() &^ (0xFE << 8)
		}
		d := right.Deduce(steps, got, want)
		if transport.Differ(got, want) != 0 || d.CutShort {
			t.Fatalf("seed %d: a right chip differs on %v, %+v", seed, transport.Differ(got, want), d)
		}
		for i, w := range want[20:] {
			if w.OutX&0x1F != 0 {
				t.Fatalf("seed %d, step %d: %+v is open after %d bits were found", seed, 20+i, w, d.Bits)
			}
		}
		if before&0x10F != 0x10F {
			t.Errorf("seed %d: the reference leaves only %v open", seed, before)
		}
		steps, got, want = asked(t, right, wrong.Design, chance, 100)
		if transport.Differ(got, want) != 0 {
			t.Errorf("seed %d: the wrong chip differs without a deduction", seed)
		}
		if right.Deduce(steps, got, want); transport.Differ(got, want)&0xF == 0 {
			t.Errorf("seed %d: the wrong chip does not differ", seed)
		}
	}
}

// Deduce also predicts an output that no single bit of state determines: here, the parity of seven bits.
func TestDeduceParity(t *testing.T) {
	var cells strings.Builder
	parity := "q0"
	for i := range 7 {
		fmt.Fprintf(&cells, "sky130_fd_sc_hd__dfxtp_2 f%d (.CLK(clk), .D(q%[1]d), .Q(q%[1]d));\n", i)
		if i > 0 {
			fmt.Fprintf(&cells, "sky130_fd_sc_hd__xor2_2 x%d (.A(%s), .B(q%[1]d), .X(p%[1]d));\n", i, parity)
			parity = fmt.Sprint("p", i)
		}
	}
	x := testkit.Must(OpenText(&project.Project{}, fmt.Appendf(nil, `module tt_um_parity (input [7:0] ui_in, uio_in,
  output [7:0] uo_out, uio_out, uio_oe, input ena, clk, rst_n);
  wire q0, q1, q2, q3, q4, q5, q6, p1, p2, p3, p4, p5, p6;
  %s
  assign uo_out = {7'b0, %s};
  assign uio_out = 8'b0;
  assign uio_oe = 8'b0;
endmodule
`, &cells, parity)))(t)
	steps, got, want := asked(t, x, x.Design, sim.RandomChoices{Seed: 1}, 20)
	if d := x.Deduce(steps, got, want); d.Bits != 19 || d.CutShort {
		t.Errorf("%+v", d)
	}
}

// A wrong chip differs at the first sample that no state explains. Nothing is deduced from later samples.
func TestDeduceConvicts(t *testing.T) {
	x := free(t, byOne)
	steps := []transport.Step{{Reset: true, Clocks: 1}, {In: 1, Clocks: 1}, {In: 1, Clocks: 1}, {In: 1, Clocks: 1}}
	for _, c := range []struct {
		shows []uint8 // samples of uo3 to uo0
		wrong int     // the step that differs, or -1 if some state explains all samples
	}{
		{[]uint8{0x0, 0x9, 0xA, 0x3}, -1},
		{[]uint8{0x0, 0x9, 0xA, 0xB}, 3},
		{[]uint8{0x0, 0xB, 0x6, 0x9}, 1},
		{[]uint8{0x8, 0x9, 0xA, 0x3}, 0}, // 000 does not have odd parity
	} {
		got := make([]transport.Sample, len(steps))
		for i, s := range c.shows {
			got[i] = transport.Sample{Out: s | 0x10, IOX: 0xFF}
		}
		want := expect(t, x, steps...)
		for i := range got {
			got[i].Out |= want[i].Out
			got[i].OutX = want[i].OutX & 0x60
		}
		x.Deduce(steps, got, want)
		at := -1
		for i := range got {
			if got[i].Differ(want[i]) != 0 && at < 0 {
				at = i
			}
		}
		if at != c.wrong {
			t.Errorf("%X: differs at step %d, want %d", c.shows, at, c.wrong)
		}
	}
}

// A difference from deduced levels shows a fault; except in a simulation, a wire or the chip might have it.
func TestDiagnoseDeduced(t *testing.T) {
	right, wrong := free(t, byOne), free(t, byThree)
	for _, c := range []struct {
		chip      *Design
		wire      string // faulty wire in front of the chip
		want      diagnose.Conclusion
		simulated bool
	}{
		{right.Design, "uo2=stuck1", diagnose.Unclear, false},
		{right.Design, "ui0=stuck1", diagnose.Unclear, false},
		{right.Design, "ui0=stuck1", diagnose.Logic, true},
		{wrong.Design, "", diagnose.Unclear, false},
		{wrong.Design, "", diagnose.Logic, true},
		{right.Design, "", diagnose.NoDifference, false}, // the vectors alone are wrong
	} {
		run := &diagnose.Run{Tile: right, Simulated: c.simulated}
		for seed := range uint64(6) {
			steps, got, _ := asked(t, right, c.chip, sim.RandomChoices{Seed: seed, Fate: sim.Keep}, 60)
			if c.wire != "" && c.chip == right.Design {
				got = behindWire(t, right, c.wire, seed, steps)
			}
			run.CountVerdict(driver.Fail)
			if err := run.Add(fmt.Sprint(seed), steps, got); err != nil {
				t.Fatal(err)
			}
		}
		f, err := run.Diagnose()
		if err != nil || f.Conclusion != c.want || f.Causes != nil || f.Reason() == "" {
			t.Errorf("%s: %s, %v, %v; want %s", c.wire, f.Conclusion, f.Causes, err, c.want)
		}
		if good := c.wire == "" && c.chip == right.Design; f.ReferenceAgrees != good {
			t.Errorf("%q: the reference predicts all samples: %t; want %t", c.wire, f.ReferenceAgrees, good)
		}
	}
}

// behindWire returns the samples of a chip with a random power-up state, behind a faulty wire.
func behindWire(t *testing.T, x *Tile, wire string, seed uint64, steps []transport.Step) []transport.Sample {
	t.Helper()
	f := testkit.Must(fault.BitNames(nil).Parse(wire))(t)
	got := make([]transport.Sample, len(steps))
	b := x.Design.wired()
	m := sim.NewMachine(b.prog, &sim.RandomChoices{Seed: seed, Fate: sim.Keep, SameLanes: true})
	w := fault.New(b.single(m), []fault.Fault{f}, seed)
	if err := w.Run(steps, got); err != nil {
		t.Fatal(err)
	}
	return got
}

// An optimist is a far end that shows 0 for unknown levels, as a simulation may for an X.
type optimist struct {
	x      *Tile
	four   bool
	change func([]transport.Sample) // may be nil
}

func (o *optimist) Apply(_ context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	if err := tile.Expect(o.x, steps, samples); err != nil {
		return 0, err
	}
	for i := range samples {
		samples[i] = transport.Sample{Out: samples[i].Out, IO: samples[i].IO}
	}
	if o.change != nil {
		o.change(samples)
	}
	return len(steps), nil
}
func (o *optimist) Close() error    { return nil }
func (o *optimist) String() string  { return "optimist" }
func (o *optimist) FourState() bool { return o.four }

// Nothing is deduced from a four-state simulation, so contradictory samples are a FAIL only of a chip.
func TestNothingFollowsFromAnX(t *testing.T) {
	x := free(t, byOne)
	v := &golden.Vector{Name: "count", Sequence: golden.Sequence{Steps: []transport.Step{{Reset: true, Clocks: 1},
		{In: 1, Clocks: 1}, {In: 1, Clocks: 1}}}}
	for four, want := range map[bool]driver.Verdict{false: driver.Fail, true: driver.Pass} {
		r := driver.Runner{Transport: &optimist{x: x, four: four}, Tile: x}
		tally, err := r.Run(t.Context(), []driver.Job{{Vector: v}})
		if err != nil || tally.Verdicts[want] != 1 {
			t.Errorf("with an X %v: %v, %v, want %v", four, tally.Verdicts, err, want)
		}
	}
}

// A driver.Mismatch names the lines on which a four-state simulation has shown an X since the last reset.
func TestXBeforeAMismatch(t *testing.T) {
	x := free(t, byOne)
	for _, c := range []struct {
		x, wrong int // the steps at which uo0 is X and uo6 is wrong
		four     bool
		want     transport.Outputs
	}{{2, 3, true, 1}, {3, 3, true, 1}, {2, 3, false, 0}, {3, 2, true, 0}, {0, 2, true, 0}} {
		v := &golden.Vector{Name: "x", Sequence: golden.Sequence{Steps: []transport.Step{{Clocks: 1, Drive: 0xFE},
			{Reset: true, Clocks: 1, Drive: 0xFE}, {In: 1, Clocks: 1, Drive: 0xFE}, {In: 1, Clocks: 1, Drive: 0xFE}}}}
		o := &optimist{x: x, four: c.four, change: func(got []transport.Sample) {
			got[c.x].OutX |= 1
			got[c.wrong].Out ^= 0x40
		}}
		var first *driver.Mismatch
		r := driver.Runner{Transport: o, Tile: x, Report: func(r *driver.Result) { first = r.FirstMismatch }}
		tally, err := r.Run(t.Context(), []driver.Job{{Vector: v}})
		if err != nil || first == nil || first.X != c.want || (tally.FailsByX == 1) != (c.want != 0) {
			t.Errorf("%+v: %v, %+v, %d, %v", c, tally.Verdicts, first, tally.FailsByX, err)
		}
	}
}
