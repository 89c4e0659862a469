package station

import (
	"context"
	"fmt"

	"utfbench/fault"
	"utfbench/internal/failure"
)

// reach opens the transport, and asks the chip nothing.
func (t *Target) reach(ctx context.Context, k *Kind, where string) (*Chip, error) {
	c, err := t.prepare(k)
	if err != nil {
		return nil, err
	}
	if c.Transport, err = k.Open(ctx, t, where, c); err != nil {
		return nil, err
	}
	if c.Recording != nil {
		return c, nil
	}
	if c.Info.Kind == "" { // else it was said already which chip answers
		c.identify(k.Name)
	}
	c.Target = t.Args()
	if c.SeedDrawn = t.Seed == 0 && fault.DependOnSeed(c.Faults); c.SeedDrawn {
		c.Target = append(c.Target, "--seed", fmt.Sprint(c.Seed))
	}
	return c, nil
}

// A BoardStateError is of a target that could not be opened, and says in which state it leaves a board that people use
// by its prompt too; see Chip.LeftState.
type BoardStateError struct {
	BoardState string
	err        error
}

// Error implements error.
func (e *BoardStateError) Error() string { return e.err.Error() }

// Unwrap returns the reason.
func (e *BoardStateError) Unwrap() error { return e.err }

func benchFault(err error) error { return failure.New(failure.Bench, err) }

// TransportError returns the error of a transport, or of the context that ended it.
func TransportError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return failure.Newf(failure.Interrupted, "stopped")
	}
	return benchFault(err)
}
