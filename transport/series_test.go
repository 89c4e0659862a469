package transport

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// counter is a chip that outputs the number of steps since its reset on uo and echoes uio.
type counter struct {
	seen  uint8
	steps int
	fails int // step that fails, counted from 1, or 0
}

func (c *counter) String() string { return "counter" }
func (c *counter) Close() error   { return nil }
func (c *counter) Apply(_ context.Context, steps []Step, samples []Sample) (int, error) {
	for i, s := range steps {
		if c.steps++; c.steps == c.fails {
			return i, ErrClosed
		}
		if c.seen++; s.Reset {
			c.seen = 0
		}
		samples[i] = Sample{Out: c.seen, IO: s.IO & s.Drive}
	}
	return len(steps), nil
}

// counting returns a series of three-step cases with a counter's responses.
func counting(cases int) Series {
	r := Series{Steps: []Step{{Reset: true, Clocks: 1}, {Drive: 0xFF}, {Clocks: 1}},
		Fields: []Field{{Step: 1, Shift: 4, Mask: 0xFF}}, First: 0xFF0, Count: cases}
	for i := range cases {
		r.Want = append(r.Want, Sample{}, Sample{Out: 1, IO: uint8((0xFF0 + i) >> 4)}, Sample{Out: 2})
	}
	return r
}

// On a transport without Signer, Sign applies each case once, and no cases after the batch that differs.
func TestSignCarried(t *testing.T) {
	const batch = carriedSteps / 3 // cases
	for _, c := range []struct{ cases, wrong, steps int }{
		{1, -1, 3}, {1, 0, 3}, {batch, -1, 3 * batch}, {batch + 1, -1, 3*batch + 3},
		{3 * batch, 3*batch - 1, 9 * batch}, {3 * batch, 0, 3 * batch}, {3 * batch, batch, 6 * batch},
	} {
		series := []Series{counting(c.cases), counting(2)}
		if c.wrong >= 0 {
			series[0].Want[3*c.wrong+2].IO ^= 0x80
		}
		var chip counter
		n, err := Sign(t.Context(), &chip, series)
		if n != 2 || err != nil || series[0].Same != (c.wrong < 0) || !series[1].Same || chip.steps != c.steps+6 {
			t.Errorf("%+v: %d, %v, same %v and %v, %d steps", c, n, err, series[0].Same, series[1].Same, chip.steps)
		}
	}
	if n, err := Sign(t.Context(), &counter{fails: 8}, []Series{counting(2), counting(2)}); n != 1 || err != ErrClosed {
		t.Errorf("an error in the second series: %d, %v", n, err)
	}
	chip := new(counter)
	if n, err := Sign(t.Context(), chip, []Series{counting(1), {}}); n != 0 || err == nil || chip.steps != 0 {
		t.Errorf("no steps in the second series: %d, %v, %d steps", n, err, chip.steps)
	}
}

// signer signs all series except the last.
type signer struct{ counter }

func (s *signer) Sign(_ context.Context, series []Series) (int, error) { return len(series) - 1, nil }

// Sign uses a Signer's method; a short response without an error becomes an error.
func TestSignBySigner(t *testing.T) {
	n, err := Sign(t.Context(), new(signer), []Series{counting(2), counting(2)})
	if n != 1 || err == nil || errors.Is(err, ErrClosed) || !strings.Contains(err.Error(), "signed 1 of 2 series") {
		t.Errorf("%d, %v", n, err)
	}
}
