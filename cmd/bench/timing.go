package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"utfbench/cause/timing"
	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/station"
	"utfbench/station/native"
)

// timingOptions are the flags of bench timing.
type timingOptions struct {
	target          target
	selected        selection
	count           int
	json, calibrate bool
	reference       string
}

func newTiming(d *design) *cobra.Command {
	var o timingOptions
	cmd := &cobra.Command{
		Use:   "timing",
		Short: "Measure how fast a chip is, line by line",
		Long: `timing plays vectors at speed and finds by bisection the highest clock at which all of them pass, how
long after the edge each output is right, how long before it the inputs have to be there, and which
vectors fail first. Each setting is tried several times. Pads, cable and the shuttle's mux are part of
what is measured: --reference subtracts, line by line, what this command wrote for a known board or a
loop-back. With --tile factory --calibrate the factory test is measured, and kept for this device for
180 days; from then on the delays of a tile alone are printed as a band.

Exit codes: 0 it was measured; 1 the chip fails slowly too; 2 bad input, or no vectors at speed
there; 3 the bench could not measure; 5 no vector is for this chip; 130 interrupted.`,
		Example: `  bench timing --fault uo3=delay:25ns --fault ui5=setup:30ns --fault fmax=25MHz
  bench timing --json --reference golden.json >board7.json
  bench timing -t rp2040 --tile factory --calibrate`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.target.flags(cmd, d, "at", "sample", "lead") // which it measures
	cmd.Annotations["at"] = "it to bench run, which tells whether the chip keeps up with that clock"
	o.selected.flags(cmd, d)
	f := cmd.Flags()
	f.Var(cli.AtLeast(&o.count, 3, 1), "count", "run the vectors N times at each setting")
	jsonFlag(cmd, &o.json)
	f.StringVar(&o.reference, "reference", "", "a file with what --json printed of another board, to be subtracted, "+
		"or none (default: a band by the calibration of this device)")
	f.BoolVar(&o.calibrate, "calibrate", false, "keep what the factory test takes on this device, for the delays "+
		"of other tiles alone")
	return cmd
}

func (o *timingOptions) run(cmd *cobra.Command) error {
	if o.calibrate && o.reference != "" {
		return failure.Usagef("--calibrate measures what a reference would be: leave --reference out")
	}
	if err := o.target.CheckUse("at"); err != nil {
		return fmt.Errorf("it measures at speed, and %w", err)
	}
	jobs, err := o.selected.some(cmd.Context())
	if err != nil {
		return err
	}
	var reference *timing.Report
	if o.reference != "" && o.reference != "none" {
		if reference, err = timing.ReadFile("reference", o.reference); err != nil {
			return err
		}
	}
	o.target.atSpeed()
	return o.target.with(cmd, func(c *station.Chip) error {
		if name := c.Tile.Name(); o.calibrate && name != factoryTile {
			return failure.Usagef("--calibrate measures what the board adds, by the factory test, and this is %s: "+
				"give --tile %s", name, factoryTile)
		}
		done := cli.Working("measuring")
		report, err := native.Timing(cmd.Context(), c, version(), jobs, o.selected.All(), o.count)
		done()
		if err != nil {
			return err
		}
		report.Reference = reference
		return o.tell(cmd, report)
	})
}

// tell prints the report, beside the calibration of the device, or keeps it as that.
func (o *timingOptions) tell(cmd *cobra.Command, r *timing.Report) error {
	kept, err := native.CalibrationFile(r.Device)
	if err != nil {
		return err
	}
	var out files.Set
	defer out.Discard()
	switch {
	case o.calibrate:
		err = r.Keep(&out, kept)
	case o.reference == "" && r.Tile != factoryTile:
		r.Reference, err = timing.Calibration(cmd.ErrOrStderr(), kept, r.Made)
		r.Calibrated = r.Reference != nil
	}
	if err == nil {
		err = write(cmd, o.json, r.Write, r.JSON)
	}
	if err == nil && o.calibrate && !o.json {
		fmt.Fprintf(cmd.OutOrStdout(), "It is kept for the device %s, and used until %s.\n", r.Device,
			r.Until().Format(time.DateOnly))
	}
	if err != nil {
		return err
	}
	return out.Commit()
}
