package gates_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/yosys"
	"utfbench/tile/project"
	"utfbench/transport"
)

func opened(t *testing.T, name string) *gates.Tile {
	t.Helper()
	p := testkit.Must(project.Open(filepath.Join("testdata", name)))(t)
	return elaborated(t, p)
}

func elaborated(t *testing.T, p *project.Project) *gates.Tile {
	t.Helper()
	if _, err := yosys.Find(); err != nil {
		t.Skip(err)
	}
	return testkit.Must(yosys.Open(t.Context(), p, nil))(t)
}

func written(t *testing.T, top, text string) *project.Project {
	t.Helper()
	p := &project.Project{Top: top, Sources: []project.Source{{Path: filepath.Join(t.TempDir(), "project.v")}}}
	if err := os.WriteFile(p.Sources[0].Path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// tiles lists the tiles of testdata.
var tiles = []string{"turn", "still"}

// The expected samples are derived from testdata/turn/src by hand: a counter, flags, and a memory that is unknown until
// written. A line that only the bench drives has the bench's level; an undriven line is unknown.
func TestTurnByYosys(t *testing.T) {
	x := opened(t, "turn")
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
		{transport.Step{In: read, Clocks: 1}, transport.Sample{Out: 0x70, IO: 0xA7}}, // the memory has no reset
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
	if may, always := x.DrivenUIO(); may != 0xFF || always != 0 {
		t.Errorf("it may drive %02X, and always drives %02X", may, always)
	}
	if may, always := opened(t, "still").DrivenUIO(); may != 0xF0 || always != 0xF0 {
		t.Errorf("still may drive %02X, and always drives %02X", may, always)
	}
}

var sequence = make([]transport.Step, 1, 16)

func firstOf(t *testing.T, x *gates.Tile, s transport.Step, want transport.Sample) {
	t.Helper()
	sequence[0] = s
	if got := last(t, x, sequence[:1]); got != want {
		t.Errorf("before the reset: %+v; want %+v", got, want)
	}
}

func last(t *testing.T, x *gates.Tile, steps []transport.Step) transport.Sample {
	t.Helper()
	samples := make([]transport.Sample, len(steps))
	if err := tile.Expect(x, steps, samples); err != nil {
		t.Fatal(err)
	}
	return samples[len(steps)-1]
}

// A Follower returns the same samples as a batch of the same steps, and releases the same lines.
func TestFollower(t *testing.T) {
	for _, name := range tiles {
		x := opened(t, name)
		steps := testkit.Must(tile.RandomSteps(x, rand.New(rand.NewPCG(3, 3)), 400))(t)
		for i := range steps { // the test always drives all lines
			steps[i].Drive, steps[i].IO = 0xFF, uint8(i)
		}
		asked := slices.Clone(steps)
		if err := x.ReleaseDriven(t.Context(), steps); err != nil {
			t.Fatal(err)
		}
		want := make([]transport.Sample, len(steps))
		if err := tile.Expect(x, steps, want); err != nil {
			t.Fatal(err)
		}
		f := x.NewFollower()
		for i, s := range asked {
			seen := f.Apply(gates.StepX{Step: s})
			if seen.BenchDrive != steps[i].Drive && i > 0 { // before the first step, the drivers are unknown
				t.Fatalf("%s, step %d: the bench drives %02X, and %02X may be driven", name, i+1,
					seen.BenchDrive, steps[i].Drive)
			}
			if seen.Sample != want[i] && i > 0 {
				t.Fatalf("%s, step %d: %+v, not %+v", name, i+1, seen.Sample, want[i])
			}
		}
	}
}

// A line that the design never drives does not form a loop, even if uio_out depends on it.
func TestPadsMakeNoLoop(t *testing.T) {
	x := elaborated(t, written(t, "tt_um_pads", `module tt_um_pads (input wire [7:0] ui_in, uio_in,
    output wire [7:0] uo_out, uio_out, uio_oe, input wire ena, clk, rst_n);
  assign uio_out = uio_in + ui_in;
  assign uo_out = uio_out;
  assign uio_oe = 8'hF0 & {4{ui_in[0], 1'b0}};
endmodule
`))
	if may, _ := x.DrivenUIO(); may != 0xA0 {
		t.Errorf("it may drive %02X", may)
	}
	if n := x.Design.Program().LoopCount(); n != 2 {
		t.Errorf("%d loops, want those of uio5 and uio7", n)
	}
}
