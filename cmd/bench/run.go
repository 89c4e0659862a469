package main

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/internal/terminal"
	"utfbench/runs/next"
	"utfbench/station"
)

// runOptions are the flags of bench run.
type runOptions struct {
	target target
	station.Run
	timeout time.Duration
	against string

	noHistory, watch bool
	looped           looping
	tagged           tagging
	save             string
	judging
}

func newRun(d *design) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run vectors on a chip and show what differs",
		Long: `run asks a chip every vector, or those that are selected, and compares each step with the
reference: a model of the chip, or with --tile the tile's own gates. The last lines are the verdict, the number of the run in the history, and after a verdict that
is no PASS commands to go on with.

` + exitCodes + "\n\n" + environment(),
		Example: `  bench run
  bench run --fault uo3=stuck1
  bench run --suite chip --run 'utf16-le' --junit report.xml`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.target.flags(cmd, d)
	selectFlags(cmd.Flags(), &o.Vectors)
	acceptFlag(cmd.Flags(), &o.Vectors.AcceptWeak)
	o.tagged.flags(cmd)
	f := cmd.Flags()
	f.IntVar(&o.Count, "count", 1, "run everything this often; vectors that sometimes fail make the run FLAKY")
	f.IntVar(&o.Samples, "samples", 1, "sample each step this often: an output of which the samples differ is "+
		"unstable; the first vector that is FAIL is always run again like that")
	f.BoolVar(&o.Strict, "strict", false, "exit with 6 when the run is FLAKY, and not with 1 as for a FAIL")
	f.DurationVar(&o.timeout, "timeout", 10*time.Minute, "limit for the whole run, which is an ERROR after it")
	f.BoolVar(&o.FailFast, "fail-fast", false, "skip the rest after the first FAIL or ERROR")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "a line for every vector, every failure in full")
	f.StringVar(&o.JSON, "json", "", "write an event stream to this file, one JSON object a line; "+standardWords)
	f.StringVar(&o.Waves.Path, "vcd", "", "write waveforms to this folder, a VCD file for each vector that fails")
	f.StringVar(&o.against, "against", "", "what to compare with, "+station.AgainstKinds+
		": other Verilog of the same ports, "+
		"a recorded run of another chip, or only the vectors (default: the tile's own reference)")
	f.BoolVar(&o.NoWiring, "no-wiring", false, "do not check the wires first; see bench wiring")
	f.StringVar(&o.Resume, "resume", "", "resume an interrupted run: skip what passed in this event "+
		"stream, which --json wrote")
	f.StringVar(&o.Record, "record", "", "write every step and sample to this file, for -t replay:FILE, "+
		"bench diff and others")
	f.StringVar(&o.HTML, "html", "", "write a report to this file, one page with waveforms and what "+
		"explains the failures")
	f.BoolVar(&o.noHistory, "no-history", false, "do not enter the run into the history; see bench history")
	f.BoolVar(&o.watch, "watch", false, "show the run live in a browser of this machine; the address is "+
		"printed")
	o.Grade = new(station.Grading)
	f.BoolVar(&o.Grade.Off, "no-strength", false, "do not grade which faults of the tile's gates the run would "+
		"have shown")
	f.Float64Var(&o.Grade.Least, "strength", 0, "percent of the faults of the tile's gates that a PASS has to show; "+
		"below it the run is WEAK")
	f.StringVar(&o.save, "save", "", "write the fewest vectors of --explore that find as much to this file, and run "+
		"them; a later\nrun takes it by --file")
	o.looped.flags(cmd)
	o.target.runs.flags(cmd, d)
	f.StringVar(&o.JUnit, "junit", "", "write JUnit XML to this file; "+standardWords)
	f.BoolVar(&o.GitHub, "github", false, "tell a workflow of GitHub's: annotations among the text, and the job's "+
		"summary (GITHUB_STEP_SUMMARY)")
	return cmd
}

