package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/driver/speed"
)

// batchSizes are those that are measured; the last is what a run uses.
var batchSizes = []int{1, 10, 100, 1000, driver.BatchSteps}

func newBenchmark() *cobra.Command {
	var t target
	var each time.Duration
	cmd := &cobra.Command{
		Use:   "benchmark",
		Short: "Measure how fast a chip can be asked, and where the time goes",
		Long: `benchmark applies the steps of the suite chip in batches of several sizes and says what a step takes, what a round trip takes, how many
bytes a step costs where they are counted, what a step takes that the far end makes itself, as a demo board can, and how a run divides its time between the transport and the bench's own work.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if each <= 0 {
				return fmt.Errorf("--each %s: has to be more than 0", each)
			}
			c, err := t.open(cmd)
			if err != nil {
				return err
			}
			defer c.leave()
			if err := c.benchmark(cmd.Context(), cmd.OutOrStdout(), each); err != nil {
				return c.stopped(cmd.Context(), err)
			}
			return nil
		},
	}
	t.flags(cmd)
	cmd.Flags().DurationVar(&each, "each", time.Second, "how long each measurement lasts, at least")
	return cmd
}

func (c *chip) benchmark(ctx context.Context, w io.Writer, each time.Duration) error {
	m, err := speed.New(c.Transport, c.Tile, each)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s, board %s: the %d steps of the suite chip, at least %s for each line\n\n", c, c.Board.Name, m.Steps(), each)
	if err := printBatches(ctx, w, m); err != nil {
		return err
	}
	step, can, err := m.Signed(ctx)
	if err != nil {
		return err
	}
	if can {
		fmt.Fprintf(w, "a step that the far end makes itself, as in a sweep, takes %s: %.0f steps/s\n", step, stepsPerSecond(step))
	}
	s, err := m.Run(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "a run takes %s a step: %s in the transport, %s in the bench (compile, lint, model, compare)\n", s.Step, s.Transport, s.Own)
	return err
}

// printBatches measures each size of batch, a line each, and says what follows of the smallest and the largest.
func printBatches(ctx context.Context, w io.Writer, m *speed.Measure) (err error) {
	fmt.Fprintf(w, "%8s %12s %14s\n", "batch", "a step", "steps/s")
	var first, last speed.Batch
	for i, n := range batchSizes {
		if last, err = m.Batch(ctx, n); err != nil {
			return err
		}
		if i == 0 {
			first = last
		}
		fmt.Fprintf(w, "%8d %12s %14.0f\n", n, last.Step, stepsPerSecond(last.Step))
	}
	fmt.Fprintf(w, "\na round trip takes %s more than a step of a large batch\n", max(0, first.Step-last.Step))
	if last.Sent+last.Received > 0 {
		fmt.Fprintf(w, "a step costs %.2f bytes out and %.2f bytes in, in large batches\n", last.Sent, last.Received)
	}
	return nil
}

func stepsPerSecond(step time.Duration) float64 { return float64(time.Second) / float64(max(1, step)) }
