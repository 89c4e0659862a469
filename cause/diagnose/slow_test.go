package diagnose

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A chip that is too slow for the pulses of clk is not reported as an open wire, neither by the first check nor by a
// second one with the usual pulses. An open clk is reported with any pulses.
func TestSlowChip(t *testing.T) {
	for text, want := range map[string]string{
		"fmax=1MHz":  "high for 20µs, and none with 200ns",
		"clk=stuck0": "no clock edge has an effect",
	} {
		f := testkit.Must(model.Bits.Parse(text))(t)
		chip := mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}})
		for range 2 {
			r := check(t, chip)
			if !strings.Contains(r.Reason, want) || (r.Verdict == BadWires) != (text == "clk=stuck0") || r.Steps == 0 {
				t.Errorf("%s: %s after %d steps, %s, %v", text, r.Verdict, r.Steps, r.Reason, r.Suspects)
			}
		}
	}
}

var errGone = errors.New("the chip is gone")

// leaving is a transport that fails after some number of batches, and records its pulls and pulses.
type leaving struct {
	*mock.Transport
	left  int // number of batches before the failure
	pull  transport.Pull
	pulse time.Duration
}

func (l *leaving) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	if l.left--; l.left < 0 {
		return 0, errGone
	}
	return l.Transport.Apply(ctx, steps, samples)
}

func (l *leaving) Pull(_ context.Context, to transport.Pull) error {
	l.pull = to
	return nil
}

func (l *leaving) Tune(ctx context.Context, knob string, d time.Duration) (time.Duration, error) {
	l.pulse = d
	return l.Transport.Tune(ctx, knob, d)
}

// A check that fails restores the pulls and the pulses.
func TestNothingIsLeftBehind(t *testing.T) {
	for batches := range 4 {
		l := &leaving{Transport: faulty(t, "clk=stuck0"), left: batches}
		_, err := CheckWiring(t.Context(), l, utf.TT09, 0)
		if !errors.Is(err, errGone) || l.pull != transport.PullNone || l.pulse == transport.LongPulse {
			t.Errorf("after %d batches: %v, pull %v, pulse %s", batches, err, l.pull, l.pulse)
		}
	}
}
