package main

import (
	"fmt"
	"os"
	"sync/atomic"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/explain"
	"utfbench/runs/report"
	"utfbench/station"
)

type minimiseOptions struct {
	target   target
	selected selection
	explain.Minimisation
	chip *report.Identity // the required chip; nil for any
}

func newMinimise(d *design) *cobra.Command {
	var o minimiseOptions
	cmd := &cobra.Command{
		Use:   "minimise VECTOR|RUN",
		Short: "Find a minimal sequence that still fails",
		Long: `minimise tries ever shorter and simpler sequences on the chip itself, until none without a step of it,
or with one simpler step, differs from the reference any more. It starts from a vector, or from the first
FAIL of a run that fails again (of five), and writes a vector for bench run --file. A RUN brings its
target along, and the chip has to be the same one still; -t names another target.

Exit codes: 0 a sequence was found, 3 the failure is by chance, or --timeout was over, 5 there is nothing to
minimise. After 3 and 130 the shortest so far is written. ` + runWords,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.start(cmd, args[0]); err != nil {
				return err
			}
			return o.target.withChip(cmd, func(c *station.Chip) error { return o.run(cmd, c, args[0]) })
		},
	}
	o.target.flags(cmd, d)
	f := cmd.Flags()
	o.selected.design = d
	fileFlag(f, &o.selected.Selection)
	f.StringVar(&o.OutFile, "out", "", "write the vector to this file (default: standard output)")
	timeoutFlag(f, &o.Timeout, "stop after this long with the shortest so far")
	return cmd
}

// start sets o.Starts, and checks that the result can be written. A RUN sets the target if none is given.
func (o *minimiseOptions) start(cmd *cobra.Command, name string) error {
	number, err := o.target.runs.Number(name)
	if err != nil {
		return err
	}
	if _, serr := os.Stat(name); serr != nil && number == 0 {
		var job driver.Job
		if job, err = o.selected.of().Find(name); err == nil {
			o.Starts = []report.Execution{{Vector: name, Steps: job.Vector.Steps}}
		}
	} else {
		err = o.recorded(cmd, name)
	}
	if err != nil {
		return err
	}
	for _, e := range o.Starts {
		if err := o.target.Tile.Lint(e.Steps); err != nil {
			return benchFault(fmt.Errorf("%s: %w", e.Vector, err))
		}
	}
	var out files.Set
	defer out.Discard()
	if o.OutFile != "" {
		_, err = out.Create("--out", o.OutFile, 0)
	}
	return err
}

func (o *minimiseOptions) recorded(cmd *cobra.Command, name string) error {
	c, err := o.target.recording(name)
	if err != nil {
		return err
	}
	defer c.Close()
	o.Starts, err = c.Recording.FirstExecutions(driver.Fail, 5)
	switch {
	case err != nil:
		return benchFault(err)
	case o.Starts == nil:
		return failure.Newf(failure.Nothing, "%s has no execution that is FAIL, so there is nothing to minimise", name)
	}
	same, err := o.target.takeRecorded(cmd, name, &c.Recording.Start)
	o.ReferenceName = c.Recording.Start.ReferenceName
	if same {
		o.chip = &c.Recording.Start.Identity
	}
	o.Advice = fmt.Sprintf("; %s looks for what explains it",
		printable.Command(append([]string{"diagnose"}, o.target.runs.StableNames([]string{name})...)...))
	return err
}

func (o *minimiseOptions) run(cmd *cobra.Command, c *station.Chip, name string) error {
	if o.chip != nil {
		if err := o.chip.CheckSame(name, c.Info, c.Tile.Revision()); err != nil {
			return err
		}
	}
	var left, applied atomic.Int64
	left.Store(int64(len(o.Starts[0].Steps)))
	o.Progress = func(l, a int) { left.Store(int64(l)); applied.Store(int64(a)) }
	defer o.target.progress.ShowActivityFunc(func() string {
		return fmt.Sprintf("%d steps left; the search has applied %d", left.Load(), applied.Load())
	})()
	chip := explain.FailingChip{Transport: c.Transport, Tile: c.Tile, Command: c.CommandArgs}
	return o.Run(cmd.Context(), &chip, cmd.OutOrStdout())
}
