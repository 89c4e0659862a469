package speed

import (
	"context"
	"fmt"
	"io"
	"time"

	"utfbench/driver"
)

// sizes of batches are measured; the last is what a run uses.
var sizes = []int{1, 10, 100, 1000, driver.BatchSteps}

// Write measures all there is, and tells each as soon as it is known.
func (m *Measure) Write(ctx context.Context, w io.Writer) error {
	if err := m.batches(ctx, w); err != nil {
		return err
	}
	step, can, err := m.Signed(ctx)
	if err != nil {
		return err
	}
	if can {
		fmt.Fprintf(w, "a step that the far end makes itself, as in a sweep, takes %s: %.0f steps/s\n", step, perSecond(step))
	}
	s, err := m.Run(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "a run takes %s a step: %s in the transport, %s in the bench (compile, lint, model, compare)\n", s.Step, s.Transport, s.Own)
	return err
}

// batches has a line for each size, and what follows of the smallest and the largest.
func (m *Measure) batches(ctx context.Context, w io.Writer) (err error) {
	fmt.Fprintf(w, "%8s %12s %14s\n", "batch", "a step", "steps/s")
	var first, last Batch
	for i, n := range sizes {
		if last, err = m.Batch(ctx, n); err != nil {
			return err
		}
		if i == 0 {
			first = last
		}
		fmt.Fprintf(w, "%8d %12s %14.0f\n", n, last.Step, perSecond(last.Step))
	}
	fmt.Fprintf(w, "\na round trip takes %s more than a step of a large batch\n", max(0, first.Step-last.Step))
	if last.Sent+last.Received > 0 {
		fmt.Fprintf(w, "a step costs %.2f bytes out and %.2f bytes in, in large batches\n", last.Sent, last.Received)
	}
	return nil
}

func perSecond(step time.Duration) float64 { return float64(time.Second) / float64(max(1, step)) }
