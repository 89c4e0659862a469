package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/internal/settings"
	"utfbench/runs/compare"
	"utfbench/runs/identity"
	"utfbench/runs/plan"
	"utfbench/runs/record"
	"utfbench/station"
	"utfbench/tile"
)

// againOptions are the flags of bench again.
type againOptions struct {
	target    target
	run       station.Run
	tagged    tagging
	timeout   time.Duration
	noHistory bool
	changed   bool // the tile's sources, since the run
	judging
}

func newAgain(d *design) *cobra.Command {
	var o againOptions
	cmd := &cobra.Command{
		Use:   "again RUN",
		Short: "Repeat a run and compare the two",
		Long: `again asks the chip of a run for the same vectors as often as that run did, with its tags, and
compares the two as bench history compare does. A RUN brings its target along, flags and all, and
the chip has to be the same one still; -t, or another flag of the target, names another chip to
ask the same. If a tile's sources have changed, the new ones are run, and nothing is compared. The
exit code is that of the new run.

` + runWords,
		Example: `  bench again last
  bench again 3 --tag temp=85`,
		Args: takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.again(cmd, args[0]) },
	}
	o.target.flags(cmd, d)
	o.target.runs.flags(cmd, d)
	o.tagged.flags(cmd)
	f := cmd.Flags()
	f.BoolVar(&o.run.Strict, "strict", false, "exit with 6 when the run is FLAKY, and not with 1 as for a FAIL")
	f.DurationVar(&o.timeout, "timeout", 10*time.Minute, "limit for the whole run, which is an ERROR after it")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "a line for every vector, every failure in full")
	f.StringVar(&o.Record, "record", "", "write every step and sample of the new run to this file")
	f.BoolVar(&o.noHistory, "no-history", false, "do not enter the new run into the history; see bench history")
	return cmd
}

func (o *againOptions) again(cmd *cobra.Command, name string) error {
	if o.timeout <= 0 {
		return failure.Usagef("--timeout %s: has to be more than 0", o.timeout)
	}
	if err := settings.Unset(cmd.Flags().Lookup("tag")); err != nil { // the tags of bench.yaml are not those of the run
		return err
	}
	added, err := o.tagged.tags()
	if err != nil {
		return err
	}
	before, err := o.before(cmd, name)
	if err != nil {
		return err
	}
	defer before.Close()
	start := &before.Recording.Start
	if start.Against != "" {
		return failure.Usagef("%s was compared with %s: only bench run with --against can repeat it",
			name, start.Against)
	}
	same, err := o.target.bring(cmd, name, start)
	if err == nil {
		o.run.Asked, err = (&plan.Selection{Tile: before.Tile}).Again(before.Recording)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := o.target.ready(cmd); err != nil {
		return err
	}
	o.run.Target, o.run.Tags, o.run.Version = o.target.Target, start.Tags.Said().With(added), version()
	o.run.Grade = new(station.Grading)
	o.run.FailFast, o.run.NoWiring = o.run.Asked.Asked.FailFast, o.run.Asked.Asked.NoWiring
	o.run.See = func(c *station.Chip) string { return pasted(c, "wiring") }
	o.run.Wants = func(c *station.Chip) error { return o.still(c, name, &start.Identity, same) }
	ctx, cancel := context.WithTimeout(cmd.Context(), o.timeout)
	defer cancel()
	defer o.handIn(cmd, &o.target) // once the board is given back
	defer func() { tellLines(cmd.ErrOrStderr(), o.run.Close()) }()
	if err := o.target.openRun(ctx, cmd, &o.run, o.timeout); err != nil {
		return err
	}
	if err := o.run.Prepare(ctx); err != nil {
		return err
	}
	return o.judgeAndCompare(ctx, cmd, name, before)
}

// before opens the run, with the tile's new sources if they have changed since.
func (o *againOptions) before(cmd *cobra.Command, name string) (*station.Chip, error) {
	before, err := o.target.runs.recording(name)
	changed := (*station.OtherSources)(nil)
	if !errors.As(err, &changed) {
		return before, err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "the tile's sources have changed since (%s, now %s): the new ones are run, "+
		"and not compared with that run\n", changed.Was, changed.Is)
	o.changed = true
	return o.target.runs.compared(name, changed.Is)
}

// still returns why a chip cannot repeat a run.
func (o *againOptions) still(c *station.Chip, name string, recorded *identity.Identity, same bool) error {
	if c.Recording != nil {
		return failure.Usagef("-t replay: a recording cannot run again: give the chip, or use bench diff")
	}
	was := *recorded
	if o.changed {
		was.Revision = c.Tile.Revision()
	}
	if o.changed && c.Asked.Chipless() {
		was.Design, was.Sources = c.Asked.Design, c.Asked.Sources
	}
	if !same {
		return nil
	}
	return was.Still(name, c.Asked, c.Tile.Revision())
}

// judgeAndCompare runs the vectors and compares the two runs. It returns the run's verdict, or why they cannot be
// compared.
func (o *againOptions) judgeAndCompare(ctx context.Context, cmd *cobra.Command, name string,
	before *station.Chip) error {
	called := cmp.Or(o.Record, "again")
	if o.Record == "" {
		dir, err := os.MkdirTemp("", "bench-again-")
		if err != nil {
			return benchFault(err)
		}
		defer os.RemoveAll(dir)
		o.Record = filepath.Join(dir, "again.rec")
	}
	if !o.noHistory {
		o.enter(cmd, &o.target)
	}
	w := cmd.OutOrStdout()
	result := o.judge(ctx, cmd, w, &o.run)
	if err := unlessToldOf(result); err != nil || o.changed {
		return cmp.Or(err, result)
	}
	path, err := filepath.Abs(o.Record) // for a name like 5 is a run of the history
	if err != nil {
		return benchFault(err)
	}
	now, err := runFinder{design: o.target.design}.recording(path)
	if err != nil {
		return benchFault(err)
	}
	defer now.Close()
	both := &compare.Runs{Names: [2]string{name, called}, Verbose: o.verbose,
		Recordings: [2]*record.Recording{before.Recording, now.Recording},
		Tiles:      [2]tile.Tile{before.Tile, now.Tile}}
	if err := both.Append(w); err != nil {
		return benchFault(err)
	}
	return result
}
