package gates

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates/sim"
	"utfbench/tile/project"
	"utfbench/transport"
)

const turnFile = "testdata/tt_um_bench_turn.v"

func turn(t testing.TB) *Tile {
	t.Helper()
	p := testkit.Must(project.Open(turnFile))(t)
	return testkit.Must(Open(p))(t)
}

const shift = `module tt_um_bench_shift (clk, ena, rst_n, ui_in, uio_in, uio_oe, uio_out, uo_out);
  input clk, ena, rst_n;
  input [7:0] ui_in, uio_in;
  output [7:0] uio_oe, uio_out, uo_out;
  assign uio_out = 8'b0;
  assign uio_oe = 8'b0;
  assign uo_out[7:3] = 5'b0;
  sky130_fd_sc_hd__dfstp_1 f0 (.CLK(clk), .D(ui_in[0]), .SET_B(rst_n), .Q(uo_out[0]));
  sky130_fd_sc_hd__dfrtp_1 f1 (.CLK(clk), .D(uo_out[0]), .RESET_B(rst_n), .Q(uo_out[1]));
  sky130_fd_sc_hd__dfrtp_1 f2 (.CLK(clk), .D(uo_out[1]), .RESET_B(rst_n), .Q(uo_out[2]));
endmodule
`

func shiftTile(t *testing.T, netlist string) *Tile {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tt_um_bench_shift.v")
	if err := os.WriteFile(path, []byte(netlist), 0o600); err != nil {
		t.Fatal(err)
	}
	return testkit.Must(Open(testkit.Must(project.Open(path))(t)))(t)
}

// A chip behind a cut clk returns the same samples on a shared machine as alone. There it once took data again while
// other chips were in reset, so it had more unknown levels, and diagnose did not name the cut.
func TestUnknownClockTogether(t *testing.T) {
	x := shiftTile(t, shift)
	steps := []transport.Step{{Reset: true, Clocks: 1}, {}, {Clocks: 1}}
	want := make([]transport.Sample, len(steps))
	run := func(chip fault.Chip, to []transport.Sample) {
		if err := fault.New(chip, []fault.Fault{{Kind: fault.Cut, A: fault.Clk}}, 0).Run(steps, to); err != nil {
			t.Error(err)
		}
	}
	run(tile.WiredChip(x), want)
	did := 0
	x.RunConcurrently(func() tile.Worker {
		if did++; did > 1 {
			return nil
		}
		return func(chip func() fault.Chip) {
			got := make([]transport.Sample, len(steps))
			if run(chip(), got); !slices.Equal(got, want) {
				t.Errorf("%+v, and alone %+v", got, want)
			}
		}
	})
}

// The reference does not derive state from the levels of ui and rst_n at power-up. When it did, a chip whose state an
// earlier vector had changed was a FAIL.
func TestPowerUpIsPast(t *testing.T) {
	for line, reset := range map[string]transport.Step{"ui_in[7]": {In: 0x80, Reset: true, Clocks: 1},
		"rst_n": {Clocks: 1}} {
		path := filepath.Join(t.TempDir(), "tt_um_bench_shift.v")
		text := strings.ReplaceAll(shift, "_B(rst_n)", "_B("+line+")")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		x := testkit.Must(Open(testkit.Must(project.Open(path))(t)))(t)
		if got := expect(t, x, reset); got[0].OutX != 6 {
			t.Errorf("flip-flops that %s resets: %+v", line, got)
		}
	}
}

func expect(t testing.TB, x tile.Tile, steps ...transport.Step) []transport.Sample {
	t.Helper()
	samples := make([]transport.Sample, len(steps))
	if err := tile.Expect(x, steps, samples); err != nil {
		t.Fatal(err)
	}
	return samples
}

