package diagnose

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/yosys"
	"utfbench/tile/project"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// slipping is a mock that returns a wrong bit of uo once, after some number of steps.
type slipping struct {
	*mock.Transport
	after int
}

func (s *slipping) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	n, err := s.Transport.Apply(ctx, steps, samples)
	for i := range samples[:n] {
		if s.after--; s.after < 0 && samples[i].OutX == 0 {
			samples[i].Out ^= 1 << 3
			s.after = 1 << 30
		}
	}
	return n, err
}

// CheckWiring reports good wires only if no bit differs.
func TestOneWrongBitIsNotGood(t *testing.T) {
	for _, after := range []int{0, 20, 100} {
		r := check(t, &slipping{mock.Open(mock.Config{Tile: utf.TT09}), after})
		if r.Verdict == GoodWires || r.Verdict == UnprovenWires {
			t.Errorf("one wrong bit after %d steps: %+v", after, r)
		}
	}
}

// stateless is the netlist of a design whose outputs depend only on ui.
const stateless = `module tt_um_bench_xor(VPWR, VGND, clk, ena, rst_n, ui_in, uio_in, uio_oe, uio_out, uo_out);
  inout VPWR, VGND;
  input clk, ena, rst_n;
  input [7:0] ui_in, uio_in;
  output [7:0] uio_oe, uio_out, uo_out;
  wire a, b, low;
  assign uio_oe = {8{low}};
  assign uio_out = {8{low}};
  assign uo_out = {ui_in[6:3], b, b, a, a};
  sky130_fd_sc_hd__conb_1 c (.LO(low));
  sky130_fd_sc_hd__xor2_1 x (.A(ui_in[0]), .B(ui_in[1]), .X(a));
  sky130_fd_sc_hd__xor2_1 y (.A(a), .B(ui_in[2]), .X(b));
endmodule
`

// In a design without state, wrong cells are not mistaken for a missing clock.
func TestStatelessIsNotFrozen(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"tt_um_bench_xor.v": stateless,
		"wrong.v": strings.ReplaceAll(stateless, "xor2_1 x", "and2_1 x")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x := testkit.Must(gates.Open(testkit.Must(project.Open(filepath.Join(dir, "tt_um_bench_xor.v")))(t)))(t)
	for name, want := range map[string]driver.Verdict{"tt_um_bench_xor.v": UnprovenWires, "wrong.v": UnclearWires} {
		if want == UnclearWires && !testkit.Full() { // it searches for pairs of faults for a long time
			continue
		}
		chip := testkit.Must(gates.OpenDevice(gates.DeviceConfig{File: filepath.Join(dir, name)}))(t)
		r := testkit.Must(CheckWiring(t.Context(), chip, x, 0))(t)
		if r.Verdict != want {
			t.Errorf("%s: %s, %s, %v", name, r.Verdict, r.Reason, names(r))
		}
	}
}

// If the chip has another design, without state, signs names that possibility beside a missing clock.
func TestAnotherDesignWithoutState(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tt_um_bench_xor.v")
	if err := os.WriteFile(file, []byte(stateless), 0o600); err != nil {
		t.Fatal(err)
	}
	chip := testkit.Must(gates.OpenDevice(gates.DeviceConfig{File: file}))(t)
	steps := testkit.Must(tile.WiringSteps(t.Context(), utf.TT09))(t)
	e := newExam(search.Search{Tile: utf.TT09}, testkit.Must(apply(t.Context(), chip, steps))(t))
	if r := e.signs(); r.Verdict != BadWires || !strings.Contains(r.Reason, "another design") {
		t.Errorf("%s: %s", r.Verdict, r.Reason)
	}
}

// Wires are not blamed if a stuck pin of a cell acts like an inverted input.
func TestStuckPinLikeWire(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tt_um_bench_xor.v")
	text := strings.Replace(stateless, ".B(ui_in[1])", ".B(zero)", 1)
	text = strings.Replace(text, "  sky130", "  wire zero;\n  sky130_fd_sc_hd__conb_1 d (.LO(zero));\n  sky130", 1)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	x := testkit.Must(gates.Open(testkit.Must(project.Open(file))(t)))(t)
	chip := testkit.Must(gates.OpenDevice(gates.DeviceConfig{File: file,
		Faults: []gates.CellFault{{Cell: "d", Pin: "LO", Level: true}}}))(t)
	r := testkit.Must(CheckWiring(t.Context(), chip, x, 0))(t)
	if r.Verdict != UnclearWires || !strings.HasSuffix(r.Reason, "pin inside the chip: d/LO=stuck1") ||
		names(r) != "[ui0=inverted]" {
		t.Errorf("%s: %s, %v", r.Verdict, r.Reason, names(r))
	}
	steps, run := testkit.Must(tile.WiringSteps(t.Context(), x))(t), Run{Tile: x}
	got := make([]transport.Sample, len(steps))
	testkit.Must(chip.Apply(t.Context(), steps, got))(t)
	if err := run.Add("v", steps, got); err != nil {
		t.Fatal(err)
	}
	if f := testkit.Must(run.Diagnose())(t); f.Conclusion != Unclear || f.EquivalentPin != "d/LO=stuck1" {
		t.Errorf("%s: %s", f.Conclusion, f.Reason())
	}
}

// Wires are not blamed for a fault in a cell unless it acts like a stuck pad or input.
func TestCellsAreNoWires(t *testing.T) {
	d, _, err := gates.OpenFile("../../tile/utf/tt09.v", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	testCells(t, d, utf.TT09, testkit.SampleSize(6, 20, 400))
	if _, err := exec.LookPath("yosys"); err != nil {
		return // the other designs consist of RTL
	}
	for _, name := range []string{"still", "turn"}[:testkit.Pick(0, 2)] {
		p := testkit.Must(project.Open("../../tile/gates/testdata/" + name))(t)
		x := testkit.Must(yosys.Open(t.Context(), p, nil))(t)
		testCells(t, x.Design, x, testkit.SampleSize(0, 12, 40))
	}
}

func testCells(t *testing.T, d *gates.Design, x tile.Tile, n int) {
	t.Helper()
	m, rng := gates.NewFaultList(d), rand.New(rand.NewPCG(1, 3))
	blamed, seen := 0, 0
	for range n {
		i := rng.IntN(len(m.Classes))
		f := m.Classes[i].Faults[0]
		wrong := testkit.Must(m.Inject([]gates.StuckAt{f}))(t)
		chip := struct{ transport.Transport }{wrong.Device(m.Describe(f), uint64(i))} // without pulls
		r := testkit.Must(CheckWiring(t.Context(), chip, x, 0))(t)
		if r.Verdict == UnclearWires || r.Verdict == BadWires {
			seen++
		}
		if r.Verdict == BadWires {
			blamed++
			t.Logf("%s %s: %s, %v", m.Describe(f), m.FaultText(f), r.Reason, names(r))
			if !r.MayBeBrokenInput() {
				t.Errorf("%s %s: %s, %v", m.Describe(f), m.FaultText(f), r.Reason, names(r))
			}
		}
	}
	t.Logf("%s: %d of %d visible faults are blamed on the wires", x.Name(), blamed, seen)
	if seen == 0 || seen >= 20 && blamed*20 > seen {
		t.Errorf("%s: %d of %d visible faults are blamed on the wires", x.Name(), blamed, seen)
	}
}
