package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/cmdline"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/next"
	"utfbench/runs/plan"
	"utfbench/station"
)

// runOptions are the flags of bench run.
type runOptions struct {
	target   target
	selected selection
	count    int
	timeout  time.Duration
	resume   string
	against  string
	noWiring bool
	tagged   tagging

	noHistory bool
	watch     bool
	looped    looping
	save      string
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
	o.selected.flags(cmd, d)
	o.selected.acceptFlag(cmd)
	o.tagged.flags(cmd)
	f := cmd.Flags()
	f.IntVar(&o.count, "count", 1, "run everything this often; vectors that sometimes fail make the run FLAKY")
	f.IntVar(&o.samples, "samples", 1, "sample each step this often: an output of which the samples differ is "+
		"unstable; the first vector that is FAIL is always run again like that")
	f.BoolVar(&o.strict, "strict", false, "exit with 6 when the run is FLAKY, and not with 1 as for a FAIL")
	f.DurationVar(&o.timeout, "timeout", 10*time.Minute, "limit for the whole run, which is an ERROR after it")
	f.BoolVar(&o.failFast, "fail-fast", false, "skip the rest after the first FAIL or ERROR")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "a line for every vector, every failure in full")
	f.StringVar(&o.json, "json", "", "write an event stream to this file, one JSON object a line; "+standardWords)
	f.StringVar(&o.waves.Path, "vcd", "", "write waveforms to this folder, a VCD file for each vector that fails")
	f.StringVar(&o.against, "against", "", "what to compare with, "+station.AgainstKinds+
		": other Verilog of the same ports, "+
		"a recorded run of another chip, or only the vectors (default: the tile's own reference)")
	f.BoolVar(&o.noWiring, "no-wiring", false, "do not check the wires first; see bench wiring")
	f.StringVar(&o.resume, "resume", "", "resume an interrupted run: skip what passed in this event "+
		"stream, which --json wrote")
	f.StringVar(&o.record, "record", "", "write every step and sample to this file, for -t replay:FILE, "+
		"bench diff and others")
	f.StringVar(&o.html, "html", "", "write a report to this file, one page with waveforms and what "+
		"explains the failures")
	f.BoolVar(&o.noHistory, "no-history", false, "do not enter the run into the history; see bench history")
	f.BoolVar(&o.watch, "watch", false, "show the run live in a browser of this machine; the address is "+
		"printed")
	o.strength.flags(f)
	f.StringVar(&o.save, "save", "", "write the fewest vectors of --explore that find as much to this file, and run "+
		"them; a later\nrun takes it by --file")
	o.looped.flags(cmd)
	o.target.runs.flags(cmd, d)
	f.StringVar(&o.junit, "junit", "", "write JUnit XML to this file; "+standardWords)
	f.BoolVar(&o.github, "github", false, "tell a workflow of GitHub's: annotations among the text, and the job's "+
		"summary (GITHUB_STEP_SUMMARY)")
	return cmd
}

func (o *runOptions) check(cmd *cobra.Command) error {
	for _, name := range []string{"json", "junit", "file", "suite", "board", "resume", "record", "vcd", "html", "db",
		"against"} {
		if f := cmd.Flags().Lookup(name); f.Changed && strings.Trim(f.Value.String(), "[]") == "" {
			return failure.Usagef("--%s is empty: give it a value, or leave it out", name)
		}
	}
	if o.count < 1 {
		return failure.Usagef("--count %d: has to be 1 or more", o.count)
	}
	if o.samples < 1 || o.samples > driver.MostSamples {
		return failure.Usagef("--samples %d: has to be 1 to %d", o.samples, driver.MostSamples)
	}
	if o.samples > 1 && o.target.Speed.At != "" {
		return failure.Usagef("--samples is for a run step by step: leave out --at, which samples each step once")
	}
	if o.count > 1 && o.resume != "" {
		return failure.Usagef("--resume is for a run of one iteration: leave out --count "+
			"%d", o.count)
	}
	if err := o.looped.check(cmd); err != nil {
		return err
	}
	if o.looped.loop && !cmd.Flags().Changed("timeout") {
		o.timeout = noTimeout
	}
	if o.timeout <= 0 {
		return failure.Usagef("--timeout %s: has to be more than 0", o.timeout)
	}
	var err error
	if o.tags, err = o.tagged.tags(); err != nil {
		return err
	}
	return o.waves.Check()
}

