package driver

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// If a run's deadline passes while the transport responds, or before its first response, no vector is an ERROR. If the
// transport is silent, the vector is an ERROR.
func TestOvertime(t *testing.T) {
	jobs := allJobs(t)[:200]
	steps := 0
	for _, j := range jobs {
		steps += len(j.Vector.Steps)
	}
	for _, c := range []struct {
		left   int
		silent time.Duration
		errors int
		why    string
	}{
		{0, 2 * minSilence, 1, "no response in time; try a longer --timeout"},
		{0, 0, 0, "stopped by --timeout 1s; the rest was not judged"},
		{steps / 2, 0, 0, "stopped by --timeout 1s; the rest was not judged"},
		{2*steps + 1, 0, 0, "stopped by --timeout 1s in iteration 3; the rest was not judged"},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeoutCause(t.Context(), 0, &OvertimeError{Limit: time.Second})
			defer cancel()
			chip := mock.Open(mock.Config{Tile: utf.TT09})
			r := Runner{Tile: utf.TT09, Rules: Rules{Count: 4},
				Transport: late{&broken{chip, c.left, context.DeadlineExceeded}, c.silent}}
			tally, err := r.Run(ctx, jobs)
			if err == nil || err.Error() != c.why || !errors.Is(err, context.DeadlineExceeded) ||
				tally.Verdict() != Error || tally.Verdicts[Error] != c.errors ||
				(tally.StoppedBy == c.why) != (c.errors == 0) {
				t.Errorf("after %d of %d steps: %v, %v, %q", c.left, steps, err, tally.Verdicts, tally.StoppedBy)
			}
		})
	}
}

// late is a transport that ignores the deadline of its context and applies each batch slowly.
type late struct {
	*broken
	while time.Duration
}

func (l late) Apply(_ context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	time.Sleep(l.while)
	return l.broken.Apply(context.Background(), steps, samples)
}