func (o *runOptions) check(cmd *cobra.Command) (err error) {
	if err := notEmpty(cmd, "json", "junit", "file", "suite", "board", "resume", "record", "vcd", "html", "db",
		"against"); err != nil {
		return err
	}
	if err := o.looped.check(cmd); err != nil {
		return err
	}
	if o.looped.loop && !cmd.Flags().Changed("timeout") {
		o.timeout = noTimeout
	}
	given := cmd.Flags().Changed
	switch {
	case o.Count < 1:
		return failure.Usagef("--count %d: has to be 1 or more", o.Count)
	case o.Samples < 1 || o.Samples > driver.MostSamples:
		return failure.Usagef("--samples %d: has to be 1 to %d", o.Samples, driver.MostSamples)
	case o.Samples > 1 && o.target.Speed.At != "":
		return failure.Usagef("--samples is for a run step by step: leave out --at, which samples each step once")
	case o.Count > 1 && o.Resume != "":
		return failure.Usagef("--resume is for a run of one iteration: leave out --count %d", o.Count)
	case o.timeout <= 0:
		return failure.Usagef("--timeout %s: has to be more than 0", o.timeout)
	case !o.Vectors.Explore.On && (o.save != "" || given("budget")):
		return failure.Usagef("--save and --budget go with --explore")
	}
	o.Tags, err = o.tagged.tags()
	return cmp.Or(err, o.Waves.Check())
}

func (o *runOptions) run(cmd *cobra.Command) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	o.target.offerBoard(cmd)
	o.Standard = standard(cmd, o.JSON, o.JUnit, o.HTML, o.Record)
	if err := o.target.ready(cmd); err != nil {
		return err
	}
	o.Target, o.Version, o.Run.Against = o.target.Target, version(), station.Against(o.against)
	o.See = func(c *station.Chip) string { return pasted(c, "wiring") }
	defer o.handIn(cmd, &o.target) // once the board is given back
	defer func() { tellLines(cmd.ErrOrStderr(), o.Close()) }()
	if err := o.plan(cmd); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), o.timeout)
	defer cancel()
	if err := o.target.openRun(ctx, cmd, &o.Run, o.timeout); err != nil {
		return err
	}
	if err := o.Prepare(ctx); err != nil {
		return err
	}
	if o.looped.loop {
		return o.looped.run(ctx, cmd, &o.Run)
	}
	if o.Chip.Recording == nil && !o.noHistory {
		o.enter(cmd, &o.target)
	}
	if o.watch {
		w, watched, err := watchRun(ctx, cmd, o.Chip, &o.target.runs)
		if err != nil {
			return err
		}
		defer w.close()
		ctx, o.More = watched, append(o.More, w)
	}
	return o.judgeAndGoOn(ctx, cmd)
}

// plan plans the run. With --explore that takes a while, and may be saved.
func (o *runOptions) plan(cmd *cobra.Command) (err error) {
	if k, _, err := o.Target.Kind(); err == nil && k.Recorded {
		const own = "its own vectors, and how often"
		for _, f := range [][2]string{{"count", own}, {"resume", own}, {"tag", "the tags of its run"}} {
			if cmd.Flags().Changed(f[0]) {
				return failure.Usagef("--%s does not go with replay: the recording has %s", f[0], f[1])
			}
		}
	}
	x := &o.Vectors.Explore
	if !x.On {
		return o.Plan(cmd.Context())
	}
	out := files.Set{Out: standard(cmd, o.save)}
	defer out.Discard()
	var file io.Writer
	if o.save != "" {
		if file, err = out.Create("--save", o.save, 0); err != nil {
			return err
		}
	}
	x.Compact = o.save != ""
	done := terminal.Working("looking for vectors that find what may be wrong")
	err = o.Plan(cmd.Context())
	done()
	if err != nil || file == nil {
		return err
	}
	if _, err := io.WriteString(file, x.Text()); err != nil {
		return benchFault(err)
	}
	return out.Commit()
}

// judgeAndGoOn judges, and says what to do next.
func (o *runOptions) judgeAndGoOn(ctx context.Context, cmd *cobra.Command) error {
	var after next.Aftermath
	o.More = append(o.More, &after)
	err := o.judge(ctx, cmd, cmd.OutOrStdout(), &o.Run)
	next.Write(cmd.OutOrStdout(), o.past(cmd).After(&after), printable.Command)
	if byDefault(cmd) && after.Whole() {
		next.WriteOffer(cmd.OutOrStdout(), findBoards(), printable.Command)
	}
	return err
}

// past returns the data for suggesting commands about this run.
func (o *runOptions) past(cmd *cobra.Command) *next.Run {
	c := o.Chip
	r := &next.Run{Target: c.Target, Given: map[string][]string{}, Board: c.Wires, Replayed: c.Recording != nil,
		Count: o.Count, Varies: c.Recording == nil && fault.ByChance(c.Faults),
		Shown: o.verbose && o.Asked.Vectors == 1}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed { // and not set by bench.yaml, which counts for the next command too
			r.Given[f.Name] = flagWords(f)
		}
	})
	if r.Replayed {
		r.Target = o.Target.Words()
	}
	r.Recording = next.Recorded(o.RunNumber(), o.Record, o.Target.Transport, o.target.runs.DB)
	return r
}
