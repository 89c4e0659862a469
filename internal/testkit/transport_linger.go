package testkit

import (
	"context"
	"errors"
	"testing"

	"utfbench/transport"
)

// lingers checks that the chip samples lingering levels at an edge as if they were driven, or that the transport
// rejects a whole batch with lingering steps and stays usable.
func (k TransportKit) lingers(t *testing.T) {
	tr := k.open(t)
	steps, want := k.lingering()
	got := make([]transport.Sample, len(steps))
	n, err := tr.Apply(context.Background(), steps, got)
	if errors.Is(err, transport.ErrLinger) && n == 0 {
		t.Log("refused: ", err)
		compare(t, k.Stimulus, apply(t, tr, k.Stimulus), k.Want)
		return
	}
	if n != len(steps) || err != nil {
		t.Fatalf("Apply(%d steps that linger) = %d, %v; want all of them, or ErrLinger and none", len(steps), n, err)
	}
	compare(t, steps, got, want)
}

// lingering returns the stimulus with each one-clock write divided into two steps. The first sample is not compared;
// the second step lingers, and its sample is not compared on the lines written.
func (k TransportKit) lingering() (steps []transport.Step, want []transport.Sample) {
	for i, s := range k.Stimulus {
		w := k.Want[i]
		if s.Drive != 0 && s.Clocks == 1 {
			before := s
			before.Clocks = 0
			steps, want = append(steps, before), append(want, transport.Sample{OutX: 0xFF, IOX: 0xFF})
			w.IOX, s.IO, s.Drive, s.Linger = w.IOX|s.Drive, 0, 0, true
			w.IO &^= w.IOX
		}
		steps, want = append(steps, s), append(want, w)
	}
	return steps, want
}
