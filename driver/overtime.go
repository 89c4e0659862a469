package driver

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// An Overtime is a context's cause, the deadline of a whole run. While the transport responds, its end is an ERROR of
// no vector.
type Overtime struct {
	Limit     time.Duration
	iteration int // in which the run ended; 1 is not shown
}

func (o *Overtime) Error() string {
	in := ""
	if o.iteration > 1 {
		in = fmt.Sprintf(" in iteration %d", o.iteration)
	}
	return fmt.Sprintf("stopped by --timeout %s%s; the rest was not judged", o.Limit, in)
}

// Unwrap makes it a context.DeadlineExceeded.
func (*Overtime) Unwrap() error { return context.DeadlineExceeded }

// leastSilence is the least duration of a batch from a silent transport.
const leastSilence = time.Second

// limited returns the error of a batch: the run's *Overtime if its deadline ended the batch of a transport that
// responds.
func (r *Runner) limited(ctx context.Context, good int, err error) error {
	if err == nil {
		r.longest = max(r.longest, r.took)
		return nil
	}
	responds := good > 0
	if r.longest > 0 {
		responds = r.took <= max(leastSilence, 2*r.longest)
	}
	over, is := errors.AsType[*Overtime](context.Cause(ctx))
	if !is || !responds || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &Overtime{Limit: over.Limit}
}
