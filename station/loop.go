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
)

// LoopCounts counts the verdicts of a vector that is repeated on a chip, as for an oscilloscope.
type LoopCounts struct {
	driver.Counts        // verdicts of the judged executions
	Weakness      string // set by run: why executions that pass are not a PASS of the chip, or ""
	BenchError    string // why an execution could not be judged, which ended the loop; or ""

	failed func(*driver.Result) // called at the first FAIL; the result's Trace is valid until it returns
	judged func()               // called after each judged execution
}

// run repeats a job until ctx ends or an execution cannot be judged. Errors come from the transport.
func (l *LoopCounts) run(ctx context.Context, r driver.Runner, job driver.Job) error {
	r.Report = l.count
	tally, err := r.RunIterations(ctx, func(yield func(int, driver.Job) bool) {
		for n := 1; ctx.Err() == nil && l.BenchError == "" && yield(n, job); n++ {
		}
	})
	l.Weakness = tally.Weakness()
	if _, over := errors.AsType[*driver.OvertimeError](err); over || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func (l *LoopCounts) count(res *driver.Result) {
	if res.Verdict != driver.Pass && res.Verdict != driver.Fail { // incomplete, or not judged
		l.BenchError = cmp.Or(l.BenchError, res.Reason)
		return
	}
	l.Counts[res.Verdict]++
	if res.Verdict == driver.Fail && l.Counts[driver.Fail] == 1 {
		l.failed(res)
	}
	l.judged()
}

// Loop repeats the only vector of a prepared run until ctx ends. It writes how often the vector has failed, and returns
// the verdict. It calls judged after each execution.
func (r *Run) Loop(ctx context.Context, w io.Writer, judged func(*LoopCounts)) (driver.Verdict, error) {
	job, err := r.loopable()
	if err != nil {
		return driver.Unjudged, err
	}
	c, name, began, l := r.Chip, job.Vector.Name, time.Now(), new(LoopCounts)
	l.judged = func() { judged(l) }
	l.failed = func(res *driver.Result) {
		fmt.Fprintf(w, "%s fails at its execution %d:\n", name, l.JudgedExecutions())
		for _, line := range report.ExplainDivergence(res) {
			fmt.Fprintf(w, "        %s\n", line)
		}
	}
	err = l.run(ctx, driver.Runner{Transport: c.Transport, Tile: c.Tile,
		Rules: driver.Rules{DoubtReason: c.WiringDoubt(), AcceptedLines: r.VectorPlan.AcceptedOutputs()}}, job)
	if err != nil {
		return driver.Error, benchFault(err)
	}
	if err := c.Close(); err != nil {
		return driver.Error, benchFault(fmt.Errorf("parking the chip: %w", err))
	}
	v := l.Verdict()
	if v == driver.Pass && l.Weakness != "" {
		v = driver.Weak
	}
	switch {
	case v == driver.Skipped && l.BenchError != "" && !errors.Is(ctx.Err(), context.Canceled):
		return driver.Error, benchFault(errors.New(l.BenchError))
	case v == driver.Skipped:
		return v, failure.Newf(failure.Interrupted, "stopped before the first execution was answered")
	}
	fmt.Fprintf(w, "%-5s %s: %s, in %s%s\n", v, name, report.FormatShare(l.Counts[driver.Fail], l.JudgedExecutions()),
		time.Since(began).Round(100*time.Millisecond), c.Info.NoChipNote())
	if idle := report.DescribeIdleFaults(c.IdleFaults(), c.Speed()); idle != "" {
		fmt.Fprintln(w, idle)
	}
	if v == driver.Weak {
		fmt.Fprintf(w, "        this is no PASS of the chip: %s\n", l.Weakness)
	}
	return v, nil
}

// loopable returns the planned vector, or an error if the vector cannot judge the chip.
func (r *Run) loopable() (job driver.Job, err error) {
	if job, err = r.VectorPlan.OnlyJob(); err != nil {
		return job, err
	}
	c, v := r.Chip, job.Vector
	switch {
	case c.BrokenWires != nil:
		err = failure.New(failure.Wire, errors.New(c.DescribeBadWires(" ")))
	case v.Revision != "" && v.Revision != c.Tile.Revision():
		err = failure.Newf(failure.Nothing, "%s applies only to %s, and the chip is taken for %s: --revision %[2]s "+
			"takes it for that", v.Name, v.Revision, c.Tile.Revision())
	}
	return job, err
}
