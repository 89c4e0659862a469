package diagnose

import (
	"context"
	"slices"
	"strings"
	"testing"

	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// beginning runs vectors on a good mock, and from the n-th on one with a fault.
func beginning(t testing.TB, text string, jobs []driver.Job, n int) *Run {
	c := &Run{Tile: utf.TT09}
	faults := search.MustParse(utf.TT09, text).Faults
	for i, cfg := range []mock.Config{{Tile: utf.TT09}, {Tile: utf.TT09, Faults: faults}} {
		r := driver.Runner{Tile: utf.TT09, Transport: mock.Open(cfg), Report: adding(t, c)}
		if _, err := r.Run(t.Context(), [][]driver.Job{jobs[:n], jobs[n:]}[i]); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// A fault that begins during a run is named, and how sure that is; one that comes and goes, or begins near an end, is
// not said to begin.
func TestBegan(t *testing.T) {
	once := suite(t, "guide")
	thrice := slices.Concat(once, once, once)
	texts := []string{"uo3=stuck0", "v5=stuck1", "uio1=open", "clk=stuck0", "uio3~uio4=and", "rst_n=stuck0",
		"uo1=inverted"}
	for i, text := range texts[:testkit.Pick(2, len(texts))] {
		for _, jobs := range [][]driver.Job{once, thrice}[:testkit.Pick(2-i, 2)] {
			f := diagnosed(t, beginning(t, text, jobs, len(jobs)*2/3))
			named := slices.ContainsFunc(f.Causes[:f.Ties], func(c search.Fit) bool { return c.String() == text })
			if f.Conclusion != Unclear || !f.BeganDuringRun || !named || f.MayBeCell() ||
				f.Wavering > 0 != (len(jobs) > len(once)) {
				t.Errorf("%s in %d vectors: %s, %s, %v", text, len(jobs), f.Conclusion, f.Why(), f.Causes[:f.Ties])
			}
		}
	}
	for _, c := range []struct {
		text string
		n    int
	}{{"uo3=flip:0.3:1", 0}, {"uo3=flip:0.9:1", 0}, {"uo3=stuck0", 1}, {"uo3=stuck0", len(once) - 5}} {
		if f := diagnosed(t, beginning(t, c.text, once, c.n)); f.BeganDuringRun {
			t.Errorf("%s from vector %d on: %s", c.text, c.n, f.Why())
		}
	}
}

// failing is a good chip that has a fault from a step on.
type failing struct {
	*mock.Transport
	faulty *mock.Transport
	left   int
}

func (f *failing) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	n := min(f.left, len(steps))
	good := make([]transport.Sample, len(steps))
	if _, err := f.Transport.Apply(ctx, steps, good); err != nil {
		return 0, err
	}
	f.left -= n
	done, err := f.faulty.Apply(ctx, steps, samples)
	copy(samples, good[:n])
	return done, err
}

// A fault that begins within the only vector of a run is not named, but said to be possible.
func TestBeganWithinAVector(t *testing.T) {
	v := golden.Vector{Name: "one/v", Sequence: golden.Sequence{Steps: testkit.Stimulus(3, 400)}}
	for _, text := range []string{"uo3=stuck1", "uo1=inverted", "rst_n=stuck0"} {
		c := &Run{Tile: utf.TT09}
		r := driver.Runner{Tile: utf.TT09, Report: adding(t, c), Transport: &failing{
			mock.Open(mock.Config{Tile: utf.TT09}),
			mock.Open(mock.Config{Tile: utf.TT09, Faults: search.MustParse(utf.TT09, text).Faults}), 266}}
		if _, err := r.Run(t.Context(), []driver.Job{{Vector: &v}}); err != nil {
			t.Fatal(err)
		}
		f := diagnosed(t, c)
		if f.Conclusion != Unclear || f.BeganDuringRun || !strings.Contains(f.Why(), "began during the run") {
			t.Errorf("%s: %s, %s", text, f.Conclusion, f.Why())
		}
	}
}
