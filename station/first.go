package station

import (
	"context"
	"fmt"
	"time"

	"utfbench/transport"
)

// measured tells of something that the bench assumes about a board and that was measured. A difference is never the
// chip's fault.
func (e *examination) measured(row string, agrees bool, text string) {
	mark := "ok"
	if !agrees {
		mark, e.differs = "NO", true
	}
	e.tell(Finding{Mark: mark, Layer: row, Text: text})
}

// A looper is a transport with a wait loop of known time.
type looper interface {
	Loop() (measured, known time.Duration, agree bool)
}

// levels measures whether the lines of uio follow the bench while the chip drives none of them, and how long a step
// takes.
func (e *examination) levels(ctx context.Context, c *Chip) error {
	var steps []transport.Step
	for bit := range 8 {
		for _, levels := range []uint8{1 << bit, ^uint8(1 << bit)} {
			steps = append(steps, transport.Step{IO: levels, Drive: 0xFF, Reset: true})
		}
	}
	if c.Tile.Drives(transport.Park) != 0 || c.Tile.Lint(steps) != nil {
		e.tell(Finding{Mark: "--", Layer: "uio driven", Text: "not measured: the design may drive uio"})
		return nil
	}
	samples := make([]transport.Sample, len(steps))
	if _, err := transport.Apply(ctx, c.Transport, steps, samples); err != nil {
		return e.report("uio driven", "", benchFault(err))
	}
	var wrong uint8
	for i, s := range samples {
		wrong |= (s.IO ^ steps[i].IO) | s.IOX
	}
	text := "its lines follow the bench"
	if wrong != 0 {
		text = (transport.Outputs(wrong) << 8).String() + " do not follow the bench: look for a short or " +
			"another driver; a run does not judge the chip behind it"
	}
	e.measured("uio driven", wrong == 0, text)
	if b, is := c.Transport.(looper); is {
		if measured, known, agree := b.Loop(); known == 0 {
			e.tell(Finding{Mark: "--", Layer: "wait loop", Text: "not measured: known of an RP2040 with viper only"})
		} else {
			e.measured("wait loop", agree, fmt.Sprintf("%s, and %s is usual; runs use the board's time if it differs "+
				"by a tenth", measured, known))
		}
	}
	return e.pace(ctx, c)
}

// slow is the maximum time of a step, by the slowest back-end known.
const slow = 5 * time.Millisecond

// pace measures the time of a step. It takes the best of several batches, so that a busy machine is not taken for slow
// pins.
func (e *examination) pace(ctx context.Context, c *Chip) error {
	steps := make([]transport.Step, 256)
	for i := range steps {
		steps[i] = transport.Park
	}
	samples, least := make([]transport.Sample, len(steps)), time.Hour
	for range 20 {
		began := time.Now()
		if _, err := transport.Apply(ctx, c.Transport, steps, samples); err != nil {
			return e.report("pace", "", benchFault(err))
		}
		if least = min(least, time.Since(began)/time.Duration(len(steps))); least <= slow {
			break
		}
	}
	e.measured("pace", least <= slow, fmt.Sprintf("%s a step in a batch, and %s at most is usual; runs wait as long "+
		"as it takes", least.Round(10*time.Nanosecond), slow))
	return nil
}
