package driver

import (
	"context"
	"errors"
	"testing"
	"time"

	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A run that its own deadline ends while the transport responds is an ERROR of no vector; a silent transport is one.
func TestOvertime(t *testing.T) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), 0, &Overtime{Limit: time.Second})
	defer cancel()
	jobs := allJobs(t)[:200]
	steps := 0
	for _, j := range jobs {
		steps += len(j.Vector.Steps)
	}
	for left, c := range map[int]struct {
		errors int
		why    string
	}{
		0:           {1, "no response in time; try a longer --timeout"},
		steps / 2:   {0, "stopped by --timeout 1s; the rest was not judged"},
		2*steps + 1: {0, "stopped by --timeout 1s in iteration 3; the rest was not judged"},
	} {
		chip := mock.Open(mock.Config{Tile: utf.TT09})
		r := Runner{Tile: utf.TT09, Transport: late{&broken{chip, left, context.DeadlineExceeded}}, Count: 4}
		tally, err := r.Run(ctx, jobs)
		if err == nil || err.Error() != c.why || !errors.Is(err, context.DeadlineExceeded) ||
			tally.Verdict() != Error || tally.Verdicts[Error] != c.errors ||
			(tally.Stopped == c.why) != (c.errors == 0) {
			t.Errorf("after %d of %d steps: %v, %v, %q", left, steps, err, tally.Verdicts, tally.Stopped)
		}
	}
}

// A late transport ignores the deadline of its context.
type late struct{ *broken }

func (l late) Apply(_ context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	return l.broken.Apply(context.Background(), steps, samples)
}
