package shim

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/tile/gates"
	"utfbench/tile/gates/yosys"
	"utfbench/tile/project"
	"utfbench/transport"
	"utfbench/transport/mock"
)

func TestParse(t *testing.T) {
	move := gates.StepX{Step: transport.Step{Clocks: 1, In: 0x05, IO: 0x03, Drive: 0x3F}, InX: 0x08}
	for line, want := range map[string]request{
		"7 1 1 0000x101 zz000011": {StepX: move, simulation: 7},
		"7 1 1 0000x101 zz000011 1x000000 0000000x 11111111": {StepX: move, simulation: 7, ahead: true,
			copy: outputs{enable: level{0x80, 0x40}, uo: level{0, 1}, uio: level{0xFF, 0}}},
		"8 look": {simulation: 8, look: true},
		"8 low":  {simulation: 8, low: true},
	} {
		if got, err := parse(line); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", line, got, err, want)
		}
	}
	if a, err := parse("1 0 x 00000000 00000000"); err != nil || !a.ResetX || a.Clocks != 0 {
		t.Errorf("rst_n that nobody knows: %+v, %v", a, err)
	}
	for _, line := range []string{"", "1", "1 1 1 0 0", "1 2 1 00000000 00000000", "1 1 1 00000000 0000000é",
		"x 1 1 00000000 00000000", "x look",
		"1 1 1 00000000 00000000 0", "1 1 1 00000000 00000000 00000000", strings.Repeat("1", 5000)} {
		if a, err := parse(line); err == nil || len(err.Error()) > 170 {
			t.Errorf("%.20q gives %+v, %v", line, a, err)
		}
	}
}

// Any input is either a line of the protocol or an error. In a move, unknown lines have the level 0.
func FuzzParse(f *testing.F) {
	f.Add("1 1 1 0000x101 zz000011")
	f.Add("1 1 1 0000x101 zz000011 11110000 1x1x1x1x 00000000")
	f.Fuzz(func(t *testing.T, line string) {
		a, err := parse(line)
		if err == nil && (a.In&a.InX != 0 || a.IO&^a.Drive != 0 || a.Clocks > 1) {
			t.Errorf("%q gives %+v", line, a)
		}
	})
}

func opened(t *testing.T, name string) *gates.Tile {
	t.Helper()
	if _, err := yosys.Find(); err != nil {
		t.Skip(err)
	}
	p := testkit.Must(project.Open(filepath.Join("..", "..", "tile", "gates", "testdata", name)))(t)
	return testkit.Must(yosys.Open(t.Context(), p, nil))(t)
}

// watched is a transport that records the steps.
type watched struct {
	transport.Transport
	steps []transport.Step
}

func (w *watched) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	w.steps = append(w.steps, steps...)
	return w.Transport.Apply(ctx, steps, samples)
}

// cut is a transport that fails after some number of steps.
type cut struct {
	transport.Transport
	left int
	err  error
}

func (c *cut) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	if c.left -= len(steps); c.left < 0 {
		return 0, c.err
	}
	return c.Transport.Apply(ctx, steps, samples)
}

// A simulation without X has unknown levels before its reset, and later only on a line that it wrongly releases.
func TestReleasedLine(t *testing.T) {
	b := Bench{Chip: &cut{}, Simulated: true}
	b.compare(transport.Step{}, transport.Sample{OutX: 0xFF, IOX: 0xFF}, transport.Sample{})
	if b.FirstDifference != nil || b.Evidence.Bits() != 0 {
		t.Errorf("before the reset: %+v, %d bits", b.FirstDifference, b.Evidence.Bits())
	}
	b.compare(transport.Step{}, transport.Sample{IOX: 0x10}, transport.Sample{})
	if b.FirstDifference == nil || b.FirstDifference.IODiff != 0x10 {
		t.Errorf("after it: %+v", b.FirstDifference)
	}
}

// A test may drive uio all the time, as tests for simulations do. This one writes two bytes and reads them back. The
// bench never drives a line that the tile drives, and the samples match the data sheet.
func TestTheBusTurns(t *testing.T) {
	x := opened(t, "turn")
	chip := &watched{Transport: mock.Open(mock.Config{Tile: x})}
	b := Bench{Chip: chip, Tile: x}
	in := "begin tt_um_bench_turn\n" + // columns: clk has risen, rst_n, ui, uio
		strings.Repeat("1 1 0 00000000 00000000\n", 10) +
		"1 1 1 00000010 10100101\n" + // write to 0
		"1 1 1 00000110 00111100\n" + // write to 1
		"1 1 1 00000001 00000000\n" + // read 0
		"1 1 1 00000101 00000000\n" + // read 1
		"1 1 1 00000000 11111111\n" // the bus turns back
	var out strings.Builder
	if err := b.Serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	begin, rest, _ := strings.Cut(out.String(), "\n")
	answers := strings.Split(strings.TrimSpace(rest), "\n")
	if begin != "begin 1" {
		t.Errorf("it begins with %q", begin)
	}
	for i, want := range map[int]string{12: "10100101 11111111", 13: "00111100 11111111"} {
		if got := answers[i]; !strings.HasSuffix(got, want) {
			t.Errorf("answer %d is %q, which does not end in %q", i, got, want)
		}
	}
	if got := answers[14]; !strings.HasSuffix(got, "00000000") {
		t.Errorf("after the reading it is %q", got)
	}
	for i := 12; i < 15; i++ {
		if chip.steps[i].Drive != 0 {
			t.Errorf("step %d drives %02X", i, chip.steps[i].Drive)
		}
	}
	if b.FirstDifference != nil || b.Exchanges != 15 || b.Clocks != 15 || b.Simulations != 1 {
		t.Errorf("%+v, %+v", b.Count, b.FirstDifference)
	}
}

