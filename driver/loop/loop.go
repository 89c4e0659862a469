// Package loop runs one vector on a chip again and again, as one needs it at a scope, and counts how often it fails.
package loop

import (
	"cmp"
	"context"
	"errors"

	"utfbench/driver"
	"utfbench/tile"
	"utfbench/transport"
)

// A Count is how often a vector was judged, and how often it was FAIL.
type Count struct{ Executions, Failed int }

// Verdict returns the vector's verdict: FAIL if it always failed, FLAKY if sometimes, SKIPPED if it was never judged.
func (c Count) Verdict() driver.Verdict {
	switch c.Failed {
	case 0:
		if c.Executions == 0 {
			return driver.Skipped
		}
		return driver.Pass
	case c.Executions:
		return driver.Fail
	}
	return driver.Flaky
}

// A Loop repeats one vector. Fill in the fields and call Run; then Count and Trouble hold the result.
type Loop struct {
	Transport transport.Transport
	Tile      tile.Tile // to compare with
	Job       driver.Job
	Trigger   *Trigger             // nil is none
	First     func(*driver.Result) // is told of the first FAIL, which has its Trace until it returns; may be nil
	Judged    func()               // is called after each execution that was judged; may be nil

	Count
	Trouble string // why an execution was not judged, which ends the loop; "" is none
}

// Run runs the vector until ctx ends, which is no error, or an execution cannot be judged. The error is the
// transport's.
func (l *Loop) Run(ctx context.Context) error {
	chip := l.Transport
	if l.Trigger != nil {
		chip = &triggered{Transport: chip, Trigger: l.Trigger, steps: len(l.Job.Vector.Steps)}
	}
	r := driver.Runner{Transport: chip, Tile: l.Tile, Report: l.see}
	_, err := r.RunIterations(ctx, func(yield func(int, driver.Job) bool) {
		for n := 1; ctx.Err() == nil && l.Trouble == "" && yield(n, l.Job); n++ {
		}
	})
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
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
		if l.Failed++; l.Failed == 1 {
			l.first(res)
		}
	}
	if l.Judged != nil {
		l.Judged()
	}
}

// first handles the first failure, which sets the trigger unless the user has.
func (l *Loop) first(res *driver.Result) {
	if l.Trigger != nil && l.Trigger.At < 0 {
		l.Trigger.At = res.First.Index
	}
	if l.First != nil {
		l.First(res)
	}
}
