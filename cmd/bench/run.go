package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/driver/plan"
	"utfbench/report"
	"utfbench/shmoo"
	"utfbench/waveform"
)

// runOptions are the flags of bench run.
type runOptions struct {
	target   target
	selected selection
	count    int
	timeout  time.Duration
	failFast bool
	verbose  bool
	json     string
	junit    string
	resume   string
	noWiring bool
	record   string
	strict   bool
	waves    waveform.Folder
	html     string
	shmoo    *shmoo.Grid // for the page; nil when there is none

	noHistory bool
	also      report.All // told of the run besides
}

func newRun() *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the vectors against a chip and say what differs",
		Example: `  bench run
  bench run --fault uo3=stuck1
  bench run --suite chip --run 'utf16-le' --junit report.xml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.target.flags(cmd)
	o.selected.flags(cmd)
	f := cmd.Flags()
	f.IntVar(&o.count, "count", 1, "run everything this often; vectors that sometimes fail make the run FLAKY")
	f.BoolVar(&o.strict, "strict", false, "exit with 6 when the run is FLAKY, and not with 1 as for a FAIL")
	f.DurationVar(&o.timeout, "timeout", 10*time.Minute, "for the whole run; what is not answered by then is an ERROR")
	f.BoolVar(&o.failFast, "fail-fast", false, "skip the rest after the first FAIL or ERROR")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "a line for every vector, every failure in full")
	f.StringVar(&o.json, "json", "", "write an event stream to this file, one JSON object a line")
	f.StringVar(&o.waves.Path, "vcd", "", "write waveforms to this folder, a VCD file for each vector that fails")
	f.BoolVar(&o.noWiring, "no-wiring", false, "do not check the wires first; see bench wiring")
	f.StringVar(&o.resume, "resume", "", "go on with a run that was cut short: leave out what passed in this event stream, which --json wrote")
	f.StringVar(&o.record, "record", "", "write every step and sample to this file, for -t replay:FILE, bench diff and others")
	f.StringVar(&o.html, "html", "", "write a report to this file, one page with waveforms and what explains the failures")
	f.BoolVar(&o.noHistory, "no-history", false, "do not enter the run into the history; see bench history")
	o.target.runs.flags(cmd)
	f.StringVar(&o.junit, "junit", "", "write JUnit XML to this file")
	return cmd
}

func (o *runOptions) check(cmd *cobra.Command) error {
	for _, name := range []string{"json", "junit", "file", "suite", "board", "resume", "record", "vcd", "html", "db"} {
		if f := cmd.Flags().Lookup(name); f.Changed && strings.Trim(f.Value.String(), "[]") == "" {
			return fmt.Errorf("--%s is empty: give it a value, or leave it out", name)
		}
	}
	if o.count < 1 {
		return fmt.Errorf("--count %d: has to be 1 or more", o.count)
	}
	if o.count > 1 && o.resume != "" {
		return fmt.Errorf("--resume goes on with a run of one round, so it does not go with --count %d", o.count)
	}
	if o.timeout <= 0 {
		return fmt.Errorf("--timeout %s: has to be more than 0", o.timeout)
	}
	return o.waves.Check()
}

func (o *runOptions) run(cmd *cobra.Command) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	asked, err := o.selected.Plan(o.count)
	if err != nil {
		return err
	}
	before, err := loadResume(o.resume)
	if err != nil {
		return err
	}
	if err := fromEnvironment(cmd); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), o.timeout)
	defer cancel()
	cmd.SetContext(ctx)
	k, _, err := o.target.Kind()
	if err != nil {
		return err
	}
	if asked.Vectors == 0 && k.Name != "replay" { // before a board is opened; a recording says itself what it asked
		return errNothing
	}
	c, err := o.target.open(cmd)
	if errors.Is(err, context.DeadlineExceeded) {
		return benchFault(fmt.Errorf("--timeout %s was over before the chip was open: %w", o.timeout, err))
	}
	if err != nil {
		return err
	}
	defer c.leave()
	if c.Recording != nil {
		if asked, err = o.replayed(cmd, c); err != nil {
			return err
		}
	}
	if asked.Vectors == 0 {
		return errNothing
	}
	if err := before.fits(c, asked); err != nil {
		return err
	}
	if c.Wires && !o.noWiring {
		if err := c.checkWires(cmd.Context()); err != nil {
			return err
		}
	}
	return o.judge(cmd, cmd.OutOrStdout(), c, asked, before.passed)
}

// judge runs what is asked and writes all that was wanted of it.
func (o *runOptions) judge(cmd *cobra.Command, w io.Writer, c *chip, asked plan.Plan, passed map[string]bool) error {
	out := newOutput(w, o.verbose, asked.Vectors*asked.Count)
	defer out.discard()
	if err := out.open(o.json, o.junit); err != nil {
		return err
	}
	out.all = append(out.all, o.also...)
	if asked.Count > 1 {
		out.unit = "passes"
		out.correlate()
	}
	if err := o.waves.Open(); err != nil {
		return err
	}
	if o.waves.Path != "" {
		out.all = append(out.all, report.Each(o.waves.Result))
	}
	if err := out.page(o.html, c, o.shmoo); err != nil {
		return err
	}
	if err := out.record(o.record, asked.Suites); err != nil {
		return err
	}
	o.remember(cmd, c, asked, out)
	err := o.apply(cmd.Context(), c, asked, out, passed)
	out.note(cmd.ErrOrStderr())
	return err
}

// replayed is the plan for a recording, which says itself what was asked how often.
func (o *runOptions) replayed(cmd *cobra.Command, c *chip) (plan.Plan, error) {
	for _, name := range []string{"count", "resume"} {
		if cmd.Flags().Changed(name) {
			return plan.Plan{}, fmt.Errorf("--%s does not go with replay: the recording says what was asked how often", name)
		}
	}
	return o.selected.replayed(c)
}

// apply runs the jobs, parks the chip, and reports.
func (o *runOptions) apply(ctx context.Context, c *chip, asked plan.Plan, out *output, passed map[string]bool) error {
	started := time.Now()
	start := c.run(asked)
	start.Exit = o.exitCode
	reportErr := out.all.Start(start)
	runner := driver.Runner{Transport: c, Revision: c.Revision, FailFast: o.failFast, Passed: passed, Wiring: c.badWires(" "),
		Report: func(r *driver.Result) {
			if err := out.result(r); err != nil && reportErr == nil {
				reportErr = err
			}
		}}
	tally, runErr := runner.RunRounds(ctx, asked.Rounds)
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
func (o *runOptions) exitCode(of report.Outcome) int {
	switch {
	case of.Interrupted:
		return exitInterrupted
	case of.Trouble != "":
		return exitBench
	}
	return exitOf(of.Verdict(), o.strict)
}

// hint says what to look at next, and where the waveforms are, where there is something to say.
func (o *runOptions) hint(t *driver.Tally, c *chip) string {
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
	failed := t.Verdicts[driver.Fail]
	if failed > 0 && t.OtherRevision == failed {
		other := c.Revision.Other()
		return fmt.Sprintf("In every one of these vectors the chip answers exactly as a %s chip does: it may be one. Try --revision %s.", other, other)
	}
	if failed > 0 && len(c.Faults) > 0 {
		return fmt.Sprintf("Faults were injected; with --seed %d they act the same way again.", c.Seed)
	}
	return ""
}
