package rtl

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"utfbench/cause/wiring"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/golden"
	"utfbench/tile"
	"utfbench/tile/project"
	"utfbench/transport"
	"utfbench/transport/mock"
	"utfbench/transport/verilog"
)

// opened is a tile of testdata, built once for all tests.
func opened(t *testing.T, name string) *Tile { return openedIn(t, "verilator", name) }

// inEach runs a test with references in each of the simulators.
func inEach(t *testing.T, test func(t *testing.T, simulator string)) {
	for _, simulator := range []string{"verilator", "icarus"} {
		t.Run(simulator, func(t *testing.T) { test(t, simulator) })
	}
}

func openedIn(t *testing.T, simulator, name string) *Tile {
	t.Helper()
	p, err := project.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return openedProject(t, simulator, p)
}

func openedProject(t *testing.T, simulator string, p *project.Project) *Tile {
	t.Helper()
	if command := map[string]string{"icarus": "iverilog"}[simulator]; !slices.Contains(verilog.Installed(),
		cmp.Or(command, simulator)) {
		t.Skipf("needs %s", simulator)
	}
	x, err := Open(t.Context(), p, verilog.Config{Simulator: simulator})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

// tiles are those of testdata.
var tiles = []string{"turn", "still"}

// What testdata/turn/src says, by hand: a counter, flags, and a memory that nobody knows before it is written. What the
// bench drives on a line that nobody else drives is there, and a line that nobody drives is unknown.
func TestReference(t *testing.T) {
	inEach(t, func(t *testing.T, simulator string) {
		x := openedIn(t, simulator, "turn")
		const read, write, count = 1, 2, 16
		all := uint8(0xFF)
		for i, c := range []struct {
			step transport.Step
			want transport.Sample
		}{
			{transport.Step{In: count}, transport.Sample{OutX: 0x3F, IOX: 0xFF}}, // nothing is known before the reset
			{x.ResetStep(), transport.Sample{IOX: 0xFF}},
			{transport.Step{In: count, Clocks: 5}, transport.Sample{Out: 5, OutX: 0x10, IOX: 0xFF}},
			{transport.Step{In: read, Clocks: 1}, transport.Sample{Out: 0x65, OutX: 0x10, IOX: 0xFF}},
			{transport.Step{}, transport.Sample{Out: 0x25, OutX: 0x10, IOX: 0xFF}},
			{transport.Step{Clocks: 1}, transport.Sample{Out: 0x05, OutX: 0x10, IOX: 0xFF}},
			{transport.Step{In: write, IO: 0xA7, Drive: all, Clocks: 1}, transport.Sample{Out: 0x85,
				OutX: 0x10, IO: 0xA7}},
			{transport.Step{In: read, Clocks: 1}, transport.Sample{Out: 0x75, IO: 0xA7}},
			{transport.Step{In: read | 4, Clocks: 1}, transport.Sample{Out: 0x65, OutX: 0x10, IOX: 0xFF}},
			{transport.Step{Reset: true, Clocks: 1}, transport.Sample{IOX: 0xFF}},
			{transport.Step{In: read, Clocks: 1}, transport.Sample{Out: 0x70, IO: 0xA7}}, // no reset clears the memory
		} {
			if i == 0 {
				firstOf(t, x, c.step, c.want)
				continue
			}
			steps := sequence[:i]
			sequence = append(steps, c.step)
			if got := last(t, x, sequence); got != c.want {
				t.Errorf("step %d, %+v: %+v; want %+v", i, c.step, got, c.want)
			}
		}
		if may, always := x.Driven(); may != 0xFF || always != 0 {
			t.Errorf("it may drive %02X, and always drives %02X", may, always)
		}
		if may, always := openedIn(t, simulator, "still").Driven(); may != 0xF0 || always != 0xF0 {
			t.Errorf("still may drive %02X, and always drives %02X", may, always)
		}
	})
}

var sequence = make([]transport.Step, 1, 16)

// firstOf checks a step of a chip that just woke up.
func firstOf(t *testing.T, x *Tile, s transport.Step, want transport.Sample) {
	t.Helper()
	sequence[0] = s
	if got := last(t, x, sequence[:1]); got != want {
		t.Errorf("before the reset: %+v; want %+v", got, want)
	}
}

func last(t *testing.T, x *Tile, steps []transport.Step) transport.Sample {
	t.Helper()
	samples := make([]transport.Sample, len(steps))
	if err := errors.Join(tile.Expect(x, steps, samples), x.Doubt(steps, samples)); err != nil {
		t.Fatal(err)
	}
	return samples[len(steps)-1]
}

// Steps by chance are legal, the bench drives where it may, and what it must not drive is refused with its line.
func TestTurn(t *testing.T) {
	inEach(t, func(t *testing.T, simulator string) {
		for _, name := range tiles {
			x := openedIn(t, simulator, name)
			driven := 0
			for seed := range uint64(10) {
				steps, err := tile.Random(x, rand.New(rand.NewPCG(seed, 0)), 200)
				if err != nil || x.Lint(steps) != nil || steps[0] != x.ResetStep() {
					t.Fatalf("%s: %v, %v", name, err, x.Lint(steps))
				}
				for _, s := range steps {
					driven += transport.Outputs(s.Drive).Count()
				}
			}
			if driven < 2000 {
				t.Errorf("%s: of 16,000 lines the bench drives %d", name, driven)
			}
		}
		err := openedIn(t, simulator, "turn").Lint([]transport.Step{{Reset: true, Clocks: 1}, {In: 1, Clocks: 1},
			{In: 1, Drive: 0x08}})
		var illegal *tile.Illegal
		if !errors.As(err, &illegal) || illegal.Step != 2 || !strings.Contains(err.Error(), "both drive uio3") {
			t.Error(err)
		}
	})
}

// byChance are vectors of random legal steps, as jobs.
func byChance(t *testing.T, x *Tile, n int) (jobs []driver.Job) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	for range n {
		steps, err := tile.Random(x, rng, 150)
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, driver.Job{Vector: &golden.Vector{Name: "chance/x",
			Sequence: golden.Sequence{Steps: steps}}})
	}
	return jobs
}

