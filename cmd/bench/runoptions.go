package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
)

type runOptions struct {
	target target
	station.Run
	tagTexts []string
	save     string // file for the vectors of a search
	repeats  string // the RUN of --again, or ""
	judging
}

func (o *runOptions) judgingFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Var(cli.AtLeast(&o.Count, 1, 1), "count", "run everything N times")
	o.judging.flags(f, &o.Run)
	noReferenceFlag(f, &o.target.NoReference)
	noWiringFlag(f, &o.NoWiring)
	coverageFlags(cmd, &o.Run)
}

func (o *runOptions) outputFlags(f *pflag.FlagSet) {
	o.fileFlags(f)
	f.StringVar(&o.Waves.Path, "vcd", "", "write a VCD file for each vector that fails to this `FOLDER`")
}

func (o *runOptions) check(cmd *cobra.Command) (err error) {
	if o.Vectors.RandomSteps > 0 && o.target.NoReference {
		return failure.Usagef("--random steps expect nothing, so --no-reference leaves nothing to compare: give " +
			"vectors with expected levels by --file, or leave out --no-reference")
	}
	if k, _, kerr := o.target.FindKind(); kerr == nil && k.Recorded {
		err = cmp.Or(err, refuse(cmd, "replay: the recording has its own vectors, and how often", "count", "random"),
			refuse(cmd, "replay: the recording has the tags of its run", "tag"))
	}
	said, terr := parseTags(o.tagTexts)
	o.Tags = said
	return cmp.Or(err, terr, o.Waves.Check())
}

func (o *runOptions) run(cmd *cobra.Command) error {
	env := o.target.env
	o.GitHub, o.GitHubSummary = env.Getenv("GITHUB_ACTIONS") == "true", env.Path(env.Getenv("GITHUB_STEP_SUMMARY"))
	o.Stdout = standard(cmd, o.Paths()...)
	if o.repeats != "" {
		return o.repeat(cmd, o.repeats)
	}
	if err := o.check(cmd); err != nil {
		return err
	}
	if len(o.target.others) > 0 {
		return o.several(cmd)
	}
	plan := o.Plan
	if o.Explore.Enabled {
		out := standard(cmd, o.save)
		plan = func(ctx context.Context) error {
			return native.PlanSearched(ctx, cmd.OutOrStdout(), &o.Run, out, o.target.ShowActivity)
		}
	}
	var after report.SuggestionCollector
	o.Reporters = append(o.Reporters, &after)
	return o.with(cmd, &o.target, &o.Run, plan, func(ctx context.Context) error {
		err := o.judge(ctx, cmd, cmd.OutOrStdout(), &o.Run)
		o.next = o.past(cmd).Suggest(&after)
		if byDefault(cmd) && after.IsComplete() {
			native.WriteBoardOffer(cmd.OutOrStdout(), o.target.boards())
		}
		return err
	})
}

// past returns the data that determines the commands to suggest after this run.
func (o *runOptions) past(cmd *cobra.Command) *report.PastRun {
	c := o.Chip
	r := &report.PastRun{TargetArgs: c.TargetArgs, GivenFlags: map[string][]string{}, HasWires: c.HasWires,
		Replayed: c.Recording != nil, Iterations: o.Count, RandomFaults: c.SeedNote() != "",
		ShownInFull: o.verbose && o.VectorPlan.Vectors == 1, DoubtfulSources: o.target.design.doubtful(),
		Simulated: c.Info.Simulated() && o.Target.Transport == c.Info.Kind}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed { // not by bench.yaml, which also applies to the next command
			r.GivenFlags[f.Name] = cli.FlagArgs(f)
		}
	})
	if o.Explore.Enabled {
		r.GivenFlags["file"] = []string{"--file", o.save}
	}
	if all := o.Vectors; !all.SelectsAll() && !o.Explore.Enabled && !r.Replayed {
		all.Match, all.Suites = "", nil
		if jobs, err := all.Jobs(); err == nil && len(jobs) > o.VectorPlan.Vectors {
			r.AllVectors = len(jobs)
		}
	}
	if r.Replayed {
		r.TargetArgs = o.Target.Args()
	}
	r.RecordingArgs = report.RunArgument(o.RunNumber(), o.Record, o.Target.Transport)
	if name := o.Target.TileName; name != "" && r.RecordingArgs != nil && !station.IsOwnRun(r.RecordingArgs[0]) {
		r.RecordingArgs = append(r.RecordingArgs, "--tile", name) // a file does not determine the tile
	}
	return r
}
