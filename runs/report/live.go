package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"utfbench/driver"
	"utfbench/tile"
)

// A LiveRun reports a run while it progresses. Fill in the fields and call Run.
type LiveRun struct {
	driver.Runner                            // without Report, which is set by Run
	Reporter      Reporter                   // receives the run
	CutReason     string                     // why the replayed recording is incomplete; "" if complete
	Hint          func(*driver.Tally) string // sets Outcome.Hint
	// IdleFaults returns Outcome.IdleFaults, the injected faults that have never acted; may be nil.
	IdleFaults func() []string
	// Grade adds the fault coverage of a completed run to its tally; may be nil.
	Grade func(context.Context, *driver.Tally)
	// Resample repeats the first FAIL; see driver.Runner.Reexamine.
	Resample     bool
	RecordedTime time.Duration // duration of a recorded run that is replayed; otherwise 0
	RecordedEnd  *End          // the end of that run, with the results of Resample; otherwise nil
}

// Run runs the jobs, parks the chip and reports. It returns a reporter's error; Outcome.BenchError has the transport's.
func (j *LiveRun) Run(ctx context.Context, start Run, iterations iter.Seq2[int, driver.Job]) (Outcome, error) {
	began := time.Now()
	failed := j.Reporter.Start(start)
	var first driver.Job
	j.Report = func(r *driver.Result) {
		if r.Verdict == driver.Fail && first.Vector == nil {
			first = driver.Job{Vector: r.Vector, File: r.File}
			if j.Stream != nil {
				first = j.Stream.VectorUpTo(r.Vector)
			}
		}
		if err := j.Reporter.Result(r); failed == nil {
			failed = err
		}
	}
	tally, err := j.Runner.RunIterations(ctx, iterations)
	if j.CutReason != "" && err == nil {
		err = fmt.Errorf("the recording is incomplete: %s", j.CutReason)
	}
	took := cmp.Or(j.RecordedTime, time.Since(began))
	if j.Resample && first.Vector != nil && err == nil {
		// The verdict remains even if the chip now stops responding.
		_ = j.Reexamine(ctx, first, tally)
	}
	if j.RecordedEnd != nil && j.RecordedEnd.Evidence != nil && first.Vector != nil {
		tally.Instability, tally.Pulses = j.RecordedEnd.Evidence.reexamined()
	}
	stopped, trouble := errors.Is(err, context.Canceled), ""
	if err != nil && !stopped {
		trouble = err.Error()
	}
	if cerr := j.Transport.Close(); cerr != nil && trouble == "" {
		trouble = fmt.Sprintf("parking the chip: %v", cerr)
	}
	if j.Grade != nil && !stopped && trouble == "" {
		j.Grade(ctx, tally)
	}
	o := Outcome{Tally: tally, Elapsed: took, Interrupted: stopped, BenchError: trouble, Hint: j.Hint(tally)}
	if j.IdleFaults != nil {
		o.IdleFaults = j.IdleFaults()
	}
	o.fail(failed)
	return o, cmp.Or(failed, j.Reporter.End(o))
}

// NextHint suggests what to examine after a run with a tile as the reference. otherwise is the default after a FAIL.
func NextHint(t *driver.Tally, of tile.Tile, otherwise string) string {
	switch failed := t.Verdicts[driver.Fail]; {
	case failed == 0:
		return ""
	case t.IsOtherRevision():
		return fmt.Sprintf("In each of these vectors the chip responds exactly as a %[1]s chip: "+
			"try --revision %[1]s.", of.Others()[0].Revision())
	}
	return otherwise
}