// A chip behind a copy ends in the same state as a chip that responds to each exchange, however the simulation ends.
func TestAhead(t *testing.T) {
	x := opened(t, "turn")
	moves := strings.Repeat("1 1 0 00000000 00000000\n", 10) + "1 1 1 00000010 10100101\n1 1 1 00000001 00000000\n" +
		"1 0 1 00000001 11111111\n1 1 1 00000000 11111111\n"
	ahead := strings.ReplaceAll(moves, "\n", " 00000000 xxxxxxxx xxxxxxxx\n")
	var want []transport.Step
	for _, c := range []struct {
		name, in, out string
	}{
		{"one by one", "begin x\n" + moves, ""},
		{"ahead", "begin x\n" + ahead + "1 look\nend\n", "begin 1\nsame\n"},
		{"cut off", "begin x\n" + ahead + "1 1 1 000\nend\n", "begin 1\n"},
		{"and begun anew", "begin x\n" + ahead + "1 1\nbegin x\n", "begin 1\nbegin 2\n"},
	} {
		chip := &watched{Transport: mock.Open(mock.Config{Tile: x})}
		b := Bench{Chip: chip, Tile: x}
		var out strings.Builder
		if err := b.Serve(t.Context(), strings.NewReader(c.in), &out); err != nil {
			t.Fatal(c.name, err)
		}
		if want == nil {
			want = chip.steps
		} else if out.String() != c.out {
			t.Errorf("%s: it answers %q", c.name, out.String())
		}
		if !slices.Equal(chip.steps, want) || b.FirstDifference != nil || b.Exchanges != 14 || b.Clocks != 13 {
			t.Errorf("%s: %+v, %+v\n%+v", c.name, b.Count, b.FirstDifference, chip.steps)
		}
	}
}

// Serve ends if a test waits forever for a level that the chip does not show. The first difference is reported at once.
func TestStuckOutputEnds(t *testing.T) {
	x := opened(t, "still")
	f := fault.Fault{Kind: fault.Inverted, A: fault.UO}
	b := Bench{Chip: mock.Open(mock.Config{Tile: x, Faults: []fault.Fault{f}}), Tile: x}
	told := -1
	b.OnDifference = func() { told = b.Exchanges }
	waits := strings.Repeat("1 1 1 00000000 00000000 00000000 xxxxxxxx xxxxxxxx\n", 1000) + "1 look\n"
	in := strings.NewReader("begin x\n" + strings.Repeat(waits, MaxExchangesAfterDifference/1000+2))
	err := b.Serve(t.Context(), in, io.Discard)
	if !errors.Is(err, errEnough) || told != 1 || in.Len() == 0 || in.Len() > 2*len(waits) {
		t.Errorf("%v; told at exchange %d; %d bytes left", err, told, in.Len())
	}
}

// The first clock at which a test holds ena low is counted correctly while the simulation is ahead.
func TestEnaLow(t *testing.T) {
	x := opened(t, "still")
	b := Bench{Chip: mock.Open(mock.Config{Tile: x}), Tile: x}
	in := "begin x\n1 1 1 00000000 00000000\n" +
		strings.Repeat("1 1 1 00000000 00000000 00000000 xxxxxxxx xxxxxxxx\n", 3) + "1 low\n1 look\n1 low\n"
	if err := b.Serve(t.Context(), strings.NewReader(in), io.Discard); err != nil || b.FirstEnaLow != 5 {
		t.Errorf("clock %d, %v; want 5", b.FirstEnaLow, err)
	}
}

// Serve refuses lines outside of a simulation, and lines that no shim writes.
func TestServeRefuses(t *testing.T) {
	x := opened(t, "turn")
	for in, want := range map[string]string{
		"1 1 1 00000000 00000000\n":                   "a simulation uses the chip before it began",
		"begin x\nbegin x\n1 1 1 00000000 00000000\n": "two simulations use one chip at once",
		"started x\n":                            `the simulation sent "started x", which no shim does`,
		"begin x\nhello\n":                       `the simulation sent "hello", which no shim does`,
		"begin x\n" + strings.Repeat("1", 1<<17): "token too long",
		// a simulation may be killed within a line, but then writes no further line
		"begin x\n1 1 0 00000000 00000000 00000000 xxxxxxxx " +
			"xxxxxxxx\n1 1 0 00\n1 look\n": `the simulation sent "1 1 0 00", which`,
	} {
		b := Bench{Chip: mock.Open(mock.Config{Tile: x}), Tile: x}
		err := b.Serve(t.Context(), strings.NewReader(in), &strings.Builder{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v; want %q", in, err, want)
		}
	}
}
