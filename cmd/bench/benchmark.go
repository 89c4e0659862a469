package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/runs/identity"
	"utfbench/station"
)

func newBenchmark(d *design) *cobra.Command {
	var t target
	var asJSON bool
	var each time.Duration
	cmd := &cobra.Command{
		Use:   "benchmark",
		Short: "Measure the throughput of a target",
		Long: `benchmark applies the steps of the suite chip in batches of several sizes and says what a step
takes, what a round trip takes, how many bytes a step costs where they are counted, what a step
takes that the far end makes itself, as a demo board can, and how a run divides its time between
the transport and the bench's own work.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if each <= 0 {
				return failure.Usagef("--each %s: has to be more than 0", each)
			}
			c, err := t.open(cmd.Context(), cmd)
			if err != nil {
				return err
			}
			defer leave(cmd, c)
			measure := benchmark
			if asJSON {
				measure = benchmarkJSON
			}
			if err := measure(cmd.Context(), c, cmd.OutOrStdout(), each); err != nil {
				return stopped(cmd.Context(), err)
			}
			return nil
		},
	}
	t.flags(cmd, d)
	jsonFlag(cmd, &asJSON)
	cmd.Flags().DurationVar(&each, "each", time.Second, "how long each measurement lasts, at least")
	return cmd
}

func benchmark(ctx context.Context, c *station.Chip, w io.Writer, each time.Duration) error {
	m, err := driver.NewMeasure(c.Transport, c.Tile, each)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s, board %s: the %d steps of the suite chip, at least %s for each line\n\n", c,
		c.Board.Name, m.Steps(), each)
	_, err = m.All(ctx, w)
	return err
}

// benchmarkJSON measures for a program, and writes one document at the end.
func benchmarkJSON(ctx context.Context, c *station.Chip, w io.Writer, each time.Duration) error {
	m, err := driver.NewMeasure(c.Transport, c.Tile, each)
	if err != nil {
		return err
	}
	r, err := m.All(ctx, io.Discard)
	if err != nil {
		return err
	}
	return document.Write(w, struct {
		identity.About
		Steps int           `json:"steps"`
		Each  time.Duration `json:"each_ns"`
		*driver.Throughput
	}{about(c), m.Steps(), each, r})
}
