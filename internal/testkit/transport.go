package testkit

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"utfbench/transport"
)

// A TransportKit describes a transport to the conformance kit.
type TransportKit struct {
	// Open opens a fresh transport, with a chip before its first reset. The kit closes it.
	Open func(t testing.TB) transport.Transport

	// Stimulus is a list of legal steps that begins with a reset. Want holds the expected samples, from a source
	// independent of the transport; its unknown bits match anything.
	Stimulus []transport.Step
	Want     []transport.Sample

	// ExpectedSamples returns the expected samples of any legal steps. It is required only for a transport.Signer.
	ExpectedSamples func([]transport.Step) []transport.Sample

	// Pins returns the current levels of the far end's lines, if known.
	Pins func(transport.Transport) transport.Step

	// Slow means that the far end cannot play bursts although the transport is a Burster.
	Slow bool

	// Bubble runs each part in a bubble of package synctest, where waiting takes no time.
	Bubble bool
}

// RunTransport runs each part of the conformance kit for transports as a subtest.
func RunTransport(t *testing.T, k TransportKit) {
	for name, part := range map[string]func(*testing.T){"answers": k.answers, "one-by-one": k.oneByOne,
		"starts-again": k.startsAgain, "long-batch": k.longBatch, "empty-batch": k.emptyBatch,
		"short-samples": k.shortSamples, "cancelled": k.cancelled, "signs": k.signs, "close": k.closes,
		"name": k.named, "knobs": k.knobs, "bursts": k.bursts, "lingers": k.lingers} {
		t.Run(name, func(t *testing.T) {
			if k.Bubble {
				synctest.Test(t, part)
			} else {
				part(t)
			}
		})
	}
}

func (k TransportKit) open(t testing.TB) transport.Transport {
	tr := k.Open(t)
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return tr
}

func apply(t testing.TB, tr transport.Transport, steps []transport.Step) []transport.Sample {
	t.Helper()
	samples := make([]transport.Sample, len(steps))
	n, err := tr.Apply(context.Background(), steps, samples)
	if n != len(steps) || err != nil {
		t.Fatalf("Apply(%d steps) = %d, %v; want all of them and no error", len(steps), n, err)
	}
	return samples
}

func compare(t testing.TB, steps []transport.Step, got, want []transport.Sample) {
	t.Helper()
	for i := range got {
		if got[i].Differ(want[i]) != 0 {
			t.Fatalf("step %d %+v:\ngot  %+v\nwant %+v", i, steps[i], got[i], want[i])
		}
	}
}

// answers checks that each step returns the expected sample.
func (k TransportKit) answers(t *testing.T) {
	compare(t, k.Stimulus, apply(t, k.open(t), k.Stimulus), k.Want)
}

// oneByOne checks that samples do not depend on the division into batches.
func (k TransportKit) oneByOne(t *testing.T) {
	tr := k.open(t)
	for at, size := 0, 1; at < len(k.Stimulus); size = size%7 + 1 {
		end := min(at+size, len(k.Stimulus))
		compare(t, k.Stimulus[at:end], apply(t, tr, k.Stimulus[at:end]), k.Want[at:end])
		at = end
	}
}

// startsAgain checks that a reset clears all state: the stimulus produces the same samples when it is repeated.
func (k TransportKit) startsAgain(t *testing.T) {
	tr := k.open(t)
	half := k.Stimulus[:len(k.Stimulus)/2]
	apply(t, tr, half)
	compare(t, k.Stimulus, apply(t, tr, k.Stimulus), k.Want)
}

// longBatch applies a batch that is longer than any buffer of the transport.
func (k TransportKit) longBatch(t *testing.T) {
	var steps []transport.Step
	var want []transport.Sample
	for len(steps) < 10_000 {
		steps = append(steps, k.Stimulus...)
		want = append(want, k.Want...)
	}
	compare(t, steps, apply(t, k.open(t), steps), want)
}

func (k TransportKit) emptyBatch(t *testing.T) {
	tr := k.open(t)
	if n, err := tr.Apply(context.Background(), nil, nil); n != 0 || err != nil {
		t.Errorf("Apply(no steps) = %d, %v; want 0 and no error", n, err)
	}
}

// shortSamples checks that Apply rejects too few samples before it applies a step.
func (k TransportKit) shortSamples(t *testing.T) {
	tr := k.open(t)
	n, err := tr.Apply(context.Background(), k.Stimulus[:2], make([]transport.Sample, 1))
	if n != 0 || err == nil {
		t.Errorf("Apply(2 steps, room for 1) = %d, %v; want 0 and an error", n, err)
	}
	compare(t, k.Stimulus, apply(t, tr, k.Stimulus), k.Want)
}

// cancelled checks that with a cancelled context no step is applied, and that the transport stays usable.
func (k TransportKit) cancelled(t *testing.T) {
	tr := k.open(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	n, err := tr.Apply(ctx, k.Stimulus, make([]transport.Sample, len(k.Stimulus)))
	if n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("Apply(cancelled) = %d, %v; want 0 and context.Canceled", n, err)
	}
	compare(t, k.Stimulus, apply(t, tr, k.Stimulus), k.Want)
}

// closes checks that Close parks the chip, may be called again, and makes Apply return ErrClosed.
func (k TransportKit) closes(t *testing.T) {
	tr := k.Open(t)
	apply(t, tr, k.Stimulus)
	for range 2 {
		if err := tr.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	if n, err := tr.Apply(context.Background(), k.Stimulus, make([]transport.Sample, len(k.Stimulus))); n != 0 ||
		!errors.Is(err, transport.ErrClosed) {
		t.Errorf("Apply after Close = %d, %v; want 0 and ErrClosed", n, err)
	}
	if k.Pins != nil {
		if got := k.Pins(tr); got != transport.ParkStep {
			t.Errorf("after Close the pins are %+v; want them parked, %+v", got, transport.ParkStep)
		}
	}
}

func (k TransportKit) named(t *testing.T) {
	if k.open(t).String() == "" {
		t.Error("String() is empty; want the far end's name")
	}
}
