package main

import (
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"

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

// A trigger is what --trigger says.
type trigger struct{ station.Pulse }

// Set implements pflag.Value.
func (t *trigger) Set(text string) (err error) {
	t.Pulse, err = station.ParsePulse(text)
	return err
}

// Type implements pflag.Value.
func (t *trigger) Type() string { return "PIN[@STEP]" }

func (o *looping) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.loop, "loop", false, "repeat one vector until Ctrl-C, as for a scope, and say how often it fails")
	f.Var(&o.trigger, "trigger", "with --loop, on rp2040: pulse a free pin of the board's microcontroller before "+
		"this step of the vector, for a scope (default: the first that fails)")
}

// check refuses flags that a loop, which has no outputs, cannot use.
func (o *looping) check(cmd *cobra.Command) error {
	if !o.loop {
		if o.trigger.Pin != "" {
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

// run repeats the vector until the context ends, and says on a terminal how often it fails.
func (o *looping) run(ctx context.Context, cmd *cobra.Command, r *station.Run) error {
	var told time.Time
	v, err := r.Loop(ctx, cmd.OutOrStdout(), o.trigger.Pulse, func(l *station.Loop) {
		if l.Over && !told.IsZero() {
			terminal.Clear()
		} else if !l.Over && terminal.Obeys(os.Stderr) && time.Since(told) > 200*time.Millisecond {
			told = time.Now()
			terminal.Show(report.Share(l.Failed, l.Executions), "; Ctrl-C ends it")
		}
	})
	if err != nil {
		return err
	}
	return v.Err(r.Strict)
}
