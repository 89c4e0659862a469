package driver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// An OvertimeError reports that a run was stopped at its deadline, or where the recorded run was stopped. It is the
// cause of a context with such a deadline. It makes no vector an ERROR unless the transport stops responding.
type OvertimeError struct {
	Limit     time.Duration
	Recorded  string // why the recorded run was stopped
	iteration int    // iteration that was stopped; 1 is not shown
}

func (o *OvertimeError) Error() string {
	if o.Recorded != "" {
		return "the recorded run ended here: " + o.Recorded
	}
	in := ""
	if o.iteration > 1 {
		in = fmt.Sprintf(" in iteration %d", o.iteration)
	}
	return fmt.Sprintf("stopped by --timeout %s%s; the rest was not judged", o.Limit, in)
}

// Unwrap returns context.DeadlineExceeded.
func (*OvertimeError) Unwrap() error { return context.DeadlineExceeded }

// noResponse reports that a deadline passed without a response.
type noResponse struct{ error }

func (s *noResponse) Error() string {
	return strings.TrimSuffix("no response in time; try a longer --timeout: "+s.error.Error(),
		": "+context.DeadlineExceeded.Error())
}

func (s *noResponse) Unwrap() error { return s.error }

// minSilence is the minimum time without a response after which a transport counts as silent.
const minSilence = time.Second

// orOvertime returns the error of a batch. If the run's deadline ended the batch while the transport was responding, it
// returns the run's *OvertimeError instead.
func (r *run) orOvertime(ctx context.Context, good int, err error) error {
	if err == nil {
		r.longestBatch = max(r.longestBatch, r.took)
		return nil
	}
	responds := r.longestBatch == 0 && good > 0 || r.took <= max(minSilence, 2*r.longestBatch)
	over, is := errors.AsType[*OvertimeError](context.Cause(ctx))
	if !is || !responds || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &OvertimeError{Limit: over.Limit}
}
