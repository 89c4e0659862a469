package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/cause/shmoo"
	"utfbench/driver"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/runs/waveform"
)

// judging is how a run is judged, and where that is told. Its zero value tells it in words.
type judging struct {
	failFast  bool
	strict    bool
	verbose   bool
	json      string
	junit     string
	record    string
	html      string
	shmoo     *shmoo.Grid // for the page; nil when there is none
	waves     waveform.Folder
	tags      report.Tags
	history   string     // to enter it into; "" is none
	number    int        // in the history, once it is there; 0 is none
	reporters report.All // told of the run besides
}

// judge runs what is asked and writes all that was wanted of it.
func (o *judging) judge(cmd *cobra.Command, w io.Writer, c *chip, asked plan.Plan, passed map[string]bool) error {
	out := newOutput(w, o.verbose, asked.Vectors*asked.Count)
	defer out.files.Discard()
	if err := out.open(o, c, asked.Suites); err != nil {
		return err
	}
	out.all = append(out.all, o.reporters...)
	if asked.Count > 1 {
		out.bar.unit = "executions"
		out.correlate()
	}
	if err := o.waves.Open(); err != nil {
		return err
	}
	if o.waves.Path != "" {
		out.all = append(out.all, report.Each(o.waves.Result))
	}
	if o.history != "" {
		out.remember(o.history, asked.Suites)
	}
	err := o.apply(cmd.Context(), c, asked, out, passed)
	out.note(cmd.ErrOrStderr())
	if out.past != nil {
		o.number = out.past.Number()
	}
	return err
}

// apply runs the jobs, parks the chip, and reports.
func (o *judging) apply(ctx context.Context, c *chip, asked plan.Plan, out *output, passed map[string]bool) error {
	started := time.Now()
	start := c.run(asked)
	start.Exit, start.Tags = o.exitCode, o.tags
	if c.Recording != nil {
		start.Tags = c.Recording.Start.Tags
	}
	reportErr := out.all.Start(start)
	runner := driver.Runner{Transport: c, Tile: c.Tile, FailFast: o.failFast, Passed: passed, Wiring: c.badWires(" "),
		Report: func(r *driver.Result) {
			if err := out.result(r); err != nil && reportErr == nil {
				reportErr = err
			}
		}}
	tally, runErr := runner.RunIterations(ctx, asked.Iterations)
	if c.Recording != nil && c.Recording.Cut != "" && runErr == nil {
		runErr = fmt.Errorf("the recording is not whole: %s", c.Recording.Cut)
	}
	if err := c.Close(); err != nil && runErr == nil {
		runErr = fmt.Errorf("parking the chip: %w", err)
	}
	outcome := report.Outcome{Tally: tally, Elapsed: time.Since(started), Cause: out.cause,
		Interrupted: errors.Is(runErr, context.Canceled), Hint: o.hint(tally, c)}
	if runErr != nil && !outcome.Interrupted {
		outcome.Trouble = runErr.Error()
	}
	if err := out.end(outcome); err != nil && reportErr == nil {
		reportErr = err
	}
	if reportErr != nil {
		return benchFault(fmt.Errorf("writing the report: %w", reportErr))
	}
	if code := o.exitCode(outcome); code != exitPass {
		return &exit{code: code}
	}
	return nil
}

// exitCode is that of a run: what ended it before its time counts before the verdict.
func (o *judging) exitCode(of report.Outcome) int {
	switch {
	case of.Interrupted:
		return exitInterrupted
	case of.Trouble != "":
		return exitBench
	}
	return exitOf(of.Verdict(), o.strict)
}

// hint says what to look at next, and where the waveforms are, where there is something to say.
func (o *judging) hint(t *driver.Tally, c *chip) string {
	text := nextLook(t, c)
	if n := o.waves.Files(); n > 0 {
		text += fmt.Sprintf(" VCD files in %s: %d.", o.waves.Path, n)
	}
	return strings.TrimSpace(text)
}

// nextLook says what to look at next.
func nextLook(t *driver.Tally, c *chip) string {
	if c.broken != nil {
		return c.badWires("\n  ")
	}
	switch failed := t.Verdicts[driver.Fail]; {
	case failed == 0:
		return ""
	case t.OtherRevision == failed:
		other := c.Tile.Others()[0].Revision()
		return fmt.Sprintf("In every one of these vectors the chip answers exactly as a %[1]s chip does: it may be "+
			"one. Try --revision %[1]s.", other)
	}
	return c.injected()
}

// again judges a recording again and writes its report. That the run was not a PASS is no error.
func again(cmd *cobra.Command, w io.Writer, c *chip, o *judging) error {
	asked, err := new(selection).replayed(c)
	if err != nil {
		return err
	}
	var coded *exit
	if err := o.judge(cmd, w, c, asked, nil); !errors.As(err, &coded) || coded.err != nil ||
		coded.code == exitInterrupted {
		return err
	}
	return nil
}
