package main

import (
	"fmt"
	"sync/atomic"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/printable"
	"utfbench/station"
	"utfbench/station/native"
)

type timingOptions struct {
	target   target
	selected selection
	count    int
	json     bool
}

func newTiming(d *design) *cobra.Command {
	var o timingOptions
	cmd := &cobra.Command{
		Use:   "timing",
		Short: "Measure how fast a chip is, line by line",
		Long: `timing plays vectors at speed and finds by bisection the highest clock at which all of them pass, how
long after the edge each output is right, how long before it the inputs have to be there, and which
vectors fail first. bench timing --tile factory measures pads, cable and the shuttle's mux, with almost
no logic between.

Exit codes: 0 it was measured, 1 the chip fails slowly too, 2 no vectors at speed there, 5 no vector is for this chip.`,
		Example: `  bench timing --fault uo3=delay:25ns --fault ui5=setup:30ns --fault fmax=25MHz
  bench timing -t rp2040 --json >board7.json`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.target.flags(cmd, d, "at", "sample", "lead") // the command measures these itself
	o.selected.flags(cmd, d)
	cmd.Flags().Var(cli.AtLeast(&o.count, 3, 1), "count", "run the vectors N times at each setting")
	jsonFlag(cmd, &o.json)
	return cmd
}

func (o *timingOptions) run(cmd *cobra.Command) error {
	if err := o.target.CheckOptionUse("at"); err != nil {
		return fmt.Errorf("bench timing measures at speed: %w", err)
	}
	jobs, err := o.selected.some(cmd.Context())
	if err != nil {
		return err
	}
	o.target.atSpeed()
	return o.target.withChip(cmd, func(c *station.Chip) error {
		var settings atomic.Int64
		done := o.target.progress.ShowActivityFunc(func() string {
			return "measuring, " + printable.Count(int(settings.Load()), "setting")
		})
		report, err := native.MeasureTiming(cmd.Context(), c, version(), jobs, o.selected.SelectsAll(), o.count,
			func(n int) { settings.Store(int64(n)) })
		done()
		if err != nil {
			return err
		}
		return write(cmd, o.json, report.WriteText, report.WriteJSON)
	})
}
