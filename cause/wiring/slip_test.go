package wiring

import (
	"context"
	"strings"
	"testing"

	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// slipping is a mock that returns one wrong bit of uo, once, after a number of steps.
type slipping struct {
	*mock.Transport
	after int
}

func (s *slipping) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	n, err := s.Transport.Apply(ctx, steps, samples)
	for i := range samples[:n] {
		if s.after--; s.after < 0 && samples[i].OutX == 0 {
			samples[i].Out ^= 1 << 3
			s.after = 1 << 30
		}
	}
	return n, err
}

// Wires are Good only without any mismatch.
func TestOneWrongBitIsNotGood(t *testing.T) {
	for _, after := range []int{0, 20, 100} {
		r := check(t, &slipping{mock.Open(mock.Config{Tile: utf.TT09}), after})
		if r.Verdict == Good || r.Verdict == Unproven {
			t.Errorf("one wrong bit after %d steps: %+v", after, r)
		}
	}
}

// Noisy outputs, which differ after resets too, are not rst_n's fault.
func TestNoisyOutputsAreNoLostReset(t *testing.T) {
	for _, texts := range []string{"uo5=open:random:1", "uo3=flip:0.05:1", "uo3=flip:0.1:1 uo5=flip:0.1:2"} {
		var faults []fault.Fault
		for text := range strings.FieldsSeq(texts) {
			faults = append(faults, testkit.Must(model.Bits.Parse(text))(t))
		}
		r := check(t, mock.Open(mock.Config{Tile: utf.TT09, Faults: faults}))
		if r.Verdict != Unclear {
			t.Errorf("%s: %s, %s, %v", texts, r.Verdict, r.Why, names(r))
		}
	}
}
