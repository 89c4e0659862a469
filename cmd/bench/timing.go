package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"utfbench/cause/timing"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/history"
	"utfbench/station/native"
	"utfbench/tile/project"
	"utfbench/transport/burst"
)

// noReference is the value of --reference for no reference.
const noReference = "none"

// timingOptions are the flags of bench timing.
type timingOptions struct {
	target    target
	selected  selection
	count     int
	json      bool
	reference string
	calibrate bool
}

func newTiming(d *design) *cobra.Command {
	var o timingOptions
	cmd := &cobra.Command{
		Use:   "timing",
		Short: "Measure how fast a chip is, line by line",
		Long: `timing plays vectors at speed and finds by bisection the highest clock at which all of them pass,
from which moment after the edge each output shows what the edge brought, and how long before
it the inputs have to be there; and which vectors fail first. Each setting is tried several
times. What is measured has pads, cable and the shuttle's mux in it: --reference takes what this
command wrote for a board or a loop-back that is known, and subtracts it line by line. With
--tile factory --calibrate the factory test is measured, and kept for this device for 180 days.
Each tile has another route through the mux, so from then on the delays of the tile alone are
printed as a band.

Exit codes: 0 it was measured; 1 the chip fails slowly too; 2 bad input, or no vectors at speed
there; 3 the bench could not measure; 5 no vector is for this chip; 130 interrupted.`,
		Example: `  bench timing --fault uo3=delay:25ns --fault ui5=setup:30ns --fault fmax=25MHz
  bench timing --json --reference golden.json >board7.json
  bench timing -t rp2040 --tile factory --calibrate`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.target.flags(cmd, d)
	o.selected.flags(cmd, d)
	f := cmd.Flags()
	f.IntVar(&o.count, "count", 3, "run the vectors this often at each setting")
	jsonFlag(cmd, &o.json)
	f.StringVar(&o.reference, "reference", "", "a file with what --json printed of another board, to be subtracted, "+
		"or none (default: a band by the calibration of this device)")
	f.BoolVar(&o.calibrate, "calibrate", false, "keep what the factory test takes on this device, for the delays "+
		"of other "+
		"tiles alone")
	return cmd
}

func (o *timingOptions) run(cmd *cobra.Command) error {
	if o.count < 1 {
		return failure.Usagef("--count %d: has to be 1 or more", o.count)
	}
	if o.calibrate && o.reference != "" {
		return failure.Usagef("--calibrate measures what a reference would be: leave --reference out")
	}
	var reference *timing.Report
	jobs, err := o.selected.Jobs()
	if err == nil && o.reference != "" && o.reference != noReference {
		reference, err = timing.ReadFile("reference", o.reference)
	}
	if err != nil {
		return err
	}
	if len(jobs) == 0 {
		return o.selected.nothing()
	}
	var out files.Set
	defer out.Discard()
	o.target.atSpeed()
	c, err := o.target.open(cmd.Context(), cmd)
	if err != nil {
		return err
	}
	defer leave(cmd, c)
	if name := c.Tile.Name(); o.calibrate && name != factoryTile {
		return failure.Usagef("--calibrate measures what the board adds, by the factory test, and this is %s: give "+
			"--tile %s", name, factoryTile)
	}
	if o.selected.All() {
		if jobs, err = timing.Choose(c.Tile, jobs); err != nil {
			return benchFault(err)
		}
	}
	follow := native.Counted(c, "settings")
	r := timing.Runner{Player: c.Transport.(*burst.Player), Tile: c.Tile, Jobs: jobs, Count: o.count,
		Progress: func(settings int) { follow(settings, 0, "") }}
	report, err := r.Measure(cmd.Context())
	switch {
	case errors.Is(err, timing.ErrSlow):
		return failure.New(failure.Chip, err)
	case errors.Is(err, timing.ErrNothing):
		return failure.New(failure.Nothing, err)
	case err != nil:
		return stopped(cmd.Context(), err)
	}
	report.Bench, report.Transport, report.Board = version(), c.Slow().String(), c.Board.Name
	report.Tile, report.Revision, report.Reference = c.Tile.Name(), c.Tile.Revision(), reference
	if about := project.Of(c.Tile); about != nil {
		if report.Predicted, err = about.Prediction(); err != nil {
			return err
		}
	}
	report.Device, report.Made = cmp.Or(c.Asked.Device, c.Asked.Kind), now()
	history, err := history.File()
	if err != nil {
		return err
	}
	switch kept := timing.CalibrationFile(filepath.Dir(history), report.Device); {
	case o.calibrate:
		if err := report.Keep(&out, kept); err != nil {
			return err
		}
	case o.reference == "" && c.Tile.Name() != factoryTile:
		if report.Reference, err = timing.Calibration(cmd.ErrOrStderr(), kept, report.Made); err != nil {
			return err
		}
		report.Calibrated = report.Reference != nil
	}
	tell := report.Write
	if o.json {
		tell = report.JSON
	}
	if err := tell(cmd.OutOrStdout()); err != nil {
		return benchFault(err)
	}
	if o.calibrate && !o.json {
		fmt.Fprintf(cmd.OutOrStdout(), "It is kept for the device %s, and used until %s.\n",
			report.Device, report.Until().Format(time.DateOnly))
	}
	return out.Commit()
}
