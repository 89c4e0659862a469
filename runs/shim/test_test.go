package shim

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/transport"
	"utfbench/transport/verilog"
)

// simulated returns the test of a tile on a chip made from its sources, with a text replaced in one of them.
func simulated(t *testing.T, name, file, from, to string) *Test {
	t.Helper()
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("needs iverilog (Debian package iverilog)")
	}
	x := opened(t, name)
	c := verilog.Config{Top: x.About.Top, Simulator: "icarus"}
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
		c.Sources = append(c.Sources, path)
	}
	chip := testkit.Must(verilog.Open(t.Context(), c))(t)
	t.Cleanup(func() { chip.Close() })
	run := filepath.Join(t.TempDir(), "sim.vvp")
	bench := testkit.Must(filepath.Abs(filepath.Join("..", "..", "tile", "gates", "testdata", name, "test", "tb.v")))(t)
	return &Test{Bench: &Bench{Chip: chip, Tile: x, Simulated: true}, Folder: t.TempDir(),
		Out:     t.Output(),
		Command: []string{"sh", "-c", "iverilog -g2012 -o " + run + " " + bench + " {shim} && vvp -n " + run}}
}

// The tests of two tiles pass on a good chip: one has a bus that turns, and one has no clock. A mistake in the logic
// shows first on the expected line; a mistake in a byte, on the parity line.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ tile, file, from, to, line string }{
		{tile: "turn"},
		{tile: "still"},
		{"turn", "project.v", "count + 1", "count + 3", "uo1"},
		{"turn", "memory.v", "bytes[address] <= in", "bytes[address] <= in ^ 8'h20", "uo4"},
		{"still", "project.v", "ui_in[3:0] + ui_in[7:4]", "ui_in[3:0] | ui_in[7:4]", "uo1"},
	} {
		var first *Difference
		for i, ahead := range []int{0, DefaultAhead, 1, 7}[:testkit.Pick(2, 4)] {
			test := simulated(t, c.tile, c.file, c.from, c.to)
			test.AheadExchanges = ahead
			d := test.finds(t, c.to != "", c.line)
			switch {
			case i == 0:
				first = d
			case d != nil && first != nil && d.Mismatch != first.Mismatch:
				t.Errorf("%s with %q, %d ahead: %+v; and not ahead %+v", c.tile, c.to, ahead,
					d.Mismatch, first.Mismatch)
			}
		}
	}
}

// finds runs the test and checks that a mistake shows first on the given line.
func (test *Test) finds(t *testing.T, mistake bool, line string) *Difference {
	t.Helper()
	var said strings.Builder
	test.Out = &said
	if err := test.Run(t.Context()); err != nil || test.ExitCode != 0 || test.NoCopyReason != nil {
		t.Fatalf("%v, exit code %d, %v", err, test.ExitCode, test.NoCopyReason)
	}
	right := strings.HasPrefix(said.String(), "0 wrong\n")
	if !mistake && !right {
		t.Errorf("the test says\n%s", said.String())
	}
	if mistake && right && test.AheadExchanges < 2 { // the test itself gets the wrong level
		t.Errorf("%d ahead the test sees nothing", test.AheadExchanges)
	}
	d := test.Bench.FirstDifference
	var lines transport.Outputs
	if d != nil {
		lines = d.Got.Differ(d.Want)
	}
	if got := strings.Join(lines.Names(), " "); !strings.Contains(got, line) || got == "" != (line == "") {
		t.Errorf("%d ahead: %q differs first, not %q", test.AheadExchanges, got, line)
	}
	return d
}

// If inputs change at the moment of an edge, the chip and the copy sample them like the tile's own Verilog, whether
// they reach registers directly or through gates.
func TestSameMoment(t *testing.T) {
	test := simulated(t, "moment", "", "", "")
	dir := filepath.Join("..", "..", "tile", "gates", "testdata", "moment")
	run := filepath.Join(t.TempDir(), "own.vvp")
	build := exec.Command("iverilog", "-g2012", "-o", run, filepath.Join(dir, "test", "tb.v"),
		filepath.Join(dir, "src", "project.v"))
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want := string(testkit.Must(exec.Command("vvp", "-n", run).Output())(t))
	for _, ahead := range []int{0, 1, DefaultAhead} {
		var said strings.Builder
		test.AheadExchanges, test.Folder, test.Out = ahead, t.TempDir(), &said
		if err := test.Run(t.Context()); err != nil || said.String() != want || want == "" {
			t.Errorf("%d ahead: %v\n%swant\n%s", ahead, err, said.String(), want)
		}
		if b := test.Bench; b.FirstDifference != nil || b.CopyDifferences > 0 {
			t.Errorf("%d ahead: %+v, %d exchanges unlike the chip", ahead, b.FirstDifference, b.CopyDifferences)
		}
	}
}

// A progress report is due after ten seconds, and then ever more rarely.
func TestPace(t *testing.T) {
	var p pace
	var due []int
	for s := range 400 {
		if p.due(time.Duration(s) * time.Second) {
			due = append(due, s)
		}
	}
	if want := []int{10, 20, 40, 80, 140, 200, 260, 320, 380}; !slices.Equal(due, want) {
		t.Errorf("reports after %v seconds, want %v", due, want)
	}
}

// parseLine recognises messages about signals and parameters that a testbench uses and the shim lacks.
func TestHear(t *testing.T) {
	for line, want := range map[string][2][]string{
		"AttributeError: tb.dut contains no child object named count":    {{"count"}, nil},
		"tb.v:2: error: Unable to bind wire/reg/memory `tb.dut.n'":       {{"tb.dut.n"}, nil},
		"tb.v:4: warning: parameter TICKS not found in tb.dut.":          {nil, {"TICKS"}},
		"%Error-PINNOTFOUND: tb.v:4:24: Parameter pin not found: 'WAIT'": {nil, {"WAIT"}},
		"all is well": {},
	} {
		var test Test
		test.parseLine([]byte(line))
		test.parseLine([]byte(line))
		if !slices.Equal(test.MissingSignals, want[0]) || !slices.Equal(test.Parameters, want[1]) {
			t.Errorf("%q: %q, %q", line, test.MissingSignals, test.Parameters)
		}
	}
}

// An error of the transport ends the test without delay.
func TestTheChipGoes(t *testing.T) {
	test := simulated(t, "turn", "", "", "")
	gone := errors.New("the cable was pulled")
	test.Bench.Chip = &cut{Transport: test.Bench.Chip, left: 20, err: gone}
	started := time.Now()
	if err := test.Run(t.Context()); !errors.Is(err, gone) || time.Since(started) > time.Minute {
		t.Errorf("after %v: %v", time.Since(started), err)
	}
}
