package station

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// A Trigger has a pin pulsed at one step of the vector in each execution, so that a scope triggers there.
type Trigger struct {
	By transport.Trigger // which has taken its pin
	At int               // before which step, from 0; if negative, before the first that fails, once one has
}

// triggered is a chip with batches that are executions of one vector, as a Runner makes them.
type triggered struct {
	transport.Transport
	*Trigger
	steps int // of the vector
	at    []int
}

func (t *triggered) Apply(ctx context.Context, steps []transport.Step, got []transport.Sample) (int, error) {
	if t.At < 0 {
		return t.Transport.Apply(ctx, steps, got)
	}
	t.at = t.at[:0]
	for i := t.At; i < len(steps); i += t.steps {
		t.at = append(t.at, i)
	}
	return t.By.ApplyTriggered(ctx, steps, got, t.at)
}

// A Pulse is a pin of a board's microcontroller that is pulsed for a scope, as PIN[@STEP].
type Pulse struct {
	Pin  string // "" is none
	Step int    // of the vector, before which; from 1; 0 is the first that fails
}

// ParsePulse parses PIN[@STEP].
func ParsePulse(text string) (Pulse, error) {
	pin, step, given := strings.Cut(text, "@")
	n, err := strconv.Atoi(step)
	if pin == "" || given && (err != nil || n < 1) {
		return Pulse{}, failure.Usagef("has to be PIN or PIN@STEP, as in GPIO29 or GPIO29@5, with steps counted from 1")
	}
	return Pulse{pin, n}, nil
}

// String returns PIN[@STEP].
func (p Pulse) String() string {
	if p.Step == 0 {
		return p.Pin
	}
	return fmt.Sprintf("%s@%d", p.Pin, p.Step)
}

// take takes the pin for a loop and returns its name, or "".
func (p Pulse) take(ctx context.Context, w io.Writer, c *Chip, l *Loop) (string, error) {
	if p.Pin == "" {
		return "", nil
	}
	steps := len(l.Job.Vector.Steps)
	if p.Step > steps {
		return "", failure.Usagef("--trigger %s: %s has the steps 1 to %d", p, l.Job.Vector.Name, steps)
	}
	by, ok := c.Transport.(transport.Trigger)
	if !ok {
		return "", failure.Usagef("--trigger %s: %s has no pins besides the chip's lines", p, c)
	}
	pin, err := by.TakePin(ctx, p.Pin)
	var refused *transport.PinError
	switch {
	case errors.As(err, &refused):
		return "", failure.Usagef("--trigger %w", err)
	case err != nil:
		return "", Asking(ctx, err)
	}
	l.Trigger = &Trigger{By: by, At: p.Step - 1}
	if p.Step > 0 {
		fmt.Fprintln(w, pulses(pin, l.Trigger.At, steps))
	}
	return pin, nil
}

// pulses says where a scope triggers; at is from 0.
func pulses(pin string, at, steps int) string {
	return fmt.Sprintf("trigger: %s is high for a microsecond before step %d of %d of each execution", pin, at+1, steps)
}