// verdicts runs jobs on a device.
func verdicts(t *testing.T, x *Tile, tr transport.Transport, jobs []driver.Job) (*driver.Tally, *driver.Result) {
	t.Helper()
	var failed *driver.Result
	r := driver.Runner{Transport: tr, Tile: x, Report: func(r *driver.Result) {
		if r.Verdict != driver.Pass && failed == nil {
			failed = r
		}
	}}
	tally, err := r.Run(t.Context(), jobs)
	if err != nil && !strings.Contains(err.Error(), "bench and chip both drive it") { // as a simulation says it
		t.Fatal(err)
	}
	return tally, failed
}

// device simulates a file as the chip, which wakes up in the state of a seed; 0 is one that nobody knows.
func device(t *testing.T, x *Tile, seed uint32, sources ...string) *verilog.Transport {
	t.Helper()
	c := x.Simulation()
	c.Simulator, c.PowerUp = "verilator", seed
	if seed == 0 { // which Icarus has built in no time
		c.Simulator = "icarus"
	}
	if len(sources) > 0 {
		c.Sources = sources
	}
	tr, err := verilog.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// slips are mistakes in a tile's logic, and the lines on which they have to show.
var slips = []struct{ tile, file, from, to, lines string }{
	{"turn", "project.v", "count + 1", "count + 3", "uo1 uo2 uo3"},
	{"turn", "project.v", "drive <= read & ~write", "drive <= read", "uo5"},
	{"turn", "project.v", "^out", "~^out", "uo4"},
	{"turn", "memory.v", "bytes[address] <= in", "bytes[address] <= in ^ 8'h20", "uio5 uo4"},
	{"still", "project.v", "ui_in[3:0] + ui_in[7:4]", "ui_in[3:0] | ui_in[7:4]", "uo0 uo1 uo2 uo3 uo4"},
	{"still", "project.v", "if (!uio_in[3])", "if (uio_in[3])", "uo5 uo6 uo7"},
}

// Each slip is FAIL, on a line that it belongs to, and what the bench would drive against is an ERROR at most.
func TestSlips(t *testing.T) {
	for _, s := range slips {
		x := opened(t, s.tile)
		tr := device(t, x, 0, slipped(t, x, s.file, s.from, s.to)...)
		tally, failed := verdicts(t, x, tr, byChance(t, x, 20))
		tr.Close()
		if tally.Verdict() != driver.Fail && s.to != "drive <= read" || failed == nil {
			t.Errorf("%s: %+v", s.to, tally)
			continue
		}
		if m := failed.First; m != nil {
			lines := m.Got.Differ(m.Want).Names()
			for _, line := range lines {
				if !strings.Contains(s.lines+" uio", line) && !strings.HasPrefix(line, "uio") {
					t.Errorf("%s: %v differ", s.to, lines)
				}
			}
		}
	}
}

// slipped are the sources of a tile with a text in one of them replaced.
func slipped(t *testing.T, x *Tile, file, from, to string) (paths []string) {
	t.Helper()
	for _, path := range x.About.Paths() {
		if filepath.Base(path) == file {
			text, err := os.ReadFile(path)
			if err != nil || !strings.Contains(string(text), from) {
				t.Fatalf("%s has no %q: %v", path, from, err)
			}
			path = filepath.Join(t.TempDir(), file)
			if err := os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		paths = append(paths, path)
	}
	return paths
}

// Behind wires without a fault the chip shows what the reference does; where the wires go through a state that nobody
// knows, it may know less.
func TestWired(t *testing.T) {
	inEach(t, func(t *testing.T, simulator string) {
		for _, name := range tiles {
			x := openedIn(t, simulator, name)
			steps, err := tile.Random(x, rand.New(rand.NewPCG(3, 3)), map[string]int{"verilator": 1000,
				"icarus": 100}[simulator])
			if err != nil {
				t.Fatal(err)
			}
			want, got := make([]transport.Sample, len(steps)), make([]transport.Sample, len(steps))
			wires := fault.New(tile.Wire(x), nil, 0)
			if err := errors.Join(tile.Expect(x, steps, want), wires.Run(steps, got)); err != nil {
				t.Fatal(err)
			}
			unknown := 0
			for i := range steps {
				open := got[i].Unknown() &^ want[i].Unknown()
				unknown += open.Count()
				if got[i].Differ(want[i])&^open != 0 {
					t.Fatalf("%s, step %d: %+v behind wires, %+v", name, i, got[i], want[i])
				}
			}
			if unknown > len(steps) {
				t.Errorf("%s: %d bits are not known behind wires", name, unknown)
			}
			wires.Close()
		}
	})
}

// The wiring check names a wire of a tile that it never saw.
func TestWiring(t *testing.T) {
	x := opened(t, "turn")
	wantOf := map[string]driver.Verdict{"uo4=open": wiring.Unclear, "uo1~uo2=or": wiring.Bad}
	for _, text := range []string{"", "uo4=open", "uo1~uo2=or"} {
		c := mock.Config{Tile: x}
		if text != "" {
			f, err := tile.Bits(x).Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			c.Faults = []fault.Fault{f}
		}
		tr := mock.Open(c)
		r, err := wiring.Check(t.Context(), tr, x)
		tr.Close()
		switch {
		case err != nil:
			t.Fatal(err)
		case text == "" && (r.Verdict != wiring.Unproven || !slices.Equal(r.Unproven, []string{"ui5", "ui6", "ui7"})):
			t.Errorf("without a fault: %s, %s", r.Verdict, r.Why)
		case text != "" && (r.Verdict != wantOf[text] || len(r.Lines()) != 1 ||
			r.Lines()[0].Lines[0] != text[:3]):
			t.Errorf("%s: %s, %s, %v", text, r.Verdict, r.Why, r.Lines())
		}
	}
}

// A design that the two simulators see differently is no reference: here the netlist before its output that is read
// back got a wire of its own, which Verilator 5.006 has wrong. A Verilator that has it right opens it.
func TestCrossCheck(t *testing.T) {
	x := opened(t, "still")
	text, err := os.ReadFile("testdata/still/netlist.v")
	if err != nil {
		t.Fatal(err)
	}
	p := *x.About
	p.Sources = []project.Source{{Path: filepath.Join(t.TempDir(), "netlist.v")}}
	back := strings.Replace(string(text), "assign _p4_ = ui_in[4] & ui_in[0];\n  assign uio_out[4] = _p4_",
		"assign uio_out[4] = ui_in[4] & ui_in[0]", 1)
	back = strings.ReplaceAll(strings.Replace(back, "  wire _p4_;\n", "", 1), "_p4_", "uio_out[4]")
	if err := os.WriteFile(p.Sources[0].Path, []byte(back), 0o600); err != nil {
		t.Fatal(err)
	}
	y, err := Open(t.Context(), &p, verilog.Config{})
	if err != nil && !strings.Contains(err.Error(), "Verilator and Icarus disagree about this design") {
		t.Fatal(err)
	}
	out, verr := exec.Command("verilator", "--version").Output()
	if err == nil && verr == nil && strings.Contains(string(out), "Verilator 5.006") {
		t.Error("Verilator 5.006 has it wrong, and nobody noticed")
	}
	if y != nil {
		y.Close()
	}
}

// A simulation that ends is the bench's fault, and no verdict.
func TestReferenceDies(t *testing.T) {
	inEach(t, func(t *testing.T, simulator string) {
		x := openedIn(t, simulator, "turn")
		jobs := byChance(t, x, 3)
		tr := device(t, x, 1)
		defer tr.Close()
		for _, sim := range x.usual.idle {
			sim.Close() // as if it were killed
		}
		r := driver.Runner{Transport: tr, Tile: x}
		tally, err := r.Run(context.Background(), jobs)
		if tally.Verdicts[driver.Fail] != 0 || tally.Verdicts[driver.Error] == 0 {
			t.Errorf("%+v, %v", tally, err)
		}
		if err == nil || strings.Contains(err.Error(), "transport") {
			t.Errorf("%v; want the reference's error, and no word of the transport", err)
		}
	})
}

// Once a chip has differed, the bench lets go of the bus that turns for the rest of the vector.
func TestReleased(t *testing.T) {
	inEach(t, func(t *testing.T, simulator string) {
		x := openedIn(t, simulator, "turn")
		f, err := tile.Bits(x).Parse("uo3=stuck0") // which shows when the counter comes to 8
		if err != nil {
			t.Fatal(err)
		}
		d := &driven{Transport: mock.Open(mock.Config{Tile: x, Faults: []fault.Fault{f}}),
			right: mock.Open(mock.Config{Tile: x})}
		defer d.Close()
		defer d.right.Close()
		tally, _ := verdicts(t, x, d, byChance(t, x, 5))
		if tally.Verdicts[driver.Fail] == 0 || d.after > 0 || d.before == 0 {
			t.Errorf("%+v; uio was taken %d times before a difference and %d times after it", tally.Verdicts,
				d.before, d.after)
		}
	})
}

// driven counts how often the bench takes the bus in a vector, before its chip and a right one have differed and after.
type driven struct {
	transport.Transport
	right         transport.Transport
	drove, wrong  bool
	before, after int
}

func (d *driven) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	for i, s := range steps {
		if s.Reset && s.Clocks == 10 {
			d.wrong = false // a vector begins
		}
		drives := s.Drive != 0
		switch taken := drives && !d.drove; {
		case taken && d.wrong:
			d.after++
		case taken:
			d.before++
		}
		d.drove = drives
		var want [1]transport.Sample
		_, err := d.Transport.Apply(ctx, steps[i:i+1], samples[i:])
		if _, rerr := d.right.Apply(ctx, steps[i:i+1], want[:]); err != nil || rerr != nil {
			return i, errors.Join(err, rerr)
		}
		d.wrong = d.wrong || samples[i].Differ(want[0]) != 0
	}
	return len(steps), nil
}

// pinned is what follows from pins alone, in blocks that a simulator works out only when a pin moves, and a memory that
// takes an x from the sources.
const pinned = `module tt_um_bench_pinned (
    input wire [7:0] ui_in, output reg [7:0] uo_out,
    input wire [7:0] uio_in, output wire [7:0] uio_out, output reg [7:0] uio_oe,
    input wire ena, input wire clk, input wire rst_n);
  reg [1:0] memory [0:1];
  reg seen = 0;
  integer n = 5, i;
  always @(posedge clk) begin
    if (!rst_n) memory[0] <= 0;
    else if (ui_in[7]) memory[0] <= 2'bxx;
    if (memory[0][0]) seen <= 1; else seen <= 0;
  end
  always_comb if (!ui_in[0]) uio_oe = 8'hFF; else uio_oe = 8'h00;
  always @* begin
    uo_out = 0;
    for (i = 0; i < n; i = i + 1) uo_out[i] = 1;
    case (ui_in[3:0]) 4'h0: uo_out[6] = 1; default: uo_out[6] = 0; endcase
    uo_out[7] = seen;
  end
  assign uio_out = 8'hA5;
endmodule
`

// What follows from the pins is known as soon as the tile is awake; what follows from an x in a memory never is.
func TestIcarusPins(t *testing.T) {
	inEach(t, func(t *testing.T, simulator string) {
		p := &project.Project{Top: "tt_um_bench_pinned",
			Sources: []project.Source{{Path: filepath.Join(t.TempDir(), "pinned.sv")}}}
		if err := os.WriteFile(p.Sources[0].Path, []byte(pinned), 0o600); err != nil {
			t.Fatal(err)
		}
		x := openedProject(t, simulator, p)
		if err := x.Lint([]transport.Step{{Reset: true}, {Drive: 0xFF}}); err == nil {
			t.Error("the bench may drive uio, and the tile does")
		}
		steps := []transport.Step{{Reset: true, Clocks: 2}, {}, {In: 0x80, Clocks: 1}, {In: 1, Clocks: 1}}
		if got := last(t, x, steps[:2]); got != (transport.Sample{Out: 0x5F, IO: 0xA5}) {
			t.Errorf("after the reset: %+v", got)
		}
		if got := last(t, x, steps); got.OutX&0x80 == 0 {
			t.Errorf("after an x was written: %+v", got)
		}
	})
}
