package verilog

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport"
)

func need(t testing.TB, simulator string) {
	t.Helper()
	for _, tool := range tools {
		if tool.name != simulator {
			continue
		}
		if _, err := exec.LookPath(tool.command); err != nil {
			t.Skipf("needs %s (Debian package %s)", tool.command, tool.pkg)
		}
	}
}

func both(t *testing.T, f func(t *testing.T, simulator string)) {
	for _, tool := range tools {
		t.Run(tool.name, func(t *testing.T) {
			need(t, tool.name)
			f(t, tool.name)
		})
	}
}

// simulated runs a test under Icarus and, in a full test, under Verilator, whose builds take seconds.
func simulated(t *testing.T, f func(t *testing.T, simulator string)) {
	if testkit.Full() {
		both(t, f)
		return
	}
	need(t, "icarus")
	f(t, "icarus")
}

func ourChip(simulator string, rev model.Revision) Config {
	c := Config{Sources: []string{"testdata/chip/project.v", "testdata/chip/value.v", "testdata/chip/forms.v"},
		Simulator: simulator}
	if rev == model.TT08 {
		c.Defines = []string{"TT08"}
	}
	return c
}

func mustOpen(t testing.TB, c Config) *Transport {
	t.Helper()
	return testkit.Must(Open(context.Background(), c))(t)
}

func opener(c Config) func(testing.TB) transport.Transport {
	return func(t testing.TB) transport.Transport { return mustOpen(t, c) }
}

func TestConformance(t *testing.T) {
	simulated(t, func(t *testing.T, simulator string) {
		steps := testkit.Stimulus(1, 500)
		for _, rev := range []model.Revision{model.TT09, model.TT08} {
			t.Run(rev.String(), func(t *testing.T) {
				testkit.RunTransport(t, testkit.TransportKit{
					Open: opener(ourChip(simulator, rev)), Stimulus: steps, Want: testkit.ModelSamples(rev, steps)})
			})
		}
	})
}

// The chip in Verilog and the model in Go, written independently from docs/chip.md, give the same sample at each step.
func TestLockStep(t *testing.T) {
	for _, c := range []struct {
		simulator string
		steps     int
	}{{"icarus", 200_000}, {"verilator", 1_000_000}} {
		for _, rev := range []model.Revision{model.TT09, model.TT08} {
			t.Run(c.simulator+"/"+rev.String(), func(t *testing.T) {
				need(t, c.simulator)
				n := c.steps / testkit.Pick(20, 1)
				lockStep(t, ourChip(c.simulator, rev), rev, n)
			})
		}
	}
}

func lockStep(t *testing.T, c Config, rev model.Revision, n int) {
	tr := mustOpen(t, c)
	defer tr.Close()
	steps := testkit.Stimulus(uint64(rev)+11, n)
	want := testkit.ModelSamples(rev, steps)
	got := make([]transport.Sample, len(steps))
	if _, err := tr.Apply(context.Background(), steps, got); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%s and model differ at step %d of %d:\n%+v\ngot  %+v\nwant %+v", tr, i, len(steps),
				steps[max(0, i-4):i+1], got[i], want[i])
		}
	}
}

// Before the first reset every output is unknown, even if the simulator gives it a level.
func TestUnknownBeforeReset(t *testing.T) {
	simulated(t, func(t *testing.T, simulator string) {
		tr := mustOpen(t, ourChip(simulator, model.TT09))
		defer tr.Close()
		write := transport.Step{In: model.Idle &^ (model.READ | model.ERRS), IO: 0x5A, Drive: 0xFF}
		steps := []transport.Step{{In: model.Idle}, {In: model.Idle, Reset: true}, write,
			{In: model.Idle, Reset: true, Clocks: 1}}
		got := make([]transport.Sample, len(steps))
		if _, err := tr.Apply(context.Background(), steps, got); err != nil {
			t.Fatal(err)
		}
		unknown := transport.Sample{OutX: 0xFF, IOX: 0xFF}
		want := []transport.Sample{unknown, unknown, {OutX: 0xFF, IO: 0x5A}, {Out: 0xC0}}
		if simulator == "icarus" { // Icarus knows outputs that an unknown state cannot affect
			for i := range got[:3] {
				got[i].OutX = 0xFF
				got[i].Out = 0
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	})
}

// In a two-state simulation, decode reports levels as known from the step Config.Reset on, at either level of rst_n,
// with a clock unless that step has none.
func TestKnownFromReset(t *testing.T) {
	low, released := transport.Step{Reset: true}, transport.Step{}
	clocked := func(s transport.Step) transport.Step { s.Clocks = 3; return s }
	for _, c := range []struct {
		reset *transport.Step
		want  []bool // whether uo is known after: low, low with clocks, released, released with clocks
	}{
		{nil, []bool{false, true, false, false}},
		{new(clocked(low)), []bool{false, true, false, false}},
		{&low, []bool{true, true, false, false}},
		{new(clocked(released)), []bool{false, false, false, true}},
		{&released, []bool{false, false, true, true}},
	} {
		for i, s := range []transport.Step{low, clocked(low), released, clocked(released)} {
			tr := Transport{twoState: true, config: Config{Reset: c.reset}}
			if known := tr.decode(s, make([]byte, sampleBytes)).OutX == 0; known != c.want[i] {
				t.Errorf("reset %+v: levels after %+v known: %v", c.reset, s, known)
			}
		}
	}
}

// Apply completes although a block reads a line of uio that depends on the block's result. Without a delay in the pads,
// Icarus would run the block again for each of its glitches.
func TestGlitchOnTheBus(t *testing.T) {
	simulated(t, func(t *testing.T, simulator string) {
		source := filepath.Join(t.TempDir(), "tile.v")
		if err := os.WriteFile(source, []byte(`module tt_um_glitch (
    input wire [7:0] ui_in, output wire [7:0] uo_out,
    input wire [7:0] uio_in, output wire [7:0] uio_out, output wire [7:0] uio_oe,
    input wire ena, input wire clk, input wire rst_n);
  reg on;
  reg [7:0] a;
  reg [1:0] b;
  always @(posedge clk) on <= 1;
  always @* begin a = uio_in[2]; if (on) a = ui_in; end
  always @* begin b = ui_in[2:1]; if (a[3]) b = a[6:5]; end
  assign uo_out = a;
  assign uio_out = on + a + b;
  assign uio_oe = {8{on}};
endmodule
`), 0o600); err != nil {
			t.Fatal(err)
		}
		tr := mustOpen(t, Config{Sources: []string{source}, Simulator: simulator, Patience: 20 * time.Second})
		defer tr.Close()
		steps, got := []transport.Step{{Reset: true, Clocks: 1}}, make([]transport.Sample, 257)
		for ui := range 256 {
			steps = append(steps, transport.Step{In: uint8(ui)})
		}
		if _, err := tr.Apply(t.Context(), steps, got); err != nil {
			t.Fatal(err)
		}
		for ui, s := range got[1:] {
			if s.Out != uint8(ui) || s.OutX != 0 {
				t.Errorf("ui %02X: %+v", ui, s)
			}
		}
	})
}
