package driver

import (
	"errors"
	"slices"
	"testing"

	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// traces runs jobs on a mock with some faults, and returns the tally and all samples.
func traces(t *testing.T, jobs []Job, samples int, faults ...string) (*Tally, []transport.Sample) {
	t.Helper()
	c := mock.Config{Tile: utf.TT09, Seed: 1}
	for _, text := range faults {
		f := testkit.Must(model.Bits.Parse(text))(t)
		c.Faults = append(c.Faults, f)
	}
	var got []transport.Sample
	r := Runner{Transport: mock.Open(c), Tile: utf.TT09, Rules: Rules{Samples: samples}, Report: func(r *Result) {
		if r.Trace != nil {
			got = append(got, r.Trace.Got...)
		}
	}}
	tally := testkit.Must(r.Run(t.Context(), jobs))(t)
	return tally, got
}

// Several samples of each step do not change the verdict on a good chip or on one with a permanent fault.
func TestSamplesChangeNothing(t *testing.T) {
	jobs := allJobs(t)[:500]
	for _, faults := range [][]string{nil, {"uo3=stuck1"}, {"uio3<>uio4"}, {"v3=stuck1"}} {
		once, want := traces(t, jobs, 0, faults...)
		thrice, got := traces(t, jobs, 3, faults...)
		if !slices.Equal(got, want) || thrice.Verdicts != once.Verdicts || thrice.Steps != once.Steps {
			t.Errorf("%v: %v in %d steps; sampled once %v in %d", faults, thrice.Verdicts, thrice.Steps, once.Verdicts,
				once.Steps)
		}
		if thrice.Instability.Steps != once.Steps || unstable(thrice) != 0 || once.Instability.Steps != 0 {
			t.Errorf("%v: %+v", faults, thrice.Instability)
		}
	}
}

// unstable returns the lines whose samples of one step differed.
func unstable(t *Tally) (lines transport.Outputs) {
	for i, n := range t.Instability.Lines {
		if n > 0 {
			lines |= 1 << i
		}
	}
	return lines
}

// Repeated samples differ only on the floating line.
func TestUnstable(t *testing.T) {
	jobs := allJobs(t)[:50]
	tally, got := traces(t, jobs, 3, "uo3=flip:0.5")
	if n := tally.Instability.Lines[3]; tally.Verdict() != Fail || unstable(tally) != 1<<3 ||
		n < tally.Instability.Steps/2 || n != tally.Lines[3].Unknown {
		t.Errorf("%v: %+v, %+v", tally.Verdict(), tally.Instability, tally.Lines[3])
	}
	if transport.Differ(got, got)&^(1<<3) != 0 { // an unknown level differs from itself
		t.Error("other lines are unknown")
	}
}

// Reexamine finds a floating line, and a chip that is too slow for the usual pulses.
func TestReexamine(t *testing.T) {
	for text, want := range map[string]struct {
		lines transport.Outputs
		slow  bool
	}{"uo3=flip:0.5": {1 << 3, false}, "uo3=stuck1": {}, "clk=open": {}, "fmax=1MHz": {0, true}, "fmax=20kHz": {},
		"ui7=flip:0.03": {}} {
		f := testkit.Must(model.Bits.Parse(text))(t)
		chip := mock.Open(mock.Config{Tile: utf.TT09, Seed: 1, Faults: []fault.Fault{f}})
		r := Runner{Transport: chip, Tile: utf.TT09}
		for range 2 { // the second time shows that the usual pulses were restored
			var tally Tally
			err, p := r.Reexamine(t.Context(), allJobs(t)[0], &tally), tally.Pulses
			if err != nil || unstable(&tally) != want.lines || (p != nil && p.LongPasses) != want.slow {
				t.Errorf("%s: %+v, %+v, %v", text, tally.Instability, p, err)
			}
		}
	}
}

// If the transport fails, only steps with all their samples are counted.
func TestSamplesOfATransportThatFails(t *testing.T) {
	cut := errors.New("the cable is out")
	var got []transport.Sample
	r := Runner{Tile: utf.TT09,
		Rules: Rules{Samples: 3}, Transport: &broken{mock.Open(mock.Config{Tile: utf.TT09}), 1000, cut},
		Report: func(r *Result) {
			if r.Trace != nil {
				got = append(got, r.Trace.Got...)
			}
		}}
	if tally, err := r.Run(t.Context(), allJobs(t)[:200]); !errors.Is(err, cut) || tally.Verdicts[Fail] != 0 ||
		len(got) != 333 || tally.Instability.Steps != 333 {
		t.Errorf("%v, %v: %d samples, %+v", err, tally.Verdicts, len(got), tally.Instability)
	}
}
