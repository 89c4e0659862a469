package wiring

import (
	"context"
	"errors"
	"testing"

	"utfbench/tile/utf"
	"utfbench/transport"
)

// A stopper ends a context once its chip has been asked.
type stopper struct {
	transport.Transport
	stop context.CancelFunc
}

func (s stopper) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	n, err := s.Transport.Apply(ctx, steps, samples)
	s.stop()
	return n, err
}

// The search for what explains a check ends with its context.
func TestStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	r, err := Check(ctx, stopper{faulty(t, "uo3=stuck1"), stop}, utf.TT09, 0)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", r, err)
	}
}
