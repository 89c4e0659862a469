package transport

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// TriggerPulse is the minimum length of a Trigger's pulse, visible on any scope.
const TriggerPulse = time.Microsecond

// A Trigger is a transport with spare pins, one of which it can pulse to trigger a scope.
type Trigger interface {
	// TakePin takes a free pin by its name on the board, drives it low until Close releases it to an input without a
	// pull, and returns its full name. It is called once. A *PinError reports why a pin is unavailable.
	TakePin(ctx context.Context, pin string) (string, error)

	// ApplyTriggered is like Apply, but pulses the pin before each step listed in at, in increasing order. The pin goes
	// high for at least TriggerPulse, then low, before the step reaches the lines.
	ApplyTriggered(ctx context.Context, steps []Step, samples []Sample, at []int) (int, error)
}

// A PinError reports a pin that cannot be a trigger. It is a usage error.
type PinError struct {
	Pin, Why string
	Free     []string // available pins, if any
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
