package testkit

import (
	"errors"
	"testing"
	"time"

	"utfbench/transport"
)

// knobs checks that each knob accepts only times within its range, can be restored to its default, and fails after
// Close. To be fast, it does not test long times.
func (k TransportKit) knobs(t *testing.T) {
	tr := k.open(t)
	tuner, ok := tr.(transport.Tuner)
	if !ok || len(tuner.Knobs()) == 0 {
		return
	}
	before := tuner.Knobs()
	for i, knob := range before {
		if knob.Name == "" || knob.Low < 0 || knob.Low > knob.Default || knob.Default > knob.High {
			t.Fatalf("%+v: want a name, and a default within a range that begins at 0 or above", knob)
		}
		other := knob.Low
		if other == knob.Default {
			other++
		}
		turn(t, tuner, knob, other)
		if now := tuner.Knobs()[i]; now != knob {
			t.Errorf("turned to %s it is %+v; want %+v, or nobody could put it back", other, now, knob)
		}
		for _, d := range []time.Duration{knob.Low - 1, knob.High + 1} {
			if got, err := tuner.Tune(t.Context(), knob.Name, d); err == nil {
				t.Errorf("Tune(%s, %s) = %s; want an error: the range is %s to %s", knob.Name, d, got,
					knob.Low, knob.High)
			}
		}
		turn(t, tuner, knob, knob.Default)
	}
	if _, err := tuner.Tune(t.Context(), "no such knob", before[0].Default); err == nil {
		t.Error("Tune(no such knob) gave no error")
	}
	compare(t, k.Stimulus, apply(t, tr, k.Stimulus), k.Want)
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := tuner.Tune(t.Context(), before[0].Name, before[0].Default); !errors.Is(err, transport.ErrClosed) {
		t.Errorf("Tune after Close: %v; want ErrClosed", err)
	}
}

// turn sets a knob to an allowed time, which may be rounded.
func turn(t *testing.T, tuner transport.Tuner, k transport.Knob, d time.Duration) {
	t.Helper()
	if got, err := tuner.Tune(t.Context(), k.Name, d); err != nil || got < k.Low || got > k.High {
		t.Errorf("Tune(%s, %s) = %s, %v; want a time from %s to %s", k.Name, d, got, err, k.Low, k.High)
	}
}
