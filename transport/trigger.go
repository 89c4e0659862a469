package transport

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// TriggerPulse is how long the pulse of a Trigger is, at least: a scope of any kind sees it.
const TriggerPulse = time.Microsecond

// A Trigger is a transport with pins besides the lines, one of which it can pulse so that a scope triggers there.
type Trigger interface {
	// TakePin takes a free pin, by its name on the board, drives it low until Close, which releases it (an input
	// without a pull), and gives its name in full. It is called once. A *PinError says why the pin cannot be had.
	TakePin(ctx context.Context, pin string) (string, error)

	// ApplyTriggered is Apply with a pulse on that pin before each step listed in at, in rising order: high for at
	// least TriggerPulse, then low, and only then does the step reach the lines.
	ApplyTriggered(ctx context.Context, steps []Step, samples []Sample, at []int) (int, error)
}

// A PinError is that a pin cannot be a trigger: bad input.
type PinError struct {
	Pin, Why string
	Free     []string // the pins that can; may be none
}

func (e *PinError) Error() string {
	free := "no pin of this board is free"
	switch len(e.Free) {
	case 0:
	case 1:
		free = "free on this board is " + e.Free[0]
	default:
		free = "free on this board are " + strings.Join(e.Free, ", ")
	}
	return fmt.Sprintf("%s cannot be pulsed: %s; %s", e.Pin, e.Why, free)
}
