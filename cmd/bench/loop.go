package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/driver/loop"
	"utfbench/internal/failure"
	"utfbench/internal/terminal"
	"utfbench/runs/report"
	"utfbench/station"
)

// looping is what --loop and --trigger say.
type looping struct {
	loop    bool
	trigger trigger
}

func (o *looping) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.loop, "loop", false, "repeat one vector until Ctrl-C, as for a scope, and say how often it fails")
	f.Var(&o.trigger, "trigger", "with --loop, on rp2040: pulse a free pin of the board's microcontroller before "+
		"this step of the vector, for a scope (default: the first that fails)")
}

// check refuses flags that a loop, which has no outputs, cannot use.
func (o *looping) check(cmd *cobra.Command) error {
	if !o.loop {
		if o.trigger.pin != "" {
			return failure.Usagef("--trigger pulses at a step of one vector that is repeated, as a scope needs it: " +
				"give " +
				"--loop too")
		}
		return nil
	}
	for _, name := range []string{"count", "json", "junit", "github", "html", "record", "vcd", "resume", "watch"} {
		if cmd.Flags().Changed(name) {
			return failure.Usagef("--%s does not go with --loop, which has no end and keeps nothing", name)
		}
	}
	return nil
}

// noTimeout is longer than anybody waits.
const noTimeout = 1000 * time.Hour

// run runs the vector until the context ends, and sums up. That it was stopped is no error.
func (o *looping) run(ctx context.Context, cmd *cobra.Command, r *station.Run) error {
	c := r.Chip
	job, err := r.Asked.One()
	if err != nil {
		return err
	}
	if c.Broken != nil {
		return failure.New(failure.Wire, errors.New(c.BadWires(" ")))
	}
	if only := job.Vector.Revision; only != "" && only != c.Tile.Revision() {
		return failure.Newf(failure.Nothing, "%s holds for %s only, and the chip is taken for %s: --revision %s takes "+
			"it for that", job.Vector.Name, only, c.Tile.Revision(), only)
	}
	began, out, name := time.Now(), cmd.OutOrStdout(), job.Vector.Name
	l := loop.Loop{Transport: c.Transport, Tile: c.Tile, Job: job}
	pin, err := o.trigger.take(cmd, c, &l)
	if err != nil {
		return err
	}
	l.First = func(res *driver.Result) {
		fmt.Fprintf(out, "%s fails at its execution %d:\n", name, l.Executions)
		for _, line := range report.Explain(res) {
			fmt.Fprintf(out, "        %s\n", line)
		}
		if pin != "" && o.trigger.step == 0 {
			fmt.Fprintln(out, pulses(pin, l.Trigger.At, len(job.Vector.Steps)))
		}
	}
	end := showLoop(&l)
	err = l.Run(ctx)
	end()
	if err != nil {
		return benchFault(err)
	}
	if err := c.Close(); err != nil {
		return benchFault(fmt.Errorf("parking the chip: %w", err))
	}
	v := l.Verdict()
	switch {
	case v == driver.Skipped && l.Trouble != "" && !errors.Is(ctx.Err(), context.Canceled):
		return benchFault(errors.New(l.Trouble))
	case v == driver.Skipped:
		return failure.Newf(failure.Interrupted, "stopped before the first execution was answered")
	}
	fmt.Fprintf(out, "%-5s %s: %s, in %s\n", v, name, report.Share(l.Failed, l.Executions),
		time.Since(began).Round(100*time.Millisecond))
	if idle := report.IdleFaults(c.IdleFaults()); idle != "" {
		fmt.Fprintln(out, idle)
	}
	if pin != "" && l.Trigger.At < 0 {
		fmt.Fprintf(out, "%s was not pulsed, since no step failed: --trigger %[1]s@STEP says at which\n", pin)
	}
	if doubt := c.Doubt(); doubt != "" && v == driver.Pass {
		fmt.Fprintf(out, "WEAK  this is no PASS of the chip: %s\n", doubt)
		v = driver.Weak
	}
	return v.Err(r.Strict)
}

// showLoop says on a terminal how often the vector fails, until end is called.
func showLoop(l *loop.Loop) (end func()) {
	if !terminal.Obeys(os.Stderr) {
		return func() {}
	}
	var told time.Time
	l.Judged = func() {
		if time.Since(told) > 200*time.Millisecond {
			told = time.Now()
			terminal.Show(report.Share(l.Failed, l.Executions), "; Ctrl-C ends it")
		}
	}
	return terminal.Clear
}
