package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/terminal"
	"utfbench/station/native"
	"utfbench/station/survey"
	"utfbench/tile"
	"utfbench/tile/pack"
)

// shuttleOptions are the flags of bench shuttle.
type shuttleOptions struct {
	target target
	pack   string
	only   string
	random int
	json   string
	html   string
	resume string
}

func newShuttle(d *design) *cobra.Command {
	var o shuttleOptions
	cmd := &cobra.Command{
		Use:   "shuttle",
		Short: "Test every design of a shuttle on one chip",
		Long: `shuttle selects the designs of a pack one after the other, runs random steps on each, and compares the
chip's samples with the design's fabricated gates. The first design checks the wires. A design that
its author marked as dangerous is tested only with --insist. A table ends the survey: PASS, WEAK
(outputs were never compared), FAIL with the first difference, UNDECIDED with the reason. --json
keeps each result at once, and --resume continues with such a file; --html writes a page to publish.

Exit codes: 0 all are PASS, 1 one is FAIL, 2 bad input, 3 one is undecided or could not be judged, 4 the
wiring is at fault, 5 no design was tested, 7 one is WEAK, 130 interrupted.`,
		Example: `  bench shuttle --pack tt09.pack -t rp2040 --json tt09.json
  bench shuttle --pack tt09.pack -t netlist --only 'tt_um_a.*'`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.target.flags(cmd, d)
	f := cmd.Flags()
	f.StringVar(&o.pack, "pack", "", "the designs, a file that bench pack made")
	f.StringVar(&o.only, "only", "", "only designs whose name matches this regular expression")
	f.IntVar(&o.random, "random", 2000, "number of random steps for each design")
	f.StringVar(&o.json, "json", "", "write a line for each design to this file")
	f.StringVar(&o.html, "html", "", "write a page to publish: all designs with their verdicts")
	f.StringVar(&o.resume, "resume", "", "resume an interrupted survey: a file that --json wrote")
	return cmd
}

func (o *shuttleOptions) run(cmd *cobra.Command) error {
	only, err := regexp.Compile(o.only)
	switch {
	case o.pack == "":
		return failure.Usagef("--pack is needed: bench pack makes one of a shuttle's repository")
	case err != nil:
		return failure.Usagef("--only: %w", err)
	case o.random < 1:
		return failure.Usagef("--random %d: has to be 1 or more", o.random)
	}
	p, err := pack.Open(o.pack)
	if err != nil {
		return err
	}
	defer p.Close()
	if err := o.target.ready(cmd); err != nil {
		return err
	}
	of := o.target.Target
	of.Working = nil
	head := survey.Head{Head: head(), Pack: p.Digest, Steps: o.random, Seed: 1, Chip: of.Transport}
	s := &survey.Survey{Pack: p, Target: of, Steps: o.random, Seed: head.Seed, Insist: of.Insist, Version: version(),
		Tile: func(ctx context.Context, d *pack.Design) (tile.Tile, error) {
			return (&native.TileName{Where: o.pack + ":" + d.Name}).Open(ctx)
		}}
	if o.resume != "" {
		if s.Passed, err = survey.Read(o.resume, head); err != nil {
			return err
		}
	}
	return o.ask(cmd, s, head, only)
}

// ask tests the designs, writes the outputs, and prints all results.
func (o *shuttleOptions) ask(cmd *cobra.Command, s *survey.Survey, head survey.Head, only *regexp.Regexp) error {
	var out files.Set
	defer out.Discard()
	out.Out = standard(cmd, o.json, o.html)
	keep, err := o.keep(&out, s, head)
	if err != nil {
		return err
	}
	var page io.Writer = io.Discard
	if o.html != "" {
		if page, err = out.Create("--html", o.html, 0); err != nil {
			return err
		}
	}
	bar := terminal.NewBar(len(s.Pack.Designs), "designs")
	done := 0
	s.Told = func(r survey.Row) error {
		done++
		bar.At(done)
		return keep(r)
	}
	rows, err := s.Run(cmd.Context(), func(d *pack.Design) bool { return only.MatchString(d.Name) })
	bar.Clear()
	if bad, is := err.(*survey.WiringError); is {
		return failure.Newf(failure.Wire, "the wiring is at fault, and no design was judged: %s", bad.Why)
	}
	if terr := tellSurvey(cmd.OutOrStdout(), rows); terr != nil {
		return benchFault(terr)
	}
	if err != nil {
		return stopped(cmd.Context(), err)
	}
	err = (&survey.Page{Head: head, Pack: s.Pack, Rows: rows, Ended: time.Now()}).Write(page)
	if err = cmp.Or(err, out.Commit()); err != nil {
		return benchFault(err)
	}
	return surveyed(survey.CountOf(rows).Gravest())
}

// keep begins the file of --json, with the results of the survey that is resumed, and returns a function that adds one.
func (o *shuttleOptions) keep(out *files.Set, s *survey.Survey, head survey.Head) (func(survey.Row) error, error) {
	if o.json == "" {
		return func(survey.Row) error { return nil }, nil
	}
	file, err := out.Create("--json", o.json, files.Part)
	if err != nil {
		return nil, err
	}
	w, err := survey.NewWriter(file, head)
	if err != nil {
		return nil, benchFault(err)
	}
	for _, row := range s.Passed {
		if err := w.Row(row); err != nil {
			return nil, benchFault(err)
		}
	}
	return w.Row, nil
}

// tellSurvey prints a row for each design, and the counts.
func tellSurvey(w io.Writer, rows []survey.Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "design\tverdict\tbits compared\tfaults shown\t")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\n", r.Design, r.Verdict, r.Compared, r.Shown(), r.About())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", survey.CountOf(rows))
	return err
}

// surveyed returns the error of a survey by its gravest verdict.
func surveyed(gravest string) error {
	for _, v := range driver.Verdicts {
		if v.String() == gravest {
			return judged(v)
		}
	}
	if gravest == survey.Undecided {
		return judged(driver.Error)
	}
	return errNothing
}
