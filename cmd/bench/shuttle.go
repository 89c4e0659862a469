package main

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/station/survey"
	"utfbench/tile/pack"
)

type shuttleOptions struct {
	target     target
	pack, only string
	json, html string
	resume     string
	survey.Survey
}

func newShuttle(d *design) *cobra.Command {
	var o shuttleOptions
	cmd := &cobra.Command{
		Use:   "shuttle",
		Short: "Test every design of a shuttle on one chip",
		Long: `shuttle selects the designs of a pack one after the other, runs the vectors that the pack has for
each, else random steps, or with --explore steps that are searched for it, and compares the chip's
samples with the design's fabricated gates. A design that its author marked as dangerous is tested
only with --insist. --json keeps each result at once, and --resume continues with such a file.

Exit codes, the first that applies: 4 the wiring is at fault, 1 one is FAIL, 3 one is ERROR, 7 one is WEAK, 5 one is
SKIPPED, or no design was tested, 0 all are PASS.`,
		Example: `  bench shuttle --pack tt09.pack -t rp2040 --json tt09.json
  bench shuttle --pack tt09.pack -t rp2040 --json again.json --explore --budget 5s
  bench shuttle --pack tt09.pack -t netlist --only 'tt_um_a.*'`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	// each design has its own tile, and a pack has no Verilog to simulate
	o.target.flags(cmd, d, "tile", "revision", "design", "simulator", "define")
	f := cmd.Flags()
	f.Lookup("fault").Usage = "`FAULT` of the mock, e.g. uo3=stuck1, or a netlist's cell; see bench explain fault"
	f.Lookup("seed").Usage = "seed of random steps, random faults and power-up states (default 1)"
	f.StringVar(&o.pack, "pack", "", "the designs, a file that bench shuttle pack made")
	f.StringVar(&o.only, "only", "", "only designs whose name matches this regular expression")
	f.Var(cli.AtLeast(&o.RandomSteps, 2000, 1), "random", "run N random steps on each design, also instead of "+
		"vectors in the pack")
	f.BoolVar(&o.Explore, "explore", false, "instead of random steps, apply steps found by a search for untested "+
		"faults of the design's gates")
	f.Var(cli.NewPositiveDuration(&o.Budget, 10*time.Second), "budget",
		"with --explore: longest time of each design's vectors on the board; it also bounds the search's "+
			"computation, which takes longer on a slow machine")
	f.StringVar(&o.json, "json", "", "write a line for each design to this file")
	f.StringVar(&o.html, "html", "", "write a page to publish: all designs with their verdicts")
	f.StringVar(&o.RecordFolder, "record", "", "write the steps and samples of each design to `DIR`/DESIGN.rec, for "+
		"-t replay:; the results have the SHA-256 of each")
	f.StringVar(&o.resume, "resume", "", "resume an interrupted survey: a file that --json wrote")
	cmd.AddCommand(newShuttlePack(d), newShuttlePackShow(), newShuttlePackCheck(d))
	return cmd
}

func (o *shuttleOptions) run(cmd *cobra.Command) (err error) {
	given := cmd.Flags().Changed
	switch {
	case o.pack == "":
		return failure.Usagef("--pack is needed: bench shuttle pack makes one of a shuttle's repository")
	case o.Explore && given("random"):
		return failure.Usagef("--explore makes its own vectors, so it does not go with --random")
	case !o.Explore && given("budget"):
		return failure.Usagef("--budget goes with --explore")
	}
	if o.DesignPattern, err = regexp.Compile(o.only); err != nil {
		return failure.Usagef("--only: %w", err)
	}
	if o.Pack, err = pack.Open(o.pack); err != nil {
		return err
	}
	defer o.Pack.Close()
	wanted := len(o.Designs())
	if wanted == 0 {
		return failure.Newf(failure.Nothing, "no design of %s matches --only %s, a regular expression such as "+
			"'tt_um_a|tt_um_b': bench shuttle show %[1]s lists them", o.pack, o.only)
	}
	if err := o.target.ready(cmd); err != nil {
		return err
	}
	o.Target, o.Version = o.target.Target, version()
	o.Target.ShowActivity = nil // its progress bar shows the activity
	o.UsePackVectors = !given("random") && !o.Explore && o.Pack.SuiteCount() > 0
	if o.RecordFolder != "" {
		if err := os.MkdirAll(o.RecordFolder, 0o777); err != nil {
			return failure.Usagef("--record: %w", err)
		}
	}
	if o.resume != "" {
		designs, err := o.Resume(o.resume)
		if err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s: %d of %s done; an ERROR would run again; the first design "+
			"is tested again, as are a board's wires, to see that the chip is the same\n", o.resume, designs,
			printable.Count(wanted, "design"))
	}
	o.ResumeCommand = func(path string) string { return resuming(cmd, path) }
	lines := files.Set{Out: standard(cmd, o.json, o.html)}
	page := lines
	defer page.Discard()
	defer lines.Discard()
	if err := o.SaveTo(&lines, o.json); err != nil {
		return err
	}
	save, err := files.CreateOutputs(&page, files.Output[*survey.Page]{Flag: "--html", Path: o.html,
		Write: (*survey.Page).Write})
	if err != nil {
		return err
	}
	bar := o.target.progress.NewBar(wanted, "designs")
	o.OnDesign = func(name string) func() {
		bar.SetUnit("testing " + name + ", designs")
		return func() { bar.Add(1) }
	}
	rows, err := o.Run(cmd.Context())
	bar.End()
	defer func() { writeLines(cmd.ErrOrStderr(), o.LeftNotes) }()
	if len(rows) == 0 {
		return err
	}
	result := o.Page(rows)
	if err := cmp.Or(result.WriteText(cmd.OutOrStdout()), err, lines.Commit()); err != nil {
		return err
	}
	if err := save(result); err != nil {
		return benchFault(err)
	}
	report.WriteSuggestions(cmd.OutOrStdout(), o.Suggestions(rows))
	return result.CountVerdicts().Err()
}

// resuming returns the command that resumes from a file of --json and writes all results to another file.
func resuming(cmd *cobra.Command, path string) string {
	words := []string{"shuttle"}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "json" && f.Name != "resume" {
			words = append(words, cli.FlagArgs(f)...)
		}
	})
	return printable.Command(append(words, "--resume", path, "--json", strings.TrimSuffix(path, ".json")+"-2.json")...)
}
