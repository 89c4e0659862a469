package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
)

// A target is the chip of a command, as selected by its flags.
type target struct {
	*design
	others []string // further targets, only for bench run
}

// flags adds the flags of a target, except those named in except.
func (t *target) flags(cmd *cobra.Command, d *design, except ...string) {
	t.design = d
	f := cmd.Flags()
	f.StringVarP(&t.Transport, "transport", "t", t.Transport, "`TARGET`, such as rp2040; see "+
		"bench explain transport")
	transport := f.Lookup("transport")
	transport.Value = targetsValue{transport.Value, transport, &t.others}
	t.Options().VisitAll(func(o *flag.Flag) {
		if !slices.Contains(except, o.Name) {
			f.AddGoFlag(o)
		}
	})
}

// A targetsValue is the value of the flag --transport. Its first element is the transport of the target.
type targetsValue struct {
	pflag.Value
	flag   *pflag.Flag
	others *[]string
}

func (v targetsValue) Set(text string) error {
	if !v.flag.Changed {
		return v.Value.Set(text)
	}
	return v.Append(text)
}

func (v targetsValue) Append(text string) error {
	*v.others = append(*v.others, text)
	return nil
}

func (v targetsValue) GetSlice() []string { return append([]string{v.String()}, *v.others...) }

func (v targetsValue) Replace(all []string) error {
	*v.others = all[1:]
	return v.Value.Set(all[0])
}

// takeRecorded sets the target to the target of a recorded run unless the command line has another. same reports
// whether the result is the unchanged recorded target.
func (t *target) takeRecorded(cmd *cobra.Command, run string, start *report.Start) (same bool, err error) {
	same, err = t.ApplyRecorded(run, start, cmd.Flags().Changed)
	return same, cmp.Or(err, fileFlags.Resolve(cmd.Flags(), nil, t.env))
}

// ready completes the target and refuses flags that its transport ignores.
func (t *target) ready(cmd *cobra.Command) (err error) {
	if len(t.others) > 0 {
		return failure.Usagef("%s and %s: this command takes one target: bench run takes several", t.Transport,
			t.others[0])
	}
	if err := native.ResolveAuto(&t.Target, t.boards()); err != nil {
		return err
	}
	cmd.Flags().Visit(func(f *pflag.Flag) { err = cmp.Or(t.CheckOptionUse(f.Name), err) })
	return err
}

func (t *target) refuseRecording(cmd *cobra.Command) error {
	if k, _, err := t.FindKind(); err == nil && k.Recorded {
		return failure.Usagef("a recording has samples only for its own steps: %s is for a chip", cmd.Name())
	}
	return nil
}

func (t *target) withChip(cmd *cobra.Command, do func(*station.Chip) error) (err error) {
	if err := t.ready(cmd); err != nil {
		return err
	}
	of := t.Target
	done := t.ShowActivity("opening " + t.Transport)
	c, err := of.Open(cmd.Context())
	done()
	if err := t.opened(cmd, &of, err); err != nil {
		return err
	}
	defer func() {
		writeLines(cmd.ErrOrStderr(), c.CloseWithNotes()) // notes on the board's state
		if idle := report.DescribeIdleFaults(c.IdleFaults(), c.Speed()); idle != "" && unlessPrinted(err) == nil {
			fmt.Fprintln(cmd.ErrOrStderr(), idle)
		}
	}()
	return do(c)
}

// withWires opens a chip, checks its wires unless noWiring is set, calls do, and closes the chip.
func (t *target) withWires(cmd *cobra.Command, noWiring bool, do func(*station.Chip) error) error {
	if err := t.refuseRecording(cmd); err != nil {
		return err
	}
	return t.withChip(cmd, func(c *station.Chip) error {
		if err := checkWires(cmd.Context(), c, noWiring); err != nil {
			return err
		}
		if c.BrokenWires != nil {
			return failure.New(failure.Wire, errors.New(c.DescribeBadWires(" ")))
		}
		return do(c)
	})
}

// opened takes over the tile of an opened target. If err is not nil, it prints the state of the board and returns err.
func (t *target) opened(cmd *cobra.Command, of *station.Target, err error) error {
	if err == nil {
		t.design.takeTileOf(of)
		return nil
	}
	tellLeft(cmd, err)
	if k, _, kerr := t.FindKind(); kerr == nil && k.Park != nil && errors.Is(err, context.Canceled) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: stopped before the chip was open, so it might not be parked: bench park "+
			"-t %[1]s parks it\n", t.Transport)
	}
	return err
}

// tellLeft prints the state of the board of a target that could not be opened.
func tellLeft(cmd *cobra.Command, err error) {
	if e, is := errors.AsType[*station.BoardStateError](err); is {
		fmt.Fprintln(cmd.ErrOrStderr(), e.BoardState)
	}
}

// atSpeed sets the default speed of the chip unless the user has given one.
func (t *target) atSpeed() { t.Speed.Clock = cmp.Or(t.Speed.Clock, "1MHz") }

// examine examines each layer between the bench and the chip. If a layer fails, the error has no text.
func (t *target) examine(cmd *cobra.Command, tell func(station.Finding)) (driver.Verdict, error) {
	if err := t.ready(cmd); err != nil {
		return driver.Error, err
	}
	verdict, err := t.Examine(cmd.Context(), tell)
	if err != nil {
		tellLeft(cmd, err)
		return driver.Error, err
	}
	return verdict, verdict.Err()
}

// checkWires checks the wires as bench run does. The error says why the chip cannot be judged behind them.
func checkWires(ctx context.Context, c *station.Chip, off bool) error {
	if !c.HasWires || off {
		return nil
	}
	return c.AssessWires(ctx, c.WiringCommand())
}
