package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
)

// chosen lists the flags for selecting and judging vectors. A repeated run uses the recorded run's values.
var chosen = []string{"accept-weak", "no-reference", "count", "file", "no-wiring", "random", "run", "coverage", "suite"}

// repeat repeats a run and compares the two runs. The target is the run's unless a flag names another.
func (o *runOptions) repeat(cmd *cobra.Command, name string) error {
	err := refuse(cmd, "--again: the vectors are those of the run, and so is how they are judged", chosen...)
	if err != nil {
		return err
	}
	added, err := parseTags(o.tagTexts)
	if err != nil {
		return err
	}
	before, changed, err := o.before(cmd, name)
	if err != nil {
		return err
	}
	defer before.Close()
	start := &before.Recording.Start
	same, err := o.target.takeRecorded(cmd, name, start)
	if err != nil {
		return err
	}
	selected := plan.Selection{Tile: before.Tile}
	o.target.NoReference = start.Invocation != nil && start.Invocation.NoReference
	if o.VectorPlan, err = station.PlanAgain(&selected, before.Recording); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	o.Tags, o.Grade = start.Tags.WithoutMeasured(station.SpeedTags(start.Speed)).With(added), new(station.Grading)
	o.NoWiring = o.VectorPlan.Invocation.NoWiring
	o.RefuseChip = func(c *station.Chip) error { return c.CheckRepeatable(name, start, same, changed) }
	record := o.Record
	var after report.SuggestionCollector
	o.Reporters = append(o.Reporters, &after)
	return o.with(cmd, &o.target, &o.Run, nil, func(ctx context.Context) (verdict error) {
		if changed {
			verdict = o.judge(ctx, cmd, cmd.OutOrStdout(), &o.Run)
		} else {
			verdict = o.judgeAndCompare(ctx, cmd, name, before)
		}
		past := report.PastRun{TargetArgs: o.Chip.TargetArgs, HasWires: o.Chip.HasWires,
			RecordingArgs: report.RunArgument(o.RunNumber(), record, o.target.Transport)}
		o.next = past.SuggestAfterAgain(&after)
		return verdict
	})
}

// before opens the recorded run, with the tile's new sources if they have changed since.
func (o *runOptions) before(cmd *cobra.Command, name string) (c *station.Chip, changed bool, err error) {
	c, err = o.target.recording(name)
	other, changed := errors.AsType[*station.OtherSourcesError](err)
	if changed {
		fmt.Fprintf(cmd.OutOrStdout(), "the tile's sources have changed since (%s, now %s): the new ones are run, "+
			"and not compared with that run\n", other.Recorded, other.Current)
		c, err = o.target.compared(name, other.Current)
	}
	return c, changed, err
}

// judgeAndCompare runs the vectors and compares both runs. Its error is the verdict, or why they cannot be compared.
func (o *runOptions) judgeAndCompare(ctx context.Context, cmd *cobra.Command, name string, before *station.Chip) error {
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
	verdict := o.judge(ctx, cmd, w, &o.Run)
	if err := unlessPrinted(verdict); err != nil {
		return err
	}
	path, err := filepath.Abs(o.Record) // a name such as 5 is a run in the history
	if err != nil {
		return err
	}
	now, err := o.target.recording(path)
	if err != nil {
		return benchFault(err)
	}
	defer now.Close()
	both := pair([2]string{name, called}, before, now)
	both.Verbose = o.verbose
	fmt.Fprintln(w)
	if _, err = both.WriteText(w); err != nil {
		return benchFault(err)
	}
	return verdict
}
