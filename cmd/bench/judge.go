package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/cause/cells"
	"utfbench/cause/shmoo"
	"utfbench/cause/timing"
	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/tags"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/runs/waveform"
	"utfbench/station"
	"utfbench/station/native"
)

// judging configures how a run is judged and reported. Its zero value prints text.
type judging struct {
	failFast  bool
	samples   int // of each step
	strict    bool
	strength  grading
	verbose   bool
	json      string
	junit     string
	github    bool
	record    string
	html      string
	shmoo     *shmoo.Grid    // for the page; nil when there is none
	timing    *timing.Report // likewise
	coverage  *cells.Report  // likewise
	inside    *cells.Located // likewise
	waves     waveform.Folder
	tags      tags.Set
	history   string     // to enter it into; "" is none
	due       string     // the lab that it is to be handed in to; "" is none
	standard  io.Writer  // for a file called files.Standard; nil if there is none
	number    int        // in the history, or once it is there; 0 is none
	reporters report.All // told of the run besides
}

// judge runs the vectors and writes all requested outputs.
func (o *judging) judge(ctx context.Context, cmd *cobra.Command, w io.Writer, c *station.Chip, asked plan.Plan,
	passed map[string]bool) error {
	out := newOutput(w, o.verbose, asked.Vectors*asked.Count)
	out.again, out.files.Out = o.number, o.standard
	defer out.files.Discard()
	if o.history != "" {
		out.remember(o.history, o.due, asked.Suites) // before the files, which tell its number
	}
	if err := out.open(o, c, asked.Suites); err != nil {
		return err
	}
	if o.github {
		done, err := out.workflow()
		if err != nil {
			return err
		}
		defer done()
	}
	out.all = append(out.all, o.reporters...)
	out.all = append(out.all, native.Followed(c)...)
	if asked.Count > 1 {
		out.bar.unit = "executions"
	}
	if err := o.waves.Open(); err != nil {
		return err
	}
	if o.waves.Path != "" {
		out.all = append(out.all, report.Each(o.waves.Result))
	}
	err := o.apply(ctx, c, asked, out, passed)
	out.note(cmd.ErrOrStderr())
	o.number = out.number()
	return err
}

// apply runs the jobs, parks the chip, and reports.
func (o *judging) apply(ctx context.Context, c *station.Chip, asked plan.Plan, out *output,
	passed map[string]bool) error {
	r := station.Run{Chip: c, Asked: asked, FailFast: o.failFast, Samples: o.samples, Passed: passed, Tags: o.tags,
		Version: version(), Exit: o.exitCode, Grade: o.strength.Attach,
		Hint: func(t *driver.Tally) string { return o.hint(t, c) }}
	told := out.cable(c)
	outcome, err := r.Judge(ctx, reported{out})
	told(outcome.Tally.Steps)
	if err != nil {
		return benchFault(fmt.Errorf("writing the report: %w", err))
	}
	return o.ended(outcome)
}

// reported is an output as a Reporter.
type reported struct{ *output }

func (to reported) Start(r report.Run) error      { return to.all.Start(r) }
func (to reported) Result(r *driver.Result) error { return to.result(r) }
func (to reported) End(o report.Outcome) error    { return to.end(o) }

// ended returns the error of a run that is no PASS. What ended it before its time counts before the verdict.
func (o *judging) ended(of report.Outcome) error {
	switch {
	case of.Interrupted:
		return failure.Told(failure.Interrupted)
	case of.Trouble != "":
		return failure.Told(failure.Bench)
	}
	return judgedBy(of.Verdict(), o.strict)
}

// exitCode returns the exit code of a run.
func (o *judging) exitCode(of report.Outcome) int { return codeOf(o.ended(of)) }

// hint says what to look at next, and where the waveforms are, where there is something to say.
func (o *judging) hint(t *driver.Tally, c *station.Chip) string {
	text := c.Look(t)
	if n := o.waves.Files(); n > 0 {
		text += fmt.Sprintf(" VCD files in %s: %d.", o.waves.Path, n)
	}
	return strings.TrimSpace(text)
}

// again judges a recording again and writes its report. That the run was not a PASS is no error.
func again(cmd *cobra.Command, w io.Writer, c *station.Chip, o *judging) error {
	asked, err := new(selection).replayed(c)
	if err != nil {
		return err
	}
	return unlessToldOf(o.judge(cmd.Context(), cmd, w, c, asked, nil))
}

// unlessToldOf returns the error of a run without a verdict; one with a verdict has been reported.
func unlessToldOf(err error) error {
	if failure.IsTold(err) && failure.KindOf(err) != failure.Interrupted {
		return nil
	}
	return err
}