// The expected samples are derived from the netlist's schematic by hand.
func TestReference(t *testing.T) {
	x := turn(t)
	reset := transport.Step{Reset: true, Clocks: 2}
	for i, c := range []struct {
		step transport.Step
		want transport.Sample
	}{
		// in reset the counter is constant; the latch, the shared line and the open input are unknown; the ring is 1
		{reset, transport.Sample{Out: 0x30, OutX: 0x84, IOX: 0xFF}},
		{transport.Step{In: 0x02, Clocks: 1}, transport.Sample{Out: 0x31, OutX: 0x80, IOX: 0xFF}},
		// ebufn (ui3 low) drives uo3 to 0; with ui3 high nothing does
		{transport.Step{In: 0x08, Clocks: 1}, transport.Sample{Out: 0x32, OutX: 0x88, IOX: 0xFF}},
		// einvp drives the inverse of bit 0
		{transport.Step{In: 0x18, Clocks: 1}, transport.Sample{Out: 0x3B, OutX: 0x80, IOX: 0xFF}},
		// both drive opposite levels
		{transport.Step{In: 0x10, Clocks: 1}, transport.Sample{Out: 0x30, OutX: 0x88, IOX: 0xFF}},
		// the latch stores 1 and keeps it
		{transport.Step{In: 0x06}, transport.Sample{Out: 0x34, OutX: 0x80, IOX: 0xFF}},
		{transport.Step{In: 0x04}, transport.Sample{Out: 0x34, OutX: 0x80, IOX: 0xFF}},
		{transport.Step{}, transport.Sample{Out: 0x34, OutX: 0x80, IOX: 0xFF}},
		// the ring oscillates: unknown meanwhile, known afterwards
		{transport.Step{In: 0x40}, transport.Sample{Out: 0x24, OutX: 0x90, IOX: 0xFF}},
		{transport.Step{}, transport.Sample{Out: 0x34, OutX: 0x80, IOX: 0xFF}},
		// a byte is written and read; set and reset differ
		{transport.Step{In: 0x80}, transport.Sample{Out: 0x34, OutX: 0x80, IO: 0x80}},
		{transport.Step{In: 0x01, IO: 0x5B, Drive: 0xFF, Clocks: 1}, transport.Sample{Out: 0x3D, OutX: 0x80, IO: 0x5B}},
		{transport.Step{In: 0x80, Clocks: 1}, transport.Sample{Out: 0x3E, OutX: 0x80, IO: 0x5B}},
	} {
		steps := slices.Clone(walk[:i])
		if walk[i] != c.step {
			t.Fatalf("step %d is not in the walk", i)
		}
		got := expect(t, x, append(steps, c.step)...)
		if last := got[len(got)-1]; last != c.want {
			t.Errorf("step %d %+v:\ngot  %+v\nwant %+v", i, c.step, last, c.want)
		}
	}
	if may, always := x.DrivenUIO(); may != 0xFF || always != 0 || x.DrivenLines() != 0xFF {
		t.Errorf("may drive %02X, always %02X", may, always)
	}
}

// walk holds the steps of TestReference.
var walk = []transport.Step{{Reset: true, Clocks: 2}, {In: 0x02, Clocks: 1}, {In: 0x08, Clocks: 1},
	{In: 0x18, Clocks: 1}, {In: 0x10, Clocks: 1}, {In: 0x06}, {In: 0x04}, {}, {In: 0x40}, {}, {In: 0x80},
	{In: 0x01, IO: 0x5B, Drive: 0xFF, Clocks: 1}, {In: 0x80, Clocks: 1}}

