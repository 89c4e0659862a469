package remote

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"utfbench/transport"
)

// A chain is a chip whose samples depend on all previous steps, so that none can be omitted, repeated or swapped. It
// has no optional abilities.
type chain struct {
	state  uint32
	steps  int
	breaks int // step that fails, counted from 1, or 0
	calls  int // step that calls call, counted likewise
	call   func()
	err    error // of the failing step; nil for errBroke
	heals  bool  // the next batch works again
	dead   error
	closed bool
}

var errBroke = errors.New("the chain broke")

func (c *chain) String() string { return "chain" }

func (c *chain) next(s transport.Step) transport.Sample {
	reset := uint32(0)
	if s.Reset {
		reset = 1
	}
	for _, b := range []uint32{uint32(s.In), uint32(s.IO), uint32(s.Drive), reset, uint32(s.Clocks)} {
		c.state = (c.state ^ b) * 16777619
	}
	c.steps++
	return transport.Sample{Out: uint8(c.state >> 24), IO: uint8(c.state >> 16)}
}

func (c *chain) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	if c.closed {
		return 0, transport.ErrClosed
	}
	if c.dead != nil {
		return 0, c.dead
	}
	if err := transport.CheckBatch(ctx, steps, samples); err != nil {
		return 0, err
	}
	for i, s := range steps {
		if c.breaks > 0 && c.steps+1 == c.breaks {
			err := cmp.Or(c.err, errBroke)
			if c.breaks = 0; !c.heals {
				c.dead = err
			}
			return i, err
		}
		samples[i] = c.next(s)
		if c.steps == c.calls {
			c.call()
		}
	}
	return len(steps), nil
}

func (c *chain) Close() error { c.closed = true; return nil }

// able is a chain with a trigger, a meter, and its own Sign and ApplyGuarded.
type able struct {
	chain
	pulses  []int // number of steps before each
	signed  int   // series
	guarded int   // batches
}

func (a *able) ApplyGuarded(ctx context.Context, steps []transport.Step, samples []transport.Sample,
	g transport.Guard) (int, error) {
	a.guarded++
	if len(g.At) == 0 {
		panic("a Guarder was called without a guard")
	}
	return transport.ApplyGuarded(ctx, &a.chain, steps, samples, g)
}

func (a *able) Traffic() (sent, received int) { return 10 * a.steps, 4 * a.steps }

func (a *able) TakePin(_ context.Context, pin string) (string, error) {
	if pin != "7" {
		return "", &transport.PinError{Pin: pin, Why: "uo0 is at it", Free: []string{"GPIO7", "GPIO8"}}
	}
	return "GPIO7", nil
}

func (a *able) ApplyTriggered(ctx context.Context, steps []transport.Step, samples []transport.Sample,
	at []int) (int, error) {
	done := 0
	for _, to := range append(at[:len(at):len(at)], len(steps)) {
		n, err := a.Apply(ctx, steps[done:to], samples[done:to])
		if err != nil {
			return done + n, err
		}
		if done = to; to < len(steps) {
			a.pulses = append(a.pulses, a.steps)
		}
	}
	return len(steps), nil
}

func (a *able) Sign(ctx context.Context, series []transport.Series) (int, error) {
	a.signed += len(series)
	return transport.Sign(ctx, &a.chain, series)
}

// slow is a chip that waits before its last step until it is released or ctx ends.
type slow struct {
	chain
	mu      sync.Mutex
	waits   chan struct{} // receives a value when it waits
	letGo   chan struct{}
	ignores bool // ctx
}

func newSlow() *slow {
	return &slow{waits: make(chan struct{}, 100), letGo: make(chan struct{})}
}

func (s *slow) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.chain.Apply(ctx, steps[:len(steps)-1], samples)
	if err != nil {
		return n, err
	}
	s.waits <- struct{}{}
	done := ctx.Done()
	if s.ignores {
		done = nil
	}
	select {
	case <-done:
		return n, ctx.Err()
	case <-s.letGo:
		return len(steps), nil
	}
}
