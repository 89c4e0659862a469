package report

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/transport"
)

// A Replay is a transport that responds from a recording. It accepts only the steps of the recorded executions, in
// order. It does not close the recording.
type Replay struct {
	rec  *Recording
	next func() (*Execution, error, bool)
	stop func()

	execution *Execution // the current execution; nil before the first
	at        int        // number of its replayed steps

	mu     sync.Mutex // guards all fields, since Close may be called during Apply
	closed bool
}

var (
	_ transport.Transport  = (*Replay)(nil)
	_ transport.FourStater = (*Replay)(nil)
)

// NewReplay returns a transport that replays the executions for which keep returns true.
func NewReplay(rec *Recording, keep func(*Execution) bool) *Replay {
	t := &Replay{rec: rec}
	t.next, t.stop = iter.Pull2(func(yield func(*Execution, error) bool) {
		for e, err := range rec.Executions() {
			if (err != nil || len(e.Steps) > 0 && keep(e)) && !yield(e, err) {
				return
			}
		}
	})
	return t
}

func (t *Replay) String() string { return "replay:" + t.rec.Path }

func (t *Replay) FourState() bool { return t.rec.Start.FourState() }

func (t *Replay) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return 0, transport.ErrClosed
	}
	if err := transport.CheckBatch(ctx, steps, samples); err != nil {
		return 0, err
	}
	done := 0
	for done < len(steps) {
		n, err := t.answer(steps[done:], samples[done:])
		done += n
		if err != nil {
			return done, fmt.Errorf("%s: %w", t, err)
		}
	}
	return done, nil
}

// answer responds to steps, at most up to the end of the current execution.
func (t *Replay) answer(steps []transport.Step, samples []transport.Sample) (int, error) {
	if t.execution == nil || t.at == len(t.execution.Steps) {
		e, err, more := t.next()
		if err != nil {
			return 0, err
		}
		if !more {
			return 0, t.ended("all executions were replayed, which only bench run does")
		}
		t.execution, t.at = e, 0
	}
	e := t.execution
	n := min(len(steps), len(e.Steps)-t.at)
	if !slices.Equal(steps[:n], e.Steps[t.at:t.at+n]) {
		return 0, fmt.Errorf("%s has other steps than when bench %s recorded it: use that bench", e.Vector,
			t.rec.Start.Bench)
	}
	good := copy(samples[:n], e.Got[min(t.at, len(e.Got)):])
	t.at += n
	switch end := t.rec.End; {
	case good == n:
		return n, nil
	case e.Verdict == driver.Aborted && end != nil && !end.interrupted():
		return good, &driver.OvertimeError{Recorded: e.Reason}
	}
	return good, t.ended(e.Reason)
}

// ended returns the error for the end of the recording: a cancellation if the run was interrupted.
func (t *Replay) ended(reason string) error {
	if end := t.rec.End; end != nil && end.interrupted() {
		return fmt.Errorf("%w: the recorded run was interrupted", context.Canceled)
	}
	return fmt.Errorf("the recorded run ended here: %s", reason)
}

// Close implements transport.Transport. There is nothing to park.
func (t *Replay) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed {
		t.stop()
	}
	t.closed = true
	return nil
}

// Suites parses the suites in the recording, which omits built-in ones. After an error, such as for the format of a
// newer bench, only the recorded steps can be used.
func (r *Recording) Suites(t tile.Tile) (suites []*golden.Suite, err error) {
	for _, text := range r.SuiteFiles {
		suite, err := golden.Parse(text.Name, text.Text, tile.Dialect(t))
		if err != nil {
			return nil, failure.Usagef("%s: the vectors in it cannot be read by this bench: %w; take bench "+
				"%s, which recorded it", r.Path, err, r.Start.Bench)
		}
		suites = append(suites, suite)
	}
	return suites, golden.CheckLimits(suites)
}

// Iterations yields the job of each recorded execution, unless it was SKIPPED and would not be skipped now.
func (r *Recording) Iterations(jobs map[string]driver.Job, t tile.Tile) iter.Seq2[int, driver.Job] {
	simulated := r.Start.Kind == Verilog && r.Start.Revision == t.Revision()
	return func(yield func(int, driver.Job) bool) {
		for p, err := range r.Executions() {
			if err != nil {
				return // the transport returns the same error
			}
			job, known := jobs[p.Vector]
			unapplied := known && len(p.Steps) == 0 && p.Verdict == driver.Error
			if unapplied && t.Lint(job.Vector.Steps) == nil { // the lint has changed since
				job.UnappliedReason = p.Reason
			}
			asked := len(p.Steps) > 0 || p.Verdict != driver.Skipped
			job.NeverApplied = len(p.Steps) == 0 && (p.Verdict == driver.Wiring || p.Verdict == driver.Aborted)
			if simulated {
				job.Failed = p.Verdict == driver.Fail
				if p.Verdict == driver.Error && strings.HasPrefix(p.Reason, driver.TwinReasonPrefix) {
					job.TwinReason = p.Reason
				}
			}
			if !asked && p.Verdict == driver.Skipped && r.Start.Revision == t.Revision() {
				job.SkipReason = p.Reason
			}
			listed := known && (asked || job.SkipReason != "" || !job.Vector.AppliesTo(t.Revision()))
			if listed && !yield(p.Iteration, job) {
				return
			}
		}
	}
}
