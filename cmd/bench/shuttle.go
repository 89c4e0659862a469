package main

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/station/native"
	"utfbench/station/survey"
	"utfbench/tile"
	"utfbench/tile/pack"
)

// shuttleOptions are the flags of bench shuttle.
type shuttleOptions struct {
	target     target
	pack, only string
	random     int
	explore    bool
	budget     time.Duration
	json, html string
	resume     string
	files      files.Set
	survey.Survey
}

func newShuttle(d *design) *cobra.Command {
	var o shuttleOptions
	cmd := &cobra.Command{
		Use:   "shuttle",
		Short: "Test every design of a shuttle on one chip",
		Long: `shuttle selects the designs of a pack one after the other, runs the vectors that the pack has for
each, else random steps, or with --explore steps that are searched for it, and compares the chip's
samples with the design's fabricated gates. A design without state gets all its inputs. A design that
uses lines without a proven wire checks the wires first. One that its author marked as dangerous is
tested only with --insist. A table ends the survey: PASS, WEAK (outputs were never compared), FAIL with
the first difference, UNDECIDED with the reason. --json keeps each result at once, and --resume
continues with such a file; --html writes a page to publish.

Exit codes: 0 all are PASS, 1 one is FAIL, 2 bad input, 3 one is undecided or could not be judged, 4 the
wiring is at fault, 5 one is SKIPPED, or no design was tested, 7 one is WEAK, 130 interrupted.`,
		Example: `  bench shuttle --pack tt09.pack -t rp2040 --json tt09.json
  bench shuttle --pack tt09.pack -t rp2040 --json again.json --explore --budget 5s
  bench shuttle --pack tt09.pack -t netlist --only 'tt_um_a.*'`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	// Each design has its own tile, and a pack has no Verilog to simulate.
	o.target.flags(cmd, d, "tile", "revision", "design", "simulator", "top", "define", "include", "cells", "cells-dir",
		"pdk", "timescale", "sim-vcd")
	f := cmd.Flags()
	f.Lookup("fault").Usage = "inject a fault into the mock or a netlist, e.g. uo3=stuck1; repeatable"
	f.Lookup("seed").Usage = "seed of the random steps (default 1), of random faults and of power-up states " +
		"(default: a new one)"
	f.StringVar(&o.pack, "pack", "", "the designs, a file that bench pack made")
	f.StringVar(&o.only, "only", "", "only designs whose name matches this regular expression")
	f.Var(cli.AtLeast(&o.random, 2000, 1), "random", "run N random steps on each design, also on those with "+
		"vectors in the pack")
	f.BoolVar(&o.explore, "explore", false, "instead of random steps, apply steps found by a search for untested "+
		"faults of the design's gates")
	f.Var(cli.NewSpan(&o.budget, 10*time.Second), "budget", "with --explore: longest time of each design's "+
		"vectors on the board, and of the search for them")
	f.StringVar(&o.json, "json", "", "write a line for each design to this file")
	f.StringVar(&o.html, "html", "", "write a page to publish: all designs with their verdicts")
	f.StringVar(&o.resume, "resume", "", "resume an interrupted survey: a file that --json wrote")
	return cmd
}

func (o *shuttleOptions) run(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	switch {
	case o.pack == "":
		return failure.Usagef("--pack is needed: bench pack makes one of a shuttle's repository")
	case o.explore && given("random"):
		return failure.Usagef("--explore makes its own vectors, so it does not go with --random")
	case !o.explore && given("budget"):
		return failure.Usagef("--budget goes with --explore")
	}
	only, err := regexp.Compile(o.only)
	if err != nil {
		return failure.Usagef("--only: %w", err)
	}
	p, err := pack.Open(o.pack)
	if err != nil {
		return err
	}
	defer p.Close()
	want, wanted := func(d *pack.Design) bool { return only.MatchString(d.Name) }, 0
	for i := range p.Designs {
		if want(&p.Designs[i]) {
			wanted++
		}
	}
	if wanted == 0 {
		return failure.Newf(failure.Nothing, "no design of %s matches --only %s: bench pack show %[1]s lists them",
			o.pack, o.only)
	}
	if err := o.target.ready(cmd); err != nil {
		return err
	}
	of := o.target.Target
	of.Working = nil
	packed := !given("random") && !o.explore && p.Suites() > 0
	h := survey.Head{Head: head(), Pack: p.Digest, Packed: packed, Steps: o.random, Seed: cmp.Or(of.Seed, 1),
		Chip: of.Transport, Under: report.Conditions(of.Words())}
	o.Survey = survey.Survey{Pack: p, Target: of, Packed: packed, Steps: o.random, Seed: h.Seed, Insist: of.Insist,
		Version: version(),
		Tile: func(ctx context.Context, d *pack.Design) (tile.Tile, error) {
			return (&native.TileName{Where: o.pack + ":" + d.Name}).Open(ctx)
		}}
	if o.explore {
		o.Survey.Explore, h.Explore = o.budget, o.budget.String()
	}
	if o.resume != "" {
		passed, err := survey.Read(o.resume, h)
		if err != nil {
			return err
		}
		o.Survey.Resume(passed, want)
	}
	page := files.Set{Out: standard(cmd, o.json, o.html)}
	o.files.Out = page.Out
	defer page.Discard()
	defer o.files.Discard()
	keep, err := o.Keep(&o.files, o.json, h)
	if err != nil {
		return err
	}
	save, err := files.Begin(&page, files.Output[*survey.Page]{Flag: "--html", Path: o.html,
		Write: (*survey.Page).Write})
	if err != nil {
		return err
	}
	bar, done := cli.NewBar(wanted, "designs"), 0
	bar.Eager = true // since a design takes its time
	bar.At(0)
	o.Told = func(r survey.Row) error {
		done++
		bar.At(done)
		return keep(r)
	}
	rows, err := o.Survey.Run(cmd.Context(), want)
	bar.Clear()
	defer func() { tellLines(cmd.ErrOrStderr(), o.Left) }()
	if len(rows) == 0 {
		return err
	}
	k, _, _ := of.Kind() // ready has found it
	unasked := (&report.Chip{Kind: k.Name}).Unasked()
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %s on %s\n\n", o.pack, printable.Count(len(rows), "design"), of.Transport)
	if err != nil {
		err = o.stopped(cmd.Context(), err, len(rows), wanted)
	}
	err = cmp.Or(survey.Text(cmd.OutOrStdout(), rows, unasked), err, o.files.Commit())
	if err != nil {
		return err
	}
	if err := save(&survey.Page{Head: h, Pack: p, Rows: rows, Unasked: unasked, Ended: time.Now()}); err != nil {
		return benchFault(err)
	}
	report.WriteNext(cmd.OutOrStdout(), o.steps(rows, !k.Simulated))
	return survey.CountOf(rows).Err()
}

// stopped adds the progress of a survey to the error that ended it.
func (o *shuttleOptions) stopped(ctx context.Context, err error, done, of int) error {
	kept := "they are not kept: give it a --json"
	if o.json != "" {
		kept = "--resume " + o.json + " continues"
	}
	left := fmt.Sprintf("%d of %s done; %s", done, printable.Count(of, "design"), kept)
	if ctx.Err() != nil {
		return failure.Newf(failure.Interrupted, "stopped: %s", left)
	}
	return fmt.Errorf("%w (%s)", err, left)
}

// steps suggests commands after a FAIL, or else a search for better vectors after a WEAK.
func (o *shuttleOptions) steps(rows []survey.Row, wires bool) (steps []report.Next) {
	chip := o.target.Words()
	inFull := func(design string, v driver.Verdict) report.Next {
		words, why := append([]string{"run", "--tile", o.pack + ":" + design}, chip...), "in full"
		d, err := o.Pack.Find(design)
		if err == nil && !d.Combinational && !(o.Packed && d.Suite != "") { // the same steps
			how := []string{"--random", strconv.Itoa(o.random)}
			if o.explore || v == driver.Weak {
				how = []string{"--explore", "--budget", o.budget.String()}
			}
			if v == driver.Weak {
				why = "with vectors from a search"
			}
			words = append(words, how...)
			if o.target.Seed == 0 {
				words = append(words, "--seed", strconv.FormatUint(o.Seed, 10))
			}
		}
		return report.Next{Words: words, Why: fmt.Sprintf("the first %s %s", v, why)}
	}
	fail, weak := survey.First(rows, driver.Fail), survey.First(rows, driver.Weak)
	switch {
	case fail == "" && weak == "":
		return nil
	case fail == "":
		return []report.Next{inFull(weak, driver.Weak)}
	}
	if lines := survey.Alike(rows); lines != "" && wires {
		steps = append(steps, report.Next{Words: append([]string{"wiring", "--tile", factoryTile}, chip...),
			Why: "only the wires: all that fail differ on " + lines})
	}
	return append(steps, inFull(fail, driver.Fail))
}
