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

// FreeRun calls the transport's FreeRun with the present timing.
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
	p.drive = held.Drive
	return p.burster.(FreeRunner).FreeRun(ctx, held, clocks, p.Timing())
}
