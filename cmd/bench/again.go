package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
)

// againOptions are the flags of bench again.
type againOptions struct {
	target target
	run    station.Run
	tagged tagging
	judging
}

func newAgain(d *design) *cobra.Command {
	var o againOptions
	cmd := &cobra.Command{
		Use:   "again RUN",
		Short: "Repeat a run and compare the two",
		Long: `again runs the vectors of a run once more, as often and with the same tags, --samples, --strength
and --against, and compares the two as bench diff does. The target, too, is the run's, flags and
all, and has to be the same chip still; -t, or another flag of the target, names another chip. If a
tile's sources have changed, the new ones are run, and nothing is compared. The exit code is that of
the new run.

` + runWords,
		Example: `  bench again last
  bench again 3 --tag temp=85`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.again(cmd, args[0]) },
	}
	o.target.flags(cmd, d)
	o.target.runs.flags(cmd, d)
	o.tagged.flags(cmd)
	f := cmd.Flags()
	o.judging.flags(f, &o.run)
	f.StringVar(&o.Record, "record", "", "write every step and sample of the new run to this file")
	return cmd
}

func (o *againOptions) again(cmd *cobra.Command, name string) error {
	added, err := o.tagged.tags()
	if err != nil {
		return err
	}
	before, changed, err := o.before(cmd, name)
	if err != nil {
		return err
	}
	defer before.Close()
	start := &before.Recording.Start
	same, err := o.target.bring(cmd, name, start)
	if err != nil {
		return err
	}
	selected := plan.Selection{Tile: before.Tile}
	if start.Asked != nil {
		o.run.Against = station.Against(start.Asked.Against)
	}
	switch kind, of := o.run.Against.Kind(); {
	case kind != "" && !station.OwnRun(name): // whose author decides nothing that runs on this machine
		return failure.Usagef("%s was compared with %s: only bench run with --against can repeat it", name,
			start.Against)
	case kind == station.Replay().Name:
		reference, err := o.target.runs.recording(of)
		if err != nil {
			return fmt.Errorf("%s was compared with %s: %w", name, start.Against, err)
		}
		defer reference.Close()
		selected.From = reference.Recording
	}
	if o.run.Asked, err = selected.Again(before.Recording); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	o.run.Tags, o.run.Grade = start.Tags.Said(station.SpeedTags(start.Speed)).With(added), new(station.Grading)
	if o.target.Speed.At == "" {
		o.run.Samples = start.Samples
	}
	o.run.FailFast, o.run.NoWiring = o.run.Asked.Asked.FailFast, o.run.Asked.Asked.NoWiring
	o.run.Wants = func(c *station.Chip) error { return c.Repeats(name, start, same, changed) }
	record := o.Record
	var after report.Aftermath
	o.More = append(o.More, &after)
	return o.with(cmd, &o.target, &o.run, nil, func(ctx context.Context) (verdict error) {
		if changed {
			verdict = o.judge(ctx, cmd, cmd.OutOrStdout(), &o.run)
		} else {
			verdict = o.judgeAndCompare(ctx, cmd, name, before)
		}
		past := report.Past{Target: o.run.Chip.Target, Board: o.run.Chip.Wires,
			Recording: report.RecordedAs(o.RunNumber(), record, o.target.Transport, o.target.runs.DB)}
		o.next = past.AfterAgain(&after)
		return verdict
	})
}

// before opens the run, with the tile's new sources if they have changed since.
func (o *againOptions) before(cmd *cobra.Command, name string) (c *station.Chip, changed bool, err error) {
	c, err = o.target.runs.recording(name)
	other, changed := errors.AsType[*station.OtherSources](err)
	if changed {
		fmt.Fprintf(cmd.OutOrStdout(), "the tile's sources have changed since (%s, now %s): the new ones are run, "+
			"and not compared with that run\n", other.Was, other.Is)
		c, err = o.target.runs.compared(name, other.Is)
	}
	return c, changed, err
}

// judgeAndCompare runs the vectors and compares the two runs. It returns the run's verdict, or why they cannot be
// compared.
func (o *againOptions) judgeAndCompare(ctx context.Context, cmd *cobra.Command, name string,
	before *station.Chip) error {
	called := cmp.Or(o.Record, "again")
	if o.Record == "" {
		dir, err := os.MkdirTemp("", "bench-again-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		o.Record = filepath.Join(dir, "again.rec")
	}
	w := cmd.OutOrStdout()
	verdict := o.judge(ctx, cmd, w, &o.run)
	if err := unlessToldOf(verdict); err != nil {
		return err
	}
	path, err := filepath.Abs(o.Record) // for a name like 5 is a run of the history
	if err != nil {
		return err
	}
	now, err := runFinder{design: o.target.design}.recording(path)
	if err != nil {
		return benchFault(err)
	}
	defer now.Close()
	both := pair([2]string{name, called}, before, now)
	both.Verbose = o.verbose
	fmt.Fprintln(w)
	if _, err = both.Diff(w); err != nil {
		return benchFault(err)
	}
	return verdict
}
