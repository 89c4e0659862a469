package gates_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"utfbench/cause/diagnose"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
	"utfbench/transport/mock"
	"utfbench/transport/verilog"
)

func randomJobs(t *testing.T, x *gates.Tile, n int) (jobs []driver.Job) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	for range n {
		steps := testkit.Must(tile.RandomSteps(x, rng, 150))(t)
		jobs = append(jobs, driver.Job{Vector: &golden.Vector{Name: "chance/x",
			Sequence: golden.Sequence{Steps: steps}}})
	}
	return jobs
}

func verdicts(t *testing.T, x *gates.Tile, tr transport.Transport, jobs []driver.Job) (*driver.Tally, *driver.Result) {
	t.Helper()
	var failed *driver.Result
	r := driver.Runner{Transport: tr, Tile: x, Report: func(r *driver.Result) {
		if r.Verdict != driver.Pass && failed == nil {
			failed = r
		}
	}}
	tally, err := r.Run(t.Context(), jobs)
	if err != nil && !strings.Contains(err.Error(), "bench and chip both drive it") { // the wording of a simulation
		t.Fatal(err)
	}
	return tally, failed
}

// device simulates a chip in Icarus, from the tile's sources or from other files.
func device(t *testing.T, x *gates.Tile, sources ...string) transport.Transport {
	t.Helper()
	if len(sources) == 0 {
		sources = x.About.Paths()
	}
	tr, err := verilog.Open(t.Context(), verilog.Config{Sources: sources, Top: x.About.Top, Simulator: "icarus"})
	if err != nil {
		t.Skip(err)
	}
	return tr
}

// slips lists mistakes in a tile's logic, with the lines on which they may be visible.
var slips = []struct{ tile, file, from, to, lines string }{
	{"turn", "project.v", "count + 1", "count + 3", "uo1 uo2 uo3"},
	{"turn", "project.v", "drive <= read & ~write", "drive <= read", "uo5"},
	{"turn", "project.v", "^out", "~^out", "uo4"},
	{"turn", "memory.v", "bytes[address] <= in", "bytes[address] <= in ^ 8'h20", "uio5 uo4"},
	{"still", "project.v", "ui_in[3:0] + ui_in[7:4]", "ui_in[3:0] | ui_in[7:4]", "uo0 uo1 uo2 uo3 uo4"},
	{"still", "project.v", "if (!uio_in[3])", "if (uio_in[3])", "uo5 uo6 uo7"},
}

// Each mistake is a FAIL, with the first difference on its lines or on uio; contention may make a vector an ERROR.
func TestSlips(t *testing.T) {
	for _, s := range slips {
		x := opened(t, s.tile)
		tr := device(t, x, slipped(t, x, s.file, s.from, s.to)...)
		tally, failed := verdicts(t, x, tr, randomJobs(t, x, 20))
		tr.Close()
		if tally.Verdict() != driver.Fail && s.to != "drive <= read" || failed == nil {
			t.Errorf("%s: %+v", s.to, tally)
			continue
		}
		if m := failed.FirstMismatch; m != nil {
			lines := m.Got.Differ(m.Want).Names()
			for _, line := range lines {
				if !strings.Contains(s.lines+" uio", line) && !strings.HasPrefix(line, "uio") {
					t.Errorf("%s: %v differ", s.to, lines)
				}
			}
		}
	}
}

