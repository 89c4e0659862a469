package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/model"
	"utfbench/transport"
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
	suite, err := golden.LoadFile(golden.FS(), "chip.vec")
	if err != nil {
		return err
	}
	var jobs []driver.Job
	var steps []transport.Step
	var q driver.Sequence
	for i := range suite.Vectors {
		q.Compile(&suite.Vectors[i])
		jobs, steps = append(jobs, driver.Job{Vector: &suite.Vectors[i], File: suite.File}), append(steps, q.Steps...)
	}
	fmt.Fprintf(w, "%s, board %s: the %d steps of the suite chip, at least %s for each line\n\n", c, c.Board.Name, len(steps), each)
	fmt.Fprintf(w, "%8s %12s %14s\n", "batch", "a step", "steps/s")
	b := &batches{Transport: c.Transport, steps: steps, samples: make([]transport.Sample, driver.BatchSteps)}
	var round, last time.Duration
	for i, n := range batchSizes {
		if last, err = b.measure(ctx, n, each); err != nil {
			return err
		}
		if i == 0 {
			round = last
		}
		fmt.Fprintf(w, "%8d %12s %14.0f\n", n, last, float64(time.Second)/float64(max(1, last)))
	}
	fmt.Fprintf(w, "\na round trip takes %s more than a step of a large batch\n", max(0, round-last))
	if b.sent+b.received > 0 {
		fmt.Fprintf(w, "a step costs %.2f bytes out and %.2f bytes in, in large batches\n", b.sent, b.received)
	}
	if err := c.signing(ctx, w, each); err != nil {
		return err
	}
	return c.divide(ctx, w, jobs, each)
}

// signing measures steps that the far end makes itself, where it can: each value below 400 hex written as UTF-32 and read back.
func (c *chip) signing(ctx context.Context, w io.Writer, each time.Duration) error {
	signer, can := c.Transport.(transport.Signer)
	if !can {
		return nil
	}
	var q driver.Sequence
	q.Clear()
	q.Reset()
	q.Write(golden.UTF32, 0, 0, 0, 0)
	for _, form := range golden.Forms {
		q.Read(form, 4)
	}
	r := transport.Run{Steps: q.Steps, Count: 0x400, Fields: []transport.Field{{Step: 3, Shift: 8, Mask: 0xFF}, {Step: 4, Mask: 0xFF}}}
	var steps []transport.Step
	for i := range r.Count {
		steps = r.Append(steps, i)
	}
	r.Want = make([]transport.Sample, len(steps))
	model.New(c.Revision).Run(steps, r.Want)
	runs, made, began := []transport.Run{r}, 0, time.Now()
	for time.Since(began) < each {
		if _, err := signer.Sign(ctx, runs); err != nil {
			return err
		}
		made += len(steps)
	}
	took := time.Since(began) / time.Duration(made)
	_, err := fmt.Fprintf(w, "a step that the far end makes itself, as in a sweep, takes %s: %.0f steps/s\n", took, float64(time.Second)/float64(max(1, took)))
	return err
}

// batches applies steps again and again.
type batches struct {
	transport.Transport
	steps          []transport.Step
	samples        []transport.Sample
	at             int
	sent, received float64 // bytes of a step, of the last measurement
}

// measure is how long a step takes in batches of n.
func (b *batches) measure(ctx context.Context, n int, each time.Duration) (time.Duration, error) {
	meter, counts := b.Transport.(transport.Meter)
	var sent, received int
	if counts {
		sent, received = meter.Traffic()
	}
	applied := 0
	began := time.Now()
	for time.Since(began) < each {
		if b.at+n > len(b.steps) {
			b.at = 0
		}
		if _, err := transport.Apply(ctx, b, b.steps[b.at:b.at+n], b.samples); err != nil {
			return 0, err
		}
		b.at, applied = b.at+n, applied+n
	}
	took := time.Since(began)
	if counts {
		s, r := meter.Traffic()
		b.sent, b.received = float64(s-sent)/float64(applied), float64(r-received)/float64(applied)
	}
	return took / time.Duration(applied), nil
}

// divide runs the vectors and says what part of the time the transport took.
func (c *chip) divide(ctx context.Context, w io.Writer, jobs []driver.Job, each time.Duration) error {
	timed := &stopwatch{Transport: c.Transport}
	r := driver.Runner{Transport: timed, Revision: c.Revision}
	steps, began := 0, time.Now()
	for time.Since(began) < each {
		tally, err := r.Run(ctx, jobs)
		if err != nil {
			return err
		}
		steps += tally.Steps
	}
	whole := time.Since(began)
	own := whole - timed.took
	_, err := fmt.Fprintf(w, "a run takes %s a step: %s in the transport, %s in the bench (compile, lint, model, compare)\n",
		whole/time.Duration(steps), timed.took/time.Duration(steps), own/time.Duration(steps))
	return err
}

// A stopwatch measures how long a transport takes.
type stopwatch struct {
	transport.Transport
	took time.Duration
}

func (s *stopwatch) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	began := time.Now()
	n, err := s.Transport.Apply(ctx, steps, samples)
	s.took += time.Since(began)
	return n, err
}
