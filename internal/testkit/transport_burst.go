package testkit

import (
	"context"
	"errors"
	"testing"
	"time"

	"utfbench/transport"
)

// bursts checks that a transport.Burster returns the same samples in bursts as at low speed, at a period of 1 µs or,
// if shorter, the grid's longest, and that a burst fails if it has too few samples, is cancelled or follows Close. A
// far end without bursts must return an error and stay usable.
func (k TransportKit) bursts(t *testing.T) {
	tr := k.open(t)
	b, is := tr.(transport.Burster)
	if !is || k.Slow {
		return
	}
	g, err := b.Grid(t.Context())
	if err != nil { // apart from bursts, the transport must work
		t.Log(err)
		compare(t, k.Stimulus, apply(t, tr, k.Stimulus), k.Want)
		return
	}
	if g.Clock <= 0 || g.MinPeriod <= 0 || g.MaxPeriod < g.MinPeriod || g.Steps < 1 || g.Periods < 255 {
		t.Fatalf("the grid is %+v", g)
	}
	slow := min(g.MaxPeriod, time.Microsecond)
	for _, at := range []transport.Timing{{Period: slow, Sample: transport.SampleAtFall},
		{Period: slow, Sample: slow / 5, Lead: slow * 3 / 4}} {
		p, err := transport.NewPlayer(t.Context(), tr, at)
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		compare(t, k.Stimulus, apply(t, p, k.Stimulus), k.Want)
		compare(t, k.Stimulus, apply(t, tr, k.Stimulus), k.Want) // afterwards at low speed again
	}
	at, err := g.Round(transport.Timing{Period: slow})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Burst(t.Context(), k.Stimulus[:2], make([]transport.Sample, 1), at); err == nil {
		t.Error("a burst of 2 steps with room for 1 sample is no error")
	}
	if err := b.Burst(t.Context(), nil, nil, at); err != nil {
		t.Errorf("a burst of no steps: %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Burst(cancelled, k.Stimulus, make([]transport.Sample, len(k.Stimulus)), at); !errors.Is(err,
		context.Canceled) {
		t.Errorf("a burst that is cancelled: %v", err)
	}
	tr.Close()
	if err := b.Burst(t.Context(), k.Stimulus[:1], make([]transport.Sample, 1), at); !errors.Is(err,
		transport.ErrClosed) {
		t.Errorf("a burst after Close: %v", err)
	}
}
