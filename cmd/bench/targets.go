package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/boards"
	"utfbench/driver"
	"utfbench/internal/cmdline"
	"utfbench/internal/failure"
	"utfbench/internal/tags"
	"utfbench/runs/history"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
)

// targets are several of them, as the flags of one command name them: each --transport is one, and what else is said
// counts for all that have a use for it.
type targets struct {
	transports []string
	target
}

func (t *targets) flags(cmd *cobra.Command, d *design) {
	t.prepare(d)
	cmd.Flags().StringArrayVarP(&t.transports, "transport", "t", nil, "a `target`, KIND[:WHERE] as of bench run; two "+
		"of them or more.\nOther flags of a kind count for all targets of that kind")
	t.otherFlags(cmd)
}

// labFlags adds the flags that a lab's boards use, for commands that use only such boards.
func (t *targets) labFlags(cmd *cobra.Command, d *design) {
	t.prepare(d)
	all := &cobra.Command{}
	t.otherFlags(all)
	all.Flags().VisitAll(func(f *pflag.Flag) {
		switch f.Name {
		case "invite", "board", "port", "fault": // which are an argument, or the host's
		default:
			if flagsOf.HasUse("lab", f.Name) {
				cmd.Flags().AddFlag(f)
			}
		}
	})
}

// borrowed returns a board of a lab, HOST/NAME, by an invitation.
func (t *targets) borrowed(cmd *cobra.Command, board, invite string) (*oneOf, error) {
	one, err := t.only(cmd, "lab:"+board)
	if err == nil && invite != "" { // so that bench again finds the lab too
		err = one.cmd.Flags().Set("invite", invite)
	}
	return one, err
}

// named returns the targets, each with the flags that a command for it alone would have.
func (t *targets) named(cmd *cobra.Command) ([]*oneOf, error) {
	if err := variables.Take(cmd.Flags()); err != nil {
		return nil, err
	}
	given := slices.Clone(t.transports)
	if err := t.expand(cmd); err != nil {
		return nil, err
	}
	if n := len(t.transports); n < 2 && slices.Equal(t.transports, given) { // all boards of a lab may be one
		return nil, failure.Usagef("a matrix has two targets or more, and here %s: give each with -t, or take "+
			"bench run",
			map[int]string{0: "is none", 1: "is one"}[n])
	}
	var all []*oneOf
	for i, transport := range t.transports {
		if slices.Contains(t.transports[:i], transport) {
			return nil, failure.Usagef("transport %s is given twice: use each target once", transport)
		}
		one, err := t.only(cmd, transport)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, t.unused(cmd.Flags(), all)
}

// expand puts the boards of a lab in the place of a pattern of their names.
func (t *targets) expand(cmd *cobra.Command) error {
	var all []string
	for _, transport := range t.transports {
		boards, err := native.Expand(cmd.Context(), &t.Lab, transport)
		if err != nil {
			return err
		}
		all = append(all, boards...)
	}
	t.transports = all
	return nil
}

// only returns one target, with its flags.
func (t *targets) only(cmd *cobra.Command, transport string) (*oneOf, error) {
	one := &oneOf{cmd: &cobra.Command{}}
	one.target.flags(one.cmd, t.design)
	one.cmd.SetErr(&one.said)
	flags := one.cmd.Flags()
	if err := flags.Set("transport", transport); err != nil {
		return nil, err
	}
	var failed error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		given := f.Changed || f.Value.String() != f.DefValue
		if failed != nil || !given || flags.Lookup(f.Name) == nil || !usedBy(transport, f) {
			return
		}
		for _, value := range cmdline.Values(f) {
			if err := flags.Set(f.Name, value); err != nil {
				failed = err
			}
		}
	})
	if failed != nil {
		return nil, failed
	}
	one.target.runs = t.runs
	if err := one.fit(one.cmd); err != nil {
		return nil, err
	}
	one.Lab.Does = cmd.CommandPath()
	one.Working = nil // several at a time would write into one line
	return one, one.Check()
}

// usedBy reports whether one of several targets uses a common flag.
func usedBy(transport string, f *pflag.Flag) bool {
	kind, where, _ := strings.Cut(transport, ":")
	switch f.Name {
	case "transport":
		return false
	case "fault":
		return kind == "mock"
	case "port":
		return kind == "rp2040" && where == ""
	case "board":
		b, err := boards.Open(f.Value.String())
		return err != nil || b.Transport == kind // what is no board at all is for Check to tell
	}
	return flagsOf.HasUse(kind, f.Name)
}

