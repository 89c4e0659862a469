package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/driver"
	"utfbench/internal/cli"
	"utfbench/runs/explain"
	"utfbench/runs/report"
	"utfbench/tile"
)

type coverageOptions struct {
	selected selection
	revision string
	recorded []string // target of the recorded run
	explain.Coverage
}

func newCoverage(d *design) *cobra.Command {
	var o coverageOptions
	cmd := &cobra.Command{
		Use:   "coverage [RUN]",
		Short: "List the faults that a run would have missed",
		Long: `coverage puts a stuck-at fault into each pin of each cell of a tile, and counts those that the vectors
show at a compared output, and lists the others by signal; docs/coverage.md explains them. All count,
where bench run takes a sample. With RUN it takes the steps of a run. ` + runWords + `

Exit codes: 0 the vectors are graded; 3 the netlist is not this tile's, or the bench could not find out; 5
nothing was selected.`,
		Example: `  bench coverage last --tile .
  bench coverage --netlist tt09.v`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.selected.flags(cmd, d)
	f := cmd.Flags()
	netlistFlag(f, &o.Netlist)
	f.StringVar(&o.revision, "revision", "", "the netlist's `REVISION` (default: the newest, or that of the RUN)")
	f.Uint64Var(&o.selected.Seed, "seed", 1, "seed for --random and --mutants")
	f.Var(cli.Between(&o.Mutants, 0, 0, 10_000), "mutants", "grade N mutations of the RTL, too; see --seed")
	f.StringVar(&o.JSON, "json", "", "write all of it to this file, for other programs; "+standardWords)
	verboseFlag(f, &o.Verbose, "list faults not found, a netlist's as --fault cell: takes them, RTL's by Yosys' names")
	return cmd
}

func (o *coverageOptions) run(cmd *cobra.Command, args []string) error {
	o.Out, o.Head, o.Seed = standard(cmd, o.JSON), head(), o.selected.Seed
	o.ShowActivity = o.selected.design.progress.ShowActivity
	defer o.Discard()
	of, err := o.Grade(cmd.Context(), cmd.OutOrStdout(), func() (tile.Tile, []driver.Job, error) {
		return o.jobs(cmd, args)
	})
	if err == nil && of.Found < of.Faults && !o.Verbose {
		report.WriteSuggestions(cmd.OutOrStdout(), o.next(cmd, args, of.IsMostlyUnknown()))
	}
	return err
}

// next suggests commands: one lists the undetected faults; one searches for vectors that detect them, unless a search
// made the vectors or no vector can detect them.
func (o *coverageOptions) next(cmd *cobra.Command, args []string, hopeless bool) []report.Suggestion {
	words := append([]string{"coverage"}, args...)
	cmd.Flags().Visit(func(f *pflag.Flag) { words = append(words, cli.FlagArgs(f)...) })
	all := []report.Suggestion{{Args: append(words, "-v"), Purpose: "each fault that is not found"}}
	if tile := o.selected.design.TileName; tile != "" && o.Netlist == "" && !hopeless && !o.Searched {
		if o.recorded == nil || slices.Contains(o.recorded, "--fault") { // every vector would find the injected fault
			o.recorded = []string{"--tile", tile}
		}
		all = append(all, report.Suggestion{Args: slices.Concat([]string{"explore"}, o.recorded,
			[]string{"--save", "explored.vec"}), Purpose: "searches for vectors that find them"})
	}
	return all
}

// jobs returns the selected vectors, or the vectors of a run's selected executions, and their tile.
func (o *coverageOptions) jobs(cmd *cobra.Command, args []string) (tile.Tile, []driver.Job, error) {
	if len(args) == 0 {
		t, err := tile.WithRevision(o.selected.design.Tile, o.revision)
		if err != nil {
			return nil, nil, err
		}
		jobs, err := o.selected.jobs(cmd.Context())
		return t, jobs, err
	}
	err := refuse(cmd, "a RUN: the recording has its own vectors", "file", "random", "seed", "revision")
	if err != nil {
		return nil, nil, err
	}
	c, err := o.selected.design.recording(args[0])
	if err != nil {
		return nil, nil, err
	}
	defer c.Close()
	o.recorded = c.Recording.Start.Target
	p, err := c.PlanReplay(&o.selected.Selection)
	if err != nil {
		return nil, nil, err
	}
	o.Recording = c.Recording
	return c.Tile, p.DistinctJobs(), nil
}
