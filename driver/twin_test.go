package driver

import (
	"context"
	"strings"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A difference that the Twin also shows makes the vector an ERROR; any other difference makes it a FAIL.
func TestTwin(t *testing.T) {
	jobs := parse(t, "vector v \"r\"\nwrite utf8 41\nstatus READY\nprops NORMAL\nread utf8 41 end\n")
	for _, c := range []struct {
		chip, twin string // faults
		own        bool
		want       Verdict
	}{
		{"", "", false, Pass},
		{"", "uo3=stuck1", false, Pass},
		{"uo3=stuck1", "", false, Fail},
		{"uo3=stuck1", "uo3=stuck1", false, Error},
		{"uo3=stuck1", "", true, Error},
		{"uo3=stuck1 uo5=stuck1", "uo3=stuck1", false, Fail},
		{"v0=stuck0", "v1=stuck1", false, Fail},
	} {
		opened, got := 0, (*Result)(nil)
		chip := chipWithAll(t, c.chip)
		if c.own {
			chip = fourState{Transport: chip}
		}
		r := Runner{Tile: utf.TT09, Transport: chip, Report: func(r *Result) { got = r },
			Twin: func(context.Context) (*Twin, error) {
				opened++
				return &Twin{Transport: chipWithAll(t, c.twin), IsChip: c.own}, nil
			}}
		tally, err := r.Run(t.Context(), jobs)
		if err != nil || got.Verdict != c.want || (opened > 0) != (c.chip != "") || opened > 1 {
			t.Errorf("%+v: %s %s, opened %d times, %v", c, got.Verdict, got.Reason, opened, err)
		}
		if c.want == Error && (got.Reason != TwinReasonPrefix+"at step 1 the simulation shows uo3=1, the gates uo3=0" ||
			tally.ErrorsByTwin != 1) {
			t.Errorf("%+v: %s, %d", c, got.Reason, tally.ErrorsByTwin)
		}
	}
}

func chipWithAll(t *testing.T, faults string) transport.Transport {
	t.Helper()
	c := mock.Config{Tile: utf.TT09}
	for _, name := range strings.Fields(faults) {
		c.Faults = append(c.Faults, testkit.Must(model.Bits.Parse(name))(t))
	}
	return mock.Open(c)
}

// fourState is a four-state simulation that shows a line as X, or does not drive it.
type fourState struct {
	transport.Transport
	unknown  transport.Outputs
	undriven bool
}

func (fourState) FourState() bool { return true }

func (f fourState) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	n, err := f.Transport.Apply(ctx, steps, samples)
	for i := range samples[:n] {
		samples[i].SetUnknown(f.unknown)
	}
	return n, err
}

func (f fourState) UndrivenOutputs(_ context.Context, steps []transport.Step) ([]transport.Outputs, error) {
	lines := make([]transport.Outputs, len(steps))
	for i := range lines {
		if f.undriven {
			lines[i] = f.unknown
		}
	}
	return lines, nil
}

// A simulator's X is an ERROR. An undriven line that the reference drives is a FAIL, also in a recording.
func TestUndriven(t *testing.T) {
	jobs := parse(t, "vector v \"r\"\nwrite utf8 41\nstatus READY\n")
	for _, undriven := range []bool{false, true} {
		for _, recorded := range []bool{false, true} {
			var got *Result
			chip := fourState{chipWithAll(t, ""), 1 << 3, undriven}
			r := Runner{Tile: utf.TT09, Transport: chip, Report: func(r *Result) { got = r }}
			want := map[bool]Verdict{false: Error, true: Fail}[undriven]
			if recorded {
				r.Transport = struct {
					transport.Transport
					transport.FourStater
				}{chip, chip}
				jobs[0].Failed = want == Fail
			}
			tally, err := r.Run(t.Context(), jobs)
			if err != nil || got.Verdict != want || (tally.ErrorsByX == 1) != (want == Error) {
				t.Errorf("undriven %v, recorded %v: %s %s, %v", undriven, recorded, got.Verdict, got.Reason, err)
			}
		}
	}
}

// An ERROR that a Twin caused remains an ERROR in a replay, although its samples alone would be a FAIL.
func TestRecordedOtherwise(t *testing.T) {
	jobs := parse(t, "vector v \"r\"\nwrite utf8 41\nstatus READY\n")
	jobs[0].TwinReason = TwinReasonPrefix + "at step 1"
	var got *Result
	r := Runner{Tile: utf.TT09, Transport: chipWithAll(t, "uo3=stuck1"), Report: func(r *Result) { got = r }}
	if _, err := r.Run(t.Context(), jobs); err != nil || got.Verdict != Error || got.Reason != jobs[0].TwinReason {
		t.Errorf("%s %s, %v", got.Verdict, got.Reason, err)
	}
}
