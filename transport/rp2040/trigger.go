package rp2040

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"utfbench/transport"
)

var _ transport.Trigger = (*Transport)(nil)

// # The trigger
//
// The code 0xF8 31 0 0 0, a definition of a nonexistent shape, pulses the trigger's pin. The step loop itself thus
// makes the pulse between two steps of a batch, a fixed number of cycles before the step except for an occasional USB
// interrupt. Batches without a trigger are unchanged.
var triggerCode = []byte{define, shapeSlots, 0, 0, 0}

// triggers returns marks with the trigger's code for the given steps.
func triggers(at []int) []mark {
	marks := make([]mark, len(at))
	for i, step := range at {
		marks[i] = mark{step, triggerCode}
	}
	return marks
}

// owners maps pins to their uses. It rejects an incomplete pin map.
func owners(c *Config) (map[int]string, error) {
	owner := map[int]string{}
	for _, p := range c.High {
		owner[p] = "a pin that is kept high"
	}
	for _, s := range transport.Lines {
		p, ok := c.Pins[s]
		switch {
		case !ok:
			return nil, fmt.Errorf("the pin map has no pin for %s", s)
		case owner[p] != "":
			return nil, fmt.Errorf("the pin map gives GPIO%d to %s, and it is %s already", p, s, owner[p])
		}
		owner[p] = s
	}
	if len(c.Pins) != transport.LineN {
		return nil, fmt.Errorf("the pin map has %d signals, and the chip has %d", len(c.Pins), transport.LineN)
	}
	return owner, nil
}

// besides adds other uses of the board's pins to owner.
func (c *Config) besides(owner map[int]string) map[int]string {
	for p, name := range c.Taken {
		if owner[p] == "" {
			owner[p] = name
		}
	}
	return owner
}

// smallPackage is the pin count of an RP2350A, which cannot be distinguished from an RP2350B by its description.
const smallPackage = 30

// free returns the unused pins. It includes pins beyond an RP2350A's only if the board uses some of them.
func (t *Transport) free() (names []string) {
	end := smallPackage
	for p := range t.owner {
		if p >= smallPackage {
			end = t.family.pins
		}
	}
	for p := range end {
		if t.owner[p] == "" {
			names = append(names, gpio(p))
		}
	}
	return names
}

func gpio(n int) string { return fmt.Sprintf("GPIO%d", n) }

// pinNumber parses 29, GPIO29, and GP29, which is printed on a Pico.
func pinNumber(name string) (int, bool) {
	digits := strings.TrimPrefix(strings.TrimPrefix(strings.ToUpper(name), "GP"), "IO")
	n, err := strconv.ParseUint(digits, 10, 8)
	return int(n), err == nil
}

// TakePin implements transport.Trigger.
func (t *Transport) TakePin(ctx context.Context, pin string) (name string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.usable(ctx); err != nil {
		return "", err
	}
	n, ok := pinNumber(pin)
	switch {
	case !ok:
		return "", &transport.PinError{Pin: pin, Why: "a pin is a number, as in GPIO29 or 29", Free: t.free()}
	case n >= t.family.pins:
		return "", t.noPin(n)
	case t.owner[n] != "":
		return "", &transport.PinError{Pin: gpio(n), Why: t.owner[n] + " is at it", Free: t.free()}
	}
	f, err := t.exchange(ctx, kindPins, []byte{byte(n), modeTrigger})
	switch {
	case err != nil:
		return "", t.bury(err)
	case len(f.payload) > 0:
		return "", t.noPin(n)
	}
	t.owner[n] = "the trigger"
	r := t.family.banks[n/bankPins]
	_, err = t.exchange(ctx, kindWords, words(wordTrigger, 1<<(n%bankPins), r.set, r.clr,
		t.pace.loops(transport.TriggerPulse, 0)))
	return gpio(n), t.bury(err)
}

func (t *Transport) noPin(n int) error {
	return &transport.PinError{Pin: gpio(n), Why: "the board's " + t.family.name + " has no such pin", Free: t.free()}
}

// ApplyTriggered implements transport.Trigger.
func (t *Transport) ApplyTriggered(ctx context.Context, steps []transport.Step, samples []transport.Sample,
	at []int) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.apply(ctx, steps, samples, triggers(at))
}