func slipped(t *testing.T, x *gates.Tile, file, from, to string) (paths []string) {
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

// Behind fault-free wires the chip returns the reference's samples, except for a few bits that are unknown because
// wires pass through unknown levels.
func TestWired(t *testing.T) {
	for _, name := range tiles {
		x := opened(t, name)
		steps := testkit.Must(tile.RandomSteps(x, rand.New(rand.NewPCG(3, 3)), 1000))(t)
		want, got := make([]transport.Sample, len(steps)), make([]transport.Sample, len(steps))
		wires := fault.New(tile.WiredChip(x), nil, 0)
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
}

// Chips that share a machine return the same samples as chips on separate machines, whatever their wire faults. A chip
// whose inputs were low at power-up contradicts none of them.
func TestTogether(t *testing.T) {
	for _, name := range tiles {
		x := opened(t, name)
		all := testkit.Must(tile.RandomSteps(x, rand.New(rand.NewPCG(3, 4)), 300))(t)
		shared, did := [150][]transport.Sample{}, 0
		behind := func(i int, chip func() fault.Chip) (samples []transport.Sample) {
			a, b := i%len(fault.Lines), i/7%len(fault.Lines)
			f := fault.Fault{Kind: fault.Kind(i % int(fault.Setup)), A: min(a, b), B: max(a, b), High: i%4 < 2}
			if f.Kind == fault.Register || f.Kind >= fault.Swapped && a == b {
				f.Kind = fault.Cut
			}
			for at := 0; at < len(all); at += 50 + i {
				steps := all[at:min(at+50+i, len(all))]
				got := make([]transport.Sample, len(steps))
				if err := fault.New(chip(), []fault.Fault{f}, 0).Run(steps, got); err != nil {
					t.Error(err)
				}
				samples = append(samples, got...)
			}
			return samples
		}
		x.RunConcurrently(func() tile.Worker {
			if did++; did > len(shared) {
				return nil
			}
			i := did - 1
			return func(chip func() fault.Chip) { shared[i] = behind(i, chip) }
		})
		for i, got := range shared {
			var want []transport.Sample
			worker := tile.Worker(func(chip func() fault.Chip) { want = behind(i, chip) })
			x.RunConcurrently(func() tile.Worker { defer func() { worker = nil }(); return worker })
			low := behind(i, func() fault.Chip { return tile.WiredChip(x) })
			if !slices.Equal(got, want) || transport.Differ(low, want) != 0 {
				t.Errorf("%s, chip %d: other samples than a chip that is alone", name, i)
			}
		}
	}
}

// The wiring check of a tile without a model identifies the faulty wire.
func TestWiring(t *testing.T) {
	x := opened(t, "turn")
	wantOf := map[string]driver.Verdict{"uo4=open": diagnose.UnclearWires, "uo1~uo2=or": diagnose.BadWires}
	for _, text := range []string{"uo4=open", "", "uo1~uo2=or"}[:testkit.Pick(2, 3)] {
		c := mock.Config{Tile: x}
		if text != "" {
			f := testkit.Must(tile.RegisterBits(x).Parse(text))(t)
			c.Faults = []fault.Fault{f}
		}
		tr := mock.Open(c)
		r, err := diagnose.CheckWiring(t.Context(), tr, x, 0)
		tr.Close()
		switch {
		case err != nil:
			t.Fatal(err)
		case text == "" && (r.Verdict != diagnose.GoodWires ||
			!slices.Equal(r.UnprovenLines, []string{"ui5", "ui6", "ui7"})):
			t.Errorf("without a fault: %s, %s", r.Verdict, r.Reason)
		case text != "" && (r.Verdict != wantOf[text] || len(r.SuspectsByLine()) != 1 ||
			r.SuspectsByLine()[0].Lines[0] != text[:3]):
			t.Errorf("%s: %s, %s, %v", text, r.Verdict, r.Reason, r.SuspectsByLine())
		}
	}
}

// After a difference, the bench releases a bus that changes direction, for the rest of the vector.
func TestReleased(t *testing.T) {
	x := opened(t, "turn")
	f, err := tile.RegisterBits(x).Parse("uo3=stuck0") // visible when the counter reaches 8
	if err != nil {
		t.Fatal(err)
	}
	d := &driven{Transport: mock.Open(mock.Config{Tile: x, Faults: []fault.Fault{f}}),
		right: mock.Open(mock.Config{Tile: x})}
	defer d.Close()
	defer d.right.Close()
	tally, _ := verdicts(t, x, d, randomJobs(t, x, 5))
	if tally.Verdicts[driver.Fail] == 0 || d.after > 0 || d.before == 0 {
		t.Errorf("%+v; uio was taken %d times before a difference and %d times after it", tally.Verdicts,
			d.before, d.after)
	}
}

// driven is a transport that counts how often the bench takes the bus, before and after a vector's first difference.
type driven struct {
	transport.Transport
	right         transport.Transport
	drove, wrong  bool
	before, after int
}

func (d *driven) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	for i, s := range steps {
		if s.Reset && s.Clocks == 10 {
			d.wrong = false // a new vector begins
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
