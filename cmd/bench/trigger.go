package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/driver/loop"
	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/transport"
)

// A trigger is what --trigger says, PIN[@STEP].
type trigger struct {
	pin  string // "" is none
	step int    // from 1; 0 is the first that fails
}

// Set implements pflag.Value.
func (t *trigger) Set(text string) error {
	pin, step, given := strings.Cut(text, "@")
	n, err := strconv.Atoi(step)
	if pin == "" || given && (err != nil || n < 1) {
		return failure.Usagef("has to be PIN or PIN@STEP, as in GPIO29 or GPIO29@5, with steps counted from 1")
	}
	t.pin, t.step = pin, n
	return nil
}

// String implements pflag.Value.
func (t *trigger) String() string {
	if t.step == 0 {
		return t.pin
	}
	return fmt.Sprintf("%s@%d", t.pin, t.step)
}

// Type implements pflag.Value.
func (t *trigger) Type() string { return "PIN[@STEP]" }

// take sets the trigger's pin for a loop and returns its name, or "".
func (t *trigger) take(cmd *cobra.Command, c *station.Chip, l *loop.Loop) (string, error) {
	if t.pin == "" {
		return "", nil
	}
	steps := len(l.Job.Vector.Steps)
	if t.step > steps {
		return "", failure.Usagef("--trigger %s: %s has the steps 1 to %d", t, l.Job.Vector.Name, steps)
	}
	by, ok := c.Transport.(transport.Trigger)
	if !ok {
		return "", failure.Usagef("--trigger %s: %s has no pins besides the chip's lines", t, c)
	}
	pin, err := by.TakePin(cmd.Context(), t.pin)
	var refused *transport.PinError
	switch {
	case errors.As(err, &refused):
		return "", failure.Usagef("--trigger %w", err)
	case err != nil:
		return "", stopped(cmd.Context(), err)
	}
	l.Trigger = &loop.Trigger{By: by, At: t.step - 1}
	if t.step > 0 {
		fmt.Fprintln(cmd.OutOrStdout(), pulses(pin, l.Trigger.At, steps))
	}
	return pin, nil
}

// pulses says where a scope triggers; at is from 0.
func pulses(pin string, at, steps int) string {
	return fmt.Sprintf("trigger: %s is high for a microsecond before step %d of %d of each execution", pin, at+1, steps)
}
