package transport

import (
	"context"
	"fmt"
)

// A FreeRunner is a Burster that can also run clk without samples.
type FreeRunner interface {
	Burster

	// RunsFree reports whether FreeRun is available.
	RunsFree() bool

	// FreeRun holds the levels of a step while clk runs for exactly this number of periods, which no limit of a burst
	// bounds. clk rests before and after, and may rest in between. The timing must come from Grid.Round.
	FreeRun(ctx context.Context, held Step, clocks int, at Timing) error
}

// RunsFree reports whether FreeRun is available.
func (p *Player) RunsFree() bool {
	f, is := p.burster.(FreeRunner)
	return is && f.RunsFree()
}

// FreeRun runs clk with the present timing. The last clock becomes the first of the next burst, so that clk rests
// before it, and not before the first sample of the burst.
func (p *Player) FreeRun(ctx context.Context, held Step, clocks int) error {
	if !p.RunsFree() || clocks < 0 {
		return fmt.Errorf("%s: clk cannot run for %d clocks without samples", p, clocks)
	}
	if p.closed.Load() {
		return ErrClosed
	}
	if clocks == 0 {
		return ctx.Err()
	}
	before := clocks - 1 + int(p.owed.Clocks)
	p.drive, p.owed = held.Drive, held
	p.owed.Clocks = 1
	if before == 0 {
		return ctx.Err()
	}
	return p.burster.(FreeRunner).FreeRun(ctx, held, before, p.Timing())
}

// applyOwed applies the last clock of a free run and the steps, and drops the sample of that clock.
func (p *Player) applyOwed(ctx context.Context, steps []Step, samples []Sample) (int, error) {
	steps = append([]Step{p.owed}, steps...)
	all := make([]Sample, len(steps))
	p.owed = Step{}
	n, err := p.apply(ctx, steps, all)
	n = max(0, n-1)
	copy(samples[:n], all[1:])
	return n, err
}