func (o *runOptions) run(cmd *cobra.Command) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	o.target.offerBoard(cmd)
	o.selected.Seed = 1 // so that steps by chance are the same the next time
	if of, users := o.target.seeded(cmd); users {
		o.selected.Seed = of.Seed
	}
	o.standard = standard(cmd, o.json, o.junit, o.html, o.record)
	with, err := o.comparison(cmd)
	if err != nil {
		return err
	}
	defer with.Close()
	o.selected.From = with.Recording
	asked, err := o.explored(cmd)
	if err != nil {
		return err
	}
	asked.Asked.FailFast, asked.Asked.NoWiring = o.failFast, o.noWiring
	before, err := plan.ReadEarlier(o.resume)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), o.timeout)
	defer cancel()
	k, _, err := o.target.Kind()
	if err != nil {
		return err
	}
	if asked.Vectors == 0 && k.Name != "replay" { // before a board is opened; a recording says itself what it asked
		return o.selected.nothing()
	}
	c, err := o.target.open(ctx, cmd)
	if errors.Is(err, context.DeadlineExceeded) {
		return benchFault(fmt.Errorf("%s were over before the chip was open: a longer --timeout gives more: %w",
			o.timeout, err))
	}
	if err != nil {
		return err
	}
	defer o.handIn(cmd, &o.target) // once the board is given back
	defer leave(cmd, c)
	if c.Recording != nil {
		if asked, err = o.replayed(cmd, c); err != nil {
			return err
		}
	}
	if asked.Vectors == 0 {
		return o.selected.nothing()
	}
	if c.Wires && !o.noWiring {
		if err := vet(ctx, c); err != nil {
			return err
		}
	}
	if err := with.Lend(c); err != nil {
		return err
	}
	if err := o.strength.check(c.Tile); err != nil {
		return err
	}
	note, err := before.Fits(version(), c.Identity(asked.Digest))
	if err != nil {
		return err
	}
	if note != "" {
		c.Notes = append(c.Notes, note)
	}
	if o.looped.loop {
		return o.looped.run(ctx, cmd, c, asked, o.strict)
	}
	if o.history = o.historyFile(cmd, c); o.history != "" {
		o.due = dueAt(&o.target)
	}
	if o.watch {
		var w *watch
		if w, ctx, err = watchRun(ctx, cmd, c, &o.target.runs); err != nil {
			return err
		}
		defer w.close()
		o.reporters = append(o.reporters, w)
	}
	return o.judgeAndGoOn(ctx, cmd, c, asked, before.Passed)
}

// explored returns the plan. With --explore it takes a while to make, and may be saved.
func (o *runOptions) explored(cmd *cobra.Command) (asked plan.Plan, err error) {
	x := &o.selected.Explore
	if !x.On && (o.save != "" || cmd.Flags().Changed("budget")) {
		return asked, failure.Usagef("--save and --budget go with --explore")
	}
	if !x.On {
		return o.selected.Plan(o.count)
	}
	out := files.Set{Out: standard(cmd, o.save)}
	defer out.Discard()
	var file io.Writer
	if o.save != "" {
		if file, err = out.Create("--save", o.save, 0); err != nil {
			return asked, err
		}
	}
	x.Context, x.Compact = cmd.Context(), o.save != ""
	done := working("looking for vectors that find what may be wrong")
	asked, err = o.selected.Plan(o.count)
	done()
	if err != nil || file == nil {
		return asked, err
	}
	if _, err := io.WriteString(file, x.Text()); err != nil {
		return asked, benchFault(err)
	}
	return asked, out.Commit()
}

// comparison returns the reference of the chip.
func (o *runOptions) comparison(cmd *cobra.Command) (*station.Comparison, error) {
	if err := o.target.ready(cmd); err != nil {
		return nil, err
	}
	return o.target.Comparison(cmd.Context(), station.Against(o.against))
}

// judgeAndGoOn judges, and says what to do next.
func (o *runOptions) judgeAndGoOn(ctx context.Context, cmd *cobra.Command, c *station.Chip, asked plan.Plan,
	passed map[string]bool) error {
	var after next.Aftermath
	o.reporters = append(o.reporters, &after)
	err := o.judge(ctx, cmd, cmd.OutOrStdout(), c, asked, passed)
	past := o.pastRun(cmd, c)
	past.Shown = o.verbose && asked.Vectors == 1
	next.Write(cmd.OutOrStdout(), past.After(&after), cmdline.Line)
	if byDefault(cmd) && after.Whole() {
		next.WriteOffer(cmd.OutOrStdout(), findBoards(), cmdline.Line)
	}
	return err
}

// pastRun returns the data for suggesting commands about this run.
func (o *runOptions) pastRun(cmd *cobra.Command, c *station.Chip) *next.Run {
	r := &next.Run{Target: c.Target, Given: map[string][]string{}, Board: c.Wires, Replayed: c.Recording != nil,
		Count: o.count, Varies: c.Recording == nil && fault.ByChance(c.Faults)}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed { // and not set by bench.yaml, which counts for the next command too
			r.Given[f.Name] = cmdline.Flag(f)
		}
	})
	if r.Replayed {
		r.Target = targetWords(cmd)
	}
	r.Recording = next.Recorded(o.number, o.record, o.target.Transport, o.target.runs.DB)
	return r
}

// replayed returns the plan for a recording, which defines its own vectors and counts.
func (o *runOptions) replayed(cmd *cobra.Command, c *station.Chip) (plan.Plan, error) {
	for _, name := range []string{"count", "resume"} {
		if cmd.Flags().Changed(name) {
			return plan.Plan{}, failure.Usagef("--%s does not go with replay: the recording has its own vectors, and "+
				"how often",
				name)
		}
	}
	if cmd.Flags().Changed("tag") {
		return plan.Plan{}, failure.Usagef("--tag does not go with replay: the recording has the tags of its run")
	}
	return o.selected.replayed(c)
}

// historyFile returns the history to enter the run into, or "".
func (o *runOptions) historyFile(cmd *cobra.Command, c *station.Chip) string {
	if c.Recording != nil || o.noHistory {
		return ""
	}
	return o.target.runs.enterInto(cmd)
}
