package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/cli"
	"utfbench/runs/report"
	"utfbench/station"
)

func newBenchmark(d *design) *cobra.Command {
	var t target
	var asJSON bool
	var each time.Duration
	cmd := &cobra.Command{
		Use:   "benchmark",
		Short: "Measure the throughput of a target",
		Long: `benchmark applies the steps of the suite chip in batches of several sizes and prints the time of a step
and of a round trip, the bytes of a step where they are counted, the time of a step that the far end
generates itself, as a demo board can, and how a run divides its time between the transport and the
bench's own work.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return t.with(cmd, func(c *station.Chip) error {
				m, err := driver.NewMeasure(c.Transport, c.Tile, each)
				if err != nil {
					return err
				}
				text := cmd.OutOrStdout()
				if asJSON {
					text = io.Discard
				}
				fmt.Fprintf(text, "%s, board %s: the %d steps of the suite chip, at least %s for each line\n\n", c,
					c.Board.Name, m.Steps(), each)
				r, err := m.All(cmd.Context(), text)
				if err != nil || !asJSON {
					return err
				}
				return asDocument(struct {
					report.About
					Steps int           `json:"steps"`
					Each  time.Duration `json:"each_ns"`
					*driver.Throughput
				}{about(c), m.Steps(), each, r})(cmd.OutOrStdout())
			})
		},
	}
	t.flags(cmd, d)
	jsonFlag(cmd, &asJSON)
	cmd.Flags().Var(cli.NewSpan(&each, time.Second), "each", "how long each measurement lasts, at least")
	return cmd
}
