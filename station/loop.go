package station

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/transport"
)

// A Loop repeats one vector on a chip, as one needs it at a scope, and counts how often it fails. Fill in the fields
// and call Run.
type Loop struct {
	Transport transport.Transport
	Tile      tile.Tile // to compare with
	Job       driver.Job
	Doubt     string               // see driver.Runner
	Accepted  transport.Outputs    // see driver.Runner
	Trigger   *Trigger             // nil is none
	First     func(*driver.Result) // is told of the first FAIL, which has its Trace until it returns; may be nil
	Judged    func()               // is called after each execution that was judged; may be nil

	Executions, Failed int
	Weakness           string // after Run: why passing executions are no PASS of the chip, or ""
	Over               bool   // nothing more is judged
	Trouble            string // why an execution was not judged, which ends the loop; "" is none
}

// Verdict returns the vector's verdict: FAIL if it always failed, FLAKY if sometimes, SKIPPED if it was never judged.
func (l *Loop) Verdict() driver.Verdict {
	switch {
	case l.Executions == 0:
		return driver.Skipped
	case l.Failed == 0:
		return driver.Pass
	case l.Failed == l.Executions:
		return driver.Fail
	}
	return driver.Flaky
}

// Run runs the vector until ctx ends, which is no error while the transport responds, or an execution cannot be judged.
// The error is the transport's.
func (l *Loop) Run(ctx context.Context) error {
	chip := l.Transport
	if l.Trigger != nil {
		chip = &triggered{Transport: chip, Trigger: l.Trigger, steps: len(l.Job.Vector.Steps)}
	}
	r := driver.Runner{Transport: chip, Tile: l.Tile, Doubt: l.Doubt, Accepted: l.Accepted, Report: l.see}
	tally, err := r.RunIterations(ctx, func(yield func(int, driver.Job) bool) {
		for n := 1; ctx.Err() == nil && l.Trouble == "" && yield(n, l.Job); n++ {
		}
	})
	l.Weakness = tally.Weakness()
	if _, over := errors.AsType[*driver.Overtime](err); over || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// see counts a result.
func (l *Loop) see(res *driver.Result) {
	if res.Verdict != driver.Pass && res.Verdict != driver.Fail { // cut short by its end, or not to be judged
		l.Trouble = cmp.Or(l.Trouble, res.Reason)
		return
	}
	l.Executions++
	if res.Verdict == driver.Fail {
		l.Failed++
	}
	if res.Verdict == driver.Fail && l.Failed == 1 {
		if l.Trigger != nil && l.Trigger.At < 0 { // unless the user has set it
			l.Trigger.At = res.First.Index
		}
		if l.First != nil {
			l.First(res)
		}
	}
	if l.Judged != nil {
		l.Judged()
	}
}

// Loop repeats the one vector of a run that is prepared until ctx ends, writes how often it fails, and returns the
// verdict. judged is called after each execution, and once at the end.
func (r *Run) Loop(ctx context.Context, w io.Writer, trigger Pulse, judged func(*Loop)) (driver.Verdict, error) {
	job, err := r.loopable()
	if err != nil {
		return driver.Unjudged, err
	}
	c, name, began := r.Chip, job.Vector.Name, time.Now()
	l := &Loop{Transport: c.Transport, Tile: c.Tile, Job: job, Doubt: c.Doubt(), Accepted: r.Asked.Accepted()}
	l.Judged = func() { judged(l) }
	pin, err := trigger.take(ctx, w, c, l)
	if err != nil {
		return driver.Unjudged, err
	}
	l.First = func(res *driver.Result) {
		fmt.Fprintf(w, "%s fails at its execution %d:\n", name, l.Executions)
		for _, line := range report.Explain(res) {
			fmt.Fprintf(w, "        %s\n", line)
		}
		if pin != "" && trigger.Step == 0 {
			fmt.Fprintln(w, pulses(pin, l.Trigger.At, len(job.Vector.Steps)))
		}
	}
	err = l.Run(ctx)
	l.Over = true
	judged(l)
	if err != nil {
		return driver.Error, benchFault(err)
	}
	if err := c.Close(); err != nil {
		return driver.Error, benchFault(fmt.Errorf("parking the chip: %w", err))
	}
	v := l.Verdict()
	switch {
	case v == driver.Skipped && l.Trouble != "" && !errors.Is(ctx.Err(), context.Canceled):
		return driver.Error, benchFault(errors.New(l.Trouble))
	case v == driver.Skipped:
		return v, failure.Newf(failure.Interrupted, "stopped before the first execution was answered")
	}
	fmt.Fprintf(w, "%-5s %s: %s, in %s%s\n", v, name, report.Share(l.Failed, l.Executions),
		time.Since(began).Round(100*time.Millisecond), c.Asked.Unasked())
	if idle := report.IdleFaults(c.IdleFaults()); idle != "" {
		fmt.Fprintln(w, idle)
	}
	if pin != "" && l.Trigger.At < 0 {
		fmt.Fprintf(w, "%s was not pulsed, since no step failed: --trigger %[1]s@STEP says at which\n", pin)
	}
	if v == driver.Pass && l.Weakness != "" {
		fmt.Fprintf(w, "WEAK  this is no PASS of the chip: %s\n", l.Weakness)
		v = driver.Weak
	}
	return v, nil
}

// loopable returns the vector to repeat, if the chip can be judged by it.
func (r *Run) loopable() (job driver.Job, err error) {
	if job, err = r.Asked.One(); err != nil {
		return job, err
	}
	c, only := r.Chip, job.Vector.Revision
	switch {
	case c.Broken != nil:
		err = failure.New(failure.Wire, errors.New(c.BadWires(" ")))
	case only != "" && only != c.Tile.Revision():
		err = failure.Newf(failure.Nothing, "%s applies only to %s, and the chip is taken for %s: --revision %s takes "+
			"it for that", job.Vector.Name, only, c.Tile.Revision(), only)
	}
	return job, err
}
