package station

import (
	"context"
	"fmt"

	"utfbench/internal/failure"
	"utfbench/transport/rp2040/demoboard"
)

// Park parks the user's chip from any state, and describes the result. It does not test the chip, and selects no design
// on a local demo board. If the wiring is unknown, it releases all pins instead.
func (t *Target) Park(ctx context.Context) (state string, err error) {
	k, where, err := t.FindKind()
	switch {
	case err != nil:
		return "", err
	case k.Park != nil:
		return k.Park(ctx, t, where)
	}
	c, err := t.reach(ctx, &k, where) // does not recognise the chip
	if err != nil {
		return "", err
	}
	if err := c.Close(); err != nil {
		return "", benchFault(err)
	}
	return c.String() + ": parked", nil
}

func parkDemoBoard(ctx context.Context, t *Target, where string) (state string, err error) {
	b, err := t.DialDemoBoard(ctx, where)
	if err != nil {
		return "", err
	}
	defer b.Close()
	if _, err := b.Detect(); err != nil {
		if err := b.ReleasePins(ctx); err != nil {
			return "", benchFault(err)
		}
		return b.Port + ": the wiring is not known, so all pins were released; with --board the chip can be parked", nil
	}
	return park(ctx, b)
}

// park starts and stops the step program, which parks the chip each time. It selects no design.
func park(ctx context.Context, b *demoboard.Board) (string, error) {
	if err := b.Identify(ctx); err != nil {
		return "", err
	}
	if b.Facts.SDK != nil {
		if _, err := b.StopClock(ctx); err != nil {
			return "", benchFault(err)
		}
	}
	tr, err := b.Start(ctx)
	if err != nil {
		return "", benchFault(err)
	}
	if err := tr.Close(); err != nil {
		return "", benchFault(err)
	}
	return fmt.Sprintf("%s: %s", tr, tr.BoardState()), nil
}

// Reboot restarts a demo board as if after power-up, and describes the result.
func (t *Target) Reboot(ctx context.Context) (state string, err error) {
	k, where, err := t.FindKind()
	switch {
	case err != nil:
		return "", err
	case k.Reboot == nil:
		return "", failure.Usagef("--reboot is for a board with MicroPython, and not for %s", t.Transport)
	}
	return k.Reboot(ctx, t, where)
}

func rebootDemoBoard(ctx context.Context, t *Target, where string) (state string, err error) {
	b, err := t.DialDemoBoard(ctx, where)
	if err != nil {
		return "", err
	}
	defer b.Close()
	if err := b.Reboot(ctx); err != nil {
		return "", benchFault(err)
	}
	f, err := b.Console.ReadFacts(ctx)
	if err != nil {
		return "", benchFault(err)
	}
	state = "main.py was run; there is no tt"
	if f.Started {
		state = "main.py was run, and the SDK's tt is available"
	}
	return fmt.Sprintf("rp2040:%s: %s", b.Port, state), nil
}
