package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/driver"
	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/runs/explain"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
)

// judging selects the outputs of a run. The zero value prints text.
type judging struct {
	native.Outputs
	design             *design
	verbose, noHistory bool
	timeout            time.Duration
	next               []report.Suggestion // commands to suggest at the end
}

func (o *judging) flags(f *pflag.FlagSet, r *station.Run) {
	timeoutFlag(f, &o.timeout, "limit for the whole run, which is an ERROR after it")
	verboseFlag(f, &o.verbose, "a line for every vector, every failure with more of its steps")
	noHistoryFlag(f, &o.noHistory)
}

func (o *judging) fileFlags(f *pflag.FlagSet) {
	for _, file := range o.Files() {
		f.StringVar(file.Path, file.Name, "", file.Help)
	}
}

func coverageFlags(cmd *cobra.Command, r *station.Run) {
	r.Grade = new(station.Grading)
	cmd.Flags().Float64Var(&r.Grade.MinPercent, "coverage", station.DefaultCoverage, "least `PERCENT` for a PASS")
}

// with plans, opens, prepares, judges and closes a run. If plan is nil, it calls r.Plan.
func (o *judging) with(cmd *cobra.Command, t *target, r *station.Run, plan func(context.Context) error,
	judge func(context.Context) error) error {
	if err := t.ready(cmd); err != nil {
		return err
	}
	o.design = t.design
	r.Target, r.Version, r.WiringCommand = t.Target, version(), (*station.Chip).WiringCommand
	if least := cmd.Flags().Lookup("coverage"); r.Grade != nil && least != nil {
		r.Grade.ThresholdRequired = least.Changed || cli.Origin(least) != ""
	}
	defer o.Discard()
	if err := o.Create(); err != nil {
		return err
	}
	defer func() { report.WriteSuggestions(cmd.OutOrStdout(), o.next) }()
	defer func() { writeLines(cmd.ErrOrStderr(), r.Close()) }()
	if plan == nil {
		plan = r.Plan
	}
	if err := plan(cmd.Context()); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(cmd.Context(), o.timeout, &driver.OvertimeError{Limit: o.timeout})
	defer cancel()
	done := t.ShowActivity("opening " + t.Transport)
	err := r.Open(ctx)
	done()
	if errors.Is(err, context.DeadlineExceeded) {
		err = benchFault(fmt.Errorf("%s were over before the chip was open: give a longer --timeout", o.timeout))
	}
	if err := t.opened(cmd, &r.Target, err); err != nil {
		return err
	}
	if err := r.Prepare(ctx); err != nil {
		return err
	}
	if r.Chip.Recording == nil && !o.noHistory {
		o.History = t.enterInto()
	}
	return judge(ctx)
}

// judge judges an open and prepared run, and writes the outputs that the user selected.
//
// Text and results go to standard output, and the progress bar to standard error. Colours appear only on a terminal
// that supports them, unless NO_COLOR is set.
func (o *judging) judge(ctx context.Context, cmd *cobra.Command, w io.Writer, r *station.Run,
	first ...report.Reporter) error {
	o.Text = &report.Text{Out: w, Verbose: o.verbose,
		Colour: o.design.progress.SupportsEscapes(w) && o.design.env.Getenv("NO_COLOR") == ""}
	r.Version, o.Context, o.NewPage = version(), cmd.Context(), explain.NewPage
	total, unit := r.VectorPlan.Vectors*r.VectorPlan.Count, "vectors"
	if r.VectorPlan.Count > 1 {
		unit = "executions"
	}
	if s := r.VectorPlan.Stream; s != nil {
		total, unit = s.Steps, "clocks"
	}
	b := &barred{Bar: o.design.progress.NewBar(total, unit), clocks: r.VectorPlan.Stream != nil, done: func() {}}
	outcome, err := o.Judge(ctx, r, append(report.Reporters{b}, first...))
	b.Bar.End()
	b.done()
	if err != nil {
		return err
	}
	if note := o.Note(); note != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s\n", note)
	}
	return outcome.Err()
}

// again judges a recording again, and writes its report. It returns no error if the run is not a PASS.
func again(cmd *cobra.Command, w io.Writer, c *station.Chip, o *judging) error {
	asked, err := c.PlanReplay(new(plan.Selection))
	if err != nil {
		return err
	}
	c.ApplyRecordedReference()
	r := &station.Run{Chip: c, VectorPlan: asked, Grade: new(station.Grading)}
	if end := c.Recording.End; end != nil {
		r.RecordedTime = time.Duration(end.Seconds * float64(time.Second))
	}
	err = o.judge(cmd.Context(), cmd, w, r)
	if failure.IsAlreadyPrinted(err) && cmd.Context().Err() == nil { // the recorded run was interrupted
		return nil
	}
	return err
}

// unlessPrinted returns err, or nil if a run that was not interrupted has already printed it with its verdict.
func unlessPrinted(err error) error {
	if failure.IsAlreadyPrinted(err) && failure.KindOf(err) != failure.Interrupted {
		return nil
	}
	return err
}

// barred is a reporter that shows the progress of a run as a bar.
type barred struct {
	report.ResultFunc
	*cli.Bar
	clocks bool   // the bar counts clocks instead of vectors
	done   func() // ends the activity that follows the run
}

func (b *barred) Result(r *driver.Result) error {
	if b.clocks && r.Vector.Line > 0 { // the reset is not a clock
		b.Add(r.Steps)
	} else if !b.clocks {
		b.Add(1)
	}
	return nil
}

// End implements report.Reporter. It announces the report of a failing run, which may take longer than the run.
func (b *barred) End(of report.Outcome) error {
	b.Bar.End()
	if of.Tally.Verdicts[driver.Fail] > 0 {
		b.done = b.ShowActivity("looking for what explains it")
	}
	return nil
}