// unused refuses a flag that no target has a use for, and a file that several would write.
func (t *targets) unused(given *pflag.FlagSet, all []*oneOf) (err error) {
	users := func(f *pflag.Flag) (n int) {
		for _, one := range all {
			if usedBy(one.Transport, f) {
				n++
			}
		}
		return n
	}
	given.VisitAll(func(f *pflag.Flag) {
		switch n := users(f); {
		case err != nil || f.Name == "transport":
		case n == 0 && f.Changed: // what bench.yaml says is for other commands too
			err = failure.Usagef("--%s %s: none of the targets has a use for it", f.Name, f.Value)
		case n > 1 && f.Name == "sim-vcd" && f.Value.String() != "":
			err = failure.Usagef("--sim-vcd is one file, and %d of the targets are simulations: take bench run for "+
				"one", n)
		}
	})
	return err
}

// oneOf is one of several targets. Once it is open it is a matrix.Chip.
type oneOf struct {
	target
	cmd      *cobra.Command // a command for it alone
	said     bytes.Buffer   // what that would write to standard error
	selected selection      // for a recording
	asked    plan.Plan
	noWiring bool
	history  string // to enter it into; "" is none
	tags     tags.Set
	junit    *report.JUnitRun         // nil if no JUnit is wanted, since it keeps each vector
	wants    func(*station.Chip) bool // whether such a chip is to be asked; nil asks any
	// then is called with the chip after a complete run, before it is parked; may be nil
	then func(context.Context, *station.Chip, driver.Verdict)
	chip *station.Chip
	past *history.Writer
}

// errUnwanted reports a chip that --on excludes.
var errUnwanted = errors.New("it is no chip that --on wants")

// open opens it.
func (o *oneOf) open(ctx context.Context) error {
	of, seeded := o.seeded(o.cmd)
	opened, err := of.Open(ctx)
	if err != nil {
		tellLeft(o.cmd, err)
		return err
	}
	o.chip = opened
	call(o.cmd, opened, seeded)
	if o.wants != nil && !o.wants(opened) {
		o.Close()
		return errUnwanted
	}
	if err := o.replay(); err != nil {
		o.Close()
		return err
	}
	return nil
}

// replay plans to judge a recording, which must hold the same vectors as the other targets.
func (o *oneOf) replay() (err error) {
	rec := o.chip.Recording
	if rec == nil {
		return nil
	}
	if rec.Start.Digest != o.asked.Digest {
		return failure.Usagef("the recording has other vectors than the other targets: give the " +
			"--file, or --random and --seed, that its run had")
	}
	o.selected.Files, o.selected.Random = nil, 0
	o.asked, err = o.selected.replayed(o.chip)
	return err
}

// Close implements matrix.Chip.
func (o *oneOf) Close() { leave(o.cmd, o.chip) }

// Ask implements matrix.Chip.
func (o *oneOf) Ask(ctx context.Context, to report.Reporter) error {
	c := o.chip
	if c.Wires && !o.noWiring {
		if err := vet(ctx, c); err != nil {
			return err
		}
	}
	all := append(report.All{to}, native.Followed(c)...)
	if o.junit != nil {
		all = append(all, o.junit)
	}
	if o.history != "" && c.Recording == nil {
		o.past = history.NewWriter(o.history, o.asked.Suites...)
		o.past.Due = dueAt(&o.target)
		all = append(all, o.past)
	}
	r := station.Run{Chip: c, Asked: o.asked, Version: version(), Exit: exitOfOutcome, Tags: o.tags,
		Grade: new(station.Grading).Attach}
	if o.then != nil {
		r.Then = func(t *driver.Tally) { o.then(ctx, c, t.Verdict()) }
	}
	_, err := r.Judge(ctx, all)
	return err
}

// exitOfOutcome returns the exit code of bench run for an outcome.
func exitOfOutcome(of report.Outcome) int { return new(judging).exitCode(of) }

// tell writes what a command for this target alone would write to standard error, and returns the number of its run in
// the history, or 0.
func (o *oneOf) tell(w io.Writer) (number int) {
	_, _ = o.said.WriteTo(w)
	if o.past == nil {
		return 0
	}
	if note := o.past.Note(); note != "" {
		fmt.Fprintf(w, "bench: %s: %s\n", o.Transport, note)
	}
	return o.past.Number()
}