// Lint finds the step in which both bench and chip would drive, and ReleaseDriven releases the lines there.
func TestTurn(t *testing.T) {
	x := turn(t)
	steps := []transport.Step{{Reset: true, Clocks: 2}, {In: 0x01, IO: 0xFF, Drive: 0xFF, Clocks: 1},
		{In: 0x80, IO: 0xFF, Drive: 0xF0, Clocks: 1}, {In: 0x01, IO: 0x11, Drive: 0xFF, Clocks: 1}}
	var illegal *tile.IllegalStepError
	if err := x.Lint(steps); !errors.As(err, &illegal) || illegal.Step != 2 {
		t.Errorf("Lint: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := x.ReleaseDriven(stopped, slices.Clone(steps)); !errors.Is(err, context.Canceled) {
		t.Errorf("it is not stopped: %v", err)
	}
	if _, err := tile.RandomSuite(stopped, x, 1, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("random steps are not stopped: %v", err)
	}
	if err := x.ReleaseDriven(t.Context(), steps); err != nil {
		t.Fatal(err)
	}
	if steps[1].Drive != 0xFF || steps[2].Drive != 0 || steps[3].Drive != 0xFF {
		t.Errorf("Turn: %+v", steps)
	}
	if err := x.Lint(steps); err != nil {
		t.Error(err)
	}
}

// A good chip never differs from the reference in random steps, whatever its power-up state and its undriven lines.
func TestGoodChipsAgree(t *testing.T) {
	x := turn(t)
	for seed := range uint64(40) {
		steps := testkit.Must(tile.RandomSteps(x, rand.New(rand.NewPCG(seed, 1)), 400))(t)
		want := expect(t, x, steps...)
		c := x.Design.NewChip(&sim.RandomChoices{Seed: seed, Fate: sim.Fate(seed % 5)})
		for i := range steps {
			if got := c.Apply(&steps[i]); got.Differ(want[i]) != 0 {
				t.Fatalf("seed %d, step %d %+v: a good chip shows %+v, and the reference has %+v", seed, i, steps[i],
					got, want[i])
			}
		}
	}
}

// A cell fault changes the outputs, and a fault at a cell's input affects only that cell.
func TestCellFaults(t *testing.T) {
	x := turn(t)
	want := expect(t, x, walk...)
	for _, c := range []struct {
		fault string
		lines transport.Outputs // lines that differ
	}{
		{"f0/D=stuck0", 1<<8 | 1<<3}, {"f7/SET_B=stuck1", 0}, {"f7/Q=stuck0", 1 << 15}, {"i0/A=stuck1", 0x03},
		{"r0/Q=stuck1", 0x03}, {"l/GATE=stuck1", 1 << 2}, {"t0/TE_B=stuck1", 1 << 3}, {"c/LO=stuck1", 1 << 6},
	} {
		f := testkit.Must(ParseCellFault(c.fault))(t)
		d, _, err := OpenFile(turnFile, "", []CellFault{*f})
		if err != nil {
			t.Fatal(err)
		}
		chip, lines := d.NewChip(&sim.RandomChoices{Seed: 3}), transport.Outputs(0)
		for i := range walk {
			lines |= chip.Apply(&walk[i]).Differ(want[i])
		}
		if c.lines != 0 && lines != c.lines {
			t.Errorf("%s: lines %v differ, want %v", c.fault, lines.Names(), c.lines.Names())
		}
	}
	for _, text := range []string{"f0/NONE=stuck0", "none/D=stuck0"} {
		f, _ := ParseCellFault(text)
		if _, _, err := OpenFile(turnFile, "", []CellFault{*f}); err == nil ||
			!strings.Contains(err.Error(), "no instance in the netlist has that name and pin") {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"f0=stuck0", "f0/D", "/D=stuck1", "f0/=stuck1", "f0/D=open"} {
		if _, err := ParseCellFault(text); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

// A chip behind good wires returns the reference's samples, and nearly all wire faults change them.
func TestWired(t *testing.T) {
	x, falls := turn(t), shiftTile(t, strings.Replace(shift, "sky130_fd_sc_hd__dfrtp_1 f2 (.CLK(clk)",
		"sky130_fd_sc_hd__inv_1 i (.A(clk), .Y(n));\n  sky130_fd_sc_hd__dfrtp_1 f2 (.CLK(n)", 1))
	var want, got []transport.Sample
	for _, x := range []*Tile{falls, x} { // falls has a flip-flop that is clocked by the falling edge
		steps := testkit.Must(tile.RandomSteps(x, rand.New(rand.NewPCG(5, 1)), 500))(t)
		want, got = expect(t, x, steps...), make([]transport.Sample, len(steps))
		if err := fault.New(tile.WiredChip(x), nil, 0).Run(steps, got); err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if got[i].Differ(want[i])&^got[i].Unknown() != 0 {
				t.Fatalf("step %d %+v: %+v behind wires, and %+v without", i, steps[i], got[i], want[i])
			}
		}
	}
	if known := transport.Differ(got, want); known&^0xFF != 0 {
		t.Errorf("lines %v are unknown behind wires", known.Names())
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if steps, err := x.WiringSteps(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("%d steps of a wiring check that was stopped, %v", len(steps), err)
	}
	cable := testkit.Must(x.WiringSteps(t.Context()))(t)
	if err := x.Lint(cable); err != nil || len(cable) != drawn { // further sequences show no more faults
		t.Errorf("%d steps of the wiring check: %v", len(cable), err)
	}
	if hidden := x.hidden(t.Context(), stuckLines(nil), cable); len(hidden) > 12 {
		t.Errorf("the wiring check shows no difference with %v", hidden)
	}
}

// The wiring check uses few steps for a slow design whose faults cannot share a machine.
func TestSlowCable(t *testing.T) {
	const length = 20_001
	var ring strings.Builder
	for i := range length {
		fmt.Fprintf(&ring, "  sky130_fd_sc_hd__inv_2 r%d (.A(n%d), .Y(n%d));\n", i, i, (i+1)%length)
	}
	text := string(testkit.Must(os.ReadFile(turnFile))(t))
	file := filepath.Join(t.TempDir(), filepath.Base(turnFile))
	slow := strings.Replace(text, "\nendmodule", "\n"+ring.String()+"endmodule", 1)
	if err := os.WriteFile(file, []byte(slow), 0o600); err != nil {
		t.Fatal(err)
	}
	n := testkit.Must(testkit.Must(Open(testkit.Must(project.Open(file))(t)))(t).length())(t)
	if all := testkit.Must(turn(t).length())(t); n > drawn/4 || all != drawn {
		t.Errorf("%d steps instead of %d", n, all)
	}
}

// A bad netlist is rejected with an error that names the mistake.
func TestRefused(t *testing.T) {
	text := testkit.Must(os.ReadFile(turnFile))(t)
	for _, c := range [][3]string{
		{"sky130_fd_sc_hd__inv_2 i0", "sky130_fd_sc_hd__inw_2 i0",
			"n.v: cells of a kit that utfbench does not know: sky130_fd_sc_hd__inw_2 (1)"},
		{"output [7:0] uio_oe, uio_out, uo_out;", "output [7:0] uio_out, uo_out; output [8:0] uio_oe; wire x;",
			"n.v: line 11: 8 bits are assigned to 9"},
		{"input [7:0] ui_in, uio_in;", "input [8:0] ui_in; input [7:0] uio_in;",
			"port ui_in has 9 bits (a tile's has 8)"},
		{"module tt_um_bench_turn", "module other (input a); endmodule module third", ""},
		{"endmodule", "", "n.v: line "},
		{"sky130_fd_sc_hd__inv_2 i0 (.A(q0)", "sky130_fd_sc_hd__inv_2 i0 (.A(ui_in)",
			"sky130_fd_sc_hd__inv_2 i0 has a pin with several bits"},
		{".Y(n0)", ".Y(1'b0)", "drives a constant or the supply with its pin Y"},
		{".Y(n0)", ".Y(clk)", "clk is an input, and a cell drives it"},
	} {
		changed := strings.Replace(string(text), c[0], c[1], 1)
		if changed == string(text) {
			t.Fatalf("%q is not in the netlist", c[0])
		}
		circuit, _, err := ReadNetlist(Source{"n.v", changed, ""}, nil)
		if err == nil {
			_, err = Compile(circuit)
		}
		if c[2] == "" && err != nil || c[2] != "" && (err == nil || !strings.Contains(err.Error(), c[2])) {
			t.Errorf("%s: %v, want %q", c[1], err, c[2])
		}
	}
	if _, _, err := ReadNetlist(Source{"n.v", string(text), "tt_um_none"}, nil); err == nil {
		t.Error("a top module that is not there is found")
	}
}

// A tile in which no cell drives an output, such as many analog ones, is rejected, since nothing could be compared.
func TestAnalog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tt_um_analog.v")
	text := `module tt_um_analog (input [7:0] ui_in, uio_in, output [7:0] uo_out, uio_out, uio_oe,
  input ena, clk, rst_n, inout [7:0] ua);
  opamp o (.in(ua[0]), .out(ua[1])); sky130_fd_sc_hd__inv_2 i (.A(clk), .Y(n));
endmodule
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(&project.Project{Netlist: path})
	if err == nil || !strings.Contains(err.Error(), "tt_um_analog.v: no digital cell drives an output") {
		t.Error(err)
	}
}

// A macro is counted, and its outputs are unknown. A module of the same file is expanded instead.
func TestMacros(t *testing.T) {
	text := testkit.Must(os.ReadFile(turnFile))(t)
	changed := strings.Replace(string(text), "sky130_fd_sc_hd__conb_1 c (.HI(uo_out[5]), .LO(uo_out[6]));",
		"rom rom1 (.a({q1, q0}), .d(uo_out[5])); half h (.i(ui_in[5]), .o(uo_out[6]));", 1) +
		"module half (i, o); input i; output o; sky130_fd_sc_hd__inv_2 u (.A(i), .Y(o)); endmodule"
	c, macros, err := ReadNetlist(Source{"n.v", changed, "tt_um_bench_turn"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(macros, []CellCount{{"rom", 1}}) {
		t.Errorf("macros %v", macros)
	}
	d := testkit.Must(Compile(c))(t)
	chip := d.NewChip(nil)
	if s := chip.Apply(&transport.Step{In: 0x20}); s.OutX&0x60 != 0x20 || s.Out&0x40 != 0 {
		t.Errorf("%+v", s)
	}
	if s := chip.Apply(&transport.Step{}); s.OutX&0x60 != 0x20 || s.Out&0x40 == 0 {
		t.Errorf("%+v", s)
	}
}

// Modules that are nested too deeply, or expand to too many instances, are rejected.
func TestBounds(t *testing.T) {
	ports := "(input [7:0] ui_in, uio_in, output [7:0] uo_out, uio_out, uio_oe, input ena, clk, rst_n);"
	wide := "module a (); wire [4000:0] x; wire [4000:0] y; assign x = y; endmodule\n"
	text := "module m " + ports + strings.Repeat("\nb b ();", 40) + "\nendmodule\n" + wide +
		"module b ();" + strings.Repeat(" a a ();", 40) + " endmodule"
	for _, c := range [][2]string{{text, "is more than a tile can have"},
		{"module m " + ports + " m m (); endmodule", "modules are nested more than 32 deep"}} {
		if _, _, err := ReadNetlist(Source{"n.v", c[0], ""}, nil); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%v, want %q", err, c[1])
		}
	}
}

// A project folder of a shuttle's repository is opened from its netlist, whatever sources info.yaml names.
func TestShuttleFolder(t *testing.T) {
	text := testkit.Must(os.ReadFile(turnFile))(t)
	dir := filepath.Join(t.TempDir(), "tt_um_bench_turn")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	info := "project:\n  title: Turn\n  wokwi_id: 4711\n  top_module: tt_um_bench_turn\n  source_files:\n    - none.v\n"
	for name, text := range map[string]string{"info.yaml": info, "tt_um_bench_turn.v": string(text)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := testkit.Must(project.Open(dir))(t)
	x := testkit.Must(Open(p))(t)
	if x.Name() != "tt_um_bench_turn" || p.Title != "Turn" || x.Revision() != turn(t).Revision() {
		t.Errorf("%s %q %s", x.Name(), p.Title, x.Revision())
	}
}

// FuzzNetlist checks that any netlist yields either an error or a reference that no random chip contradicts.
func FuzzNetlist(f *testing.F) {
	text := testkit.Must(os.ReadFile(turnFile))(f)
	f.Add(string(text))
	f.Add("module m (input [7:0] ui_in, uio_in, output [7:0] uo_out, uio_out, uio_oe, input ena, clk, rst_n); " +
		"m m (); endmodule")
	f.Fuzz(func(t *testing.T, text string) {
		c, _, err := ReadNetlist(Source{"n.v", text, ""}, nil)
		if err != nil {
			return
		}
		d, err := Compile(c)
		if err != nil {
			return
		}
		x := New(&project.Project{}, d, "0123456789")
		want := expect(t, x, walk...)
		for seed := range uint64(8) {
			got := make([]transport.Sample, len(walk))
			chip := d.NewChip(&sim.RandomChoices{Seed: seed, Fate: sim.Fate(seed % 5)})
			for i := range walk {
				got[i] = chip.Apply(&walk[i])
			}
			if lines := transport.Differ(got, want); lines != 0 {
				t.Fatalf("seed %d: a chip differs on %v", seed, lines)
			}
			told := slices.Clone(want)
			if x.Deduce(walk, got, told); transport.Differ(got, told) != 0 {
				t.Fatalf("seed %d: a chip differs on %v from what is deduced", seed, transport.Differ(got, told))
			}
		}
	})
}
