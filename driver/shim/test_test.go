package shim

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/transport"
	"utfbench/transport/verilog"
)

// simulated returns the test of a tile on a chip made of its sources, with a text replaced in one of them.
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

// The tests of two tiles, one with a bus that turns and one without a clock, pass on a good chip. A logic mistake is
// found on its line: of a byte the parity comes first.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ tile, file, from, to, line string }{
		{tile: "turn"},
		{tile: "still"},
		{"turn", "project.v", "count + 1", "count + 3", "uo1"},
		{"turn", "memory.v", "bytes[address] <= in", "bytes[address] <= in ^ 8'h20", "uo4"},
		{"still", "project.v", "ui_in[3:0] + ui_in[7:4]", "ui_in[3:0] | ui_in[7:4]", "uo1"},
	} {
		var first *Difference
		for i, ahead := range []int{0, 1, 7, Ahead} {
			test := simulated(t, c.tile, c.file, c.from, c.to)
			test.Ahead = ahead
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

// finds runs the test and checks that a mistake first shows on the given line.
func (test *Test) finds(t *testing.T, mistake bool, line string) *Difference {
	t.Helper()
	var said strings.Builder
	test.Out = &said
	if err := test.Run(t.Context()); err != nil || test.Code != 0 || test.Lone != nil {
		t.Fatalf("%v, exit code %d, %v", err, test.Code, test.Lone)
	}
	right := strings.HasPrefix(said.String(), "0 wrong\n")
	if !mistake && !right {
		t.Errorf("the test says\n%s", said.String())
	}
	if mistake && right && test.Ahead < 2 { // the test itself gets the wrong level
		t.Errorf("%d ahead the test sees nothing", test.Ahead)
	}
	d := test.Bench.First
	var lines transport.Outputs
	if d != nil {
		lines = d.Got.Differ(d.Want)
	}
	if got := strings.Join(lines.Names(), " "); !strings.Contains(got, line) || got == "" != (line == "") {
		t.Errorf("%d ahead: %q differs first, not %q", test.Ahead, got, line)
	}
	return d
}

// A failing chip ends the test without delay.
func TestTheChipGoes(t *testing.T) {
	test := simulated(t, "turn", "", "", "")
	gone := errors.New("the cable was pulled")
	test.Bench.Chip = &cut{Transport: test.Bench.Chip, left: 20, err: gone}
	started := time.Now()
	if err := test.Run(t.Context()); !errors.Is(err, gone) || time.Since(started) > time.Minute {
		t.Errorf("after %v: %v", time.Since(started), err)
	}
}
