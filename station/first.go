package station

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"utfbench/cause/timing"
	"utfbench/driver"
	"utfbench/golden"
	"utfbench/tile"
	"utfbench/transport"
)

// measured reports the measurement of an assumption about the board. A wrong assumption is not the chip's fault.
func (e *examination) measured(row string, agrees bool, text string) {
	mark := "ok"
	if !agrees {
		mark, e.differs = "NO", true
	}
	e.tell(Finding{Mark: mark, Layer: row, Text: text})
}

// A looper is a transport that can wait in a loop of known duration.
type looper interface {
	LoopTime() (measured, known time.Duration, agree bool)
}

// levels checks that the lines of uio follow the bench while the chip drives none of them, and measures a step's time.
func (e *examination) levels(ctx context.Context, c *Chip) error {
	var steps []transport.Step
	for bit := range 8 {
		for _, levels := range []uint8{1 << bit, ^uint8(1 << bit)} {
			steps = append(steps, transport.Step{IO: levels, Drive: 0xFF, Reset: true})
		}
	}
	if c.Tile.Drives(transport.ParkStep) != 0 || c.Tile.Lint(steps) != nil {
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
		if measured, known, agree := b.LoopTime(); known == 0 {
			e.tell(Finding{Mark: "--", Layer: "wait loop", Text: "not measured: known of an RP2040 with viper only"})
		} else {
			e.measured("wait loop", agree, fmt.Sprintf("%s, and %s is usual; runs use the board's time if it differs "+
				"by a tenth", measured, known))
		}
	}
	if err := e.bursts(ctx, c); err != nil {
		return err
	}
	return e.pace(ctx, c)
}

// bursts checks that bursts give the same samples as single steps, and measures clk's period by this machine's clock.
func (e *examination) bursts(ctx context.Context, c *Chip) error {
	const row = "bursts"
	p, err := transport.NewPlayer(ctx, c.Transport, transport.TimingAtFrequency(1e6))
	if errors.Is(err, transport.ErrNoBursts) {
		e.tell(Finding{Mark: "--", Layer: row, Text: "not measured: " + err.Error()})
		return nil
	}
	var v golden.Vector
	if err == nil {
		v.Steps, err = tile.WiringSteps(ctx, c.Tile)
	}
	if err == nil {
		err = timing.CheckBursts(ctx, p, c.Tile, []driver.Job{{Vector: &v}})
	}
	if err != nil && !errors.Is(err, timing.ErrBurstsFail) {
		return e.report(row, "", benchFault(err))
	}
	text := fmt.Sprintf("%d steps are right in bursts, too", len(v.Steps))
	if err != nil {
		text = err.Error() + "; a run with --at ends in an ERROR"
	}
	e.measured(row, err == nil, text)
	return e.clockPeriod(ctx, p)
}

// clockPeriod measures clk's period by this machine's clock. It plays two bursts of the same steps with different
// periods. The difference of their durations is due to clk.
func (e *examination) clockPeriod(ctx context.Context, p *transport.Player) error {
	const row, longest, least = "clk period", 2 * time.Microsecond, 5 * time.Millisecond
	g, held := p.Grid(), transport.Step{Reset: true, Clocks: math.MaxUint8}
	steps := slices.Repeat([]transport.Step{held}, min(100, g.Periods/math.MaxUint8))
	clocks := time.Duration(len(steps) * math.MaxUint8)
	var periods [2]time.Duration
	took := [2]time.Duration{time.Hour, time.Hour}
	for i, period := range []time.Duration{g.MinPeriod, min(g.MaxPeriod, longest)} {
		at, err := p.SetTiming(transport.Timing{Period: period, Sample: transport.SampleAtFall})
		if err != nil {
			return e.report(row, "", benchFault(err))
		}
		periods[i] = at.Period
		for range 4 { // the first burst also prepares the timing
			began := time.Now()
			if _, err := transport.Apply(ctx, p, steps, make([]transport.Sample, len(steps))); err != nil {
				return e.report(row, "", benchFault(err))
			}
			took[i] = min(took[i], time.Since(began))
		}
	}
	want := periods[1] - periods[0]
	if want*clocks < least {
		e.tell(Finding{Mark: "--", Layer: row, Text: "not measured: a burst is too short for this machine's clock"})
		return nil
	}
	measured := (took[1] - took[0]) / clocks
	e.measured(row, measured > want*9/10 && measured < want*11/10, fmt.Sprintf("longer by %s, and by %s was "+
		"programmed; if it differs, times of bench timing, bench shmoo and run --at are off by that factor", measured,
		want))
	return nil
}

// slow is the maximum duration of a step, on the slowest known back-end.
const slow = 5 * time.Millisecond

// pace measures the duration of a step in the best of several batches, so that a busy machine does not show.
func (e *examination) pace(ctx context.Context, c *Chip) error {
	steps := make([]transport.Step, 256)
	for i := range steps {
		steps[i] = transport.ParkStep
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
