package diagnose

import (
	"context"
	"fmt"
	"testing"

	"utfbench/cause/search"
	"utfbench/tile"
	"utfbench/transport"
)

// A counter is the factory test's chip with faulty clk and rst_n. Its counter powers up in some state.
type counter struct {
	rst      func(low bool) bool // returns the level that reaches the chip
	clocked  bool
	released func(kept uint8) uint8 // returns the levels of undriven uio lines

	n    uint8
	runs bool
	uio  uint8 // latest levels
}

func (c *counter) String() string { return "counter" }
func (c *counter) Close() error   { return nil }

func (c *counter) Apply(_ context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	for i, s := range steps {
		low := c.rst(s.Reset)
		for range s.Clocks {
			if c.clocked && !low && c.runs {
				c.n++
			}
			c.runs = c.runs || c.clocked
		}
		if low {
			c.n, c.runs = 0, false
		}
		samples[i] = c.sample(s, low)
	}
	return len(steps), nil
}

func (c *counter) sample(s transport.Step, low bool) transport.Sample {
	counts := !low && s.In&1 != 0
	c.uio = c.released(c.uio)&^s.Drive | s.IO&s.Drive
	if counts {
		c.uio = c.n
	}
	switch {
	case low:
		return transport.Sample{Out: s.In, IO: c.uio}
	case counts:
		return transport.Sample{Out: c.n, IO: c.uio}
	}
	return transport.Sample{Out: c.uio, IO: c.uio}
}

// keep returns the levels that released lines keep for a while.
func keep(kept uint8) uint8 { return kept }

// A chip held in reset does not drive uio, so these lines keep their levels. The suspects are rst_n and its short to
// clk, since clk is low whenever a sample is taken.
func TestHeldInReset(t *testing.T) {
	chip := &counter{rst: func(bool) bool { return true }, clocked: true, released: keep}
	r, err := CheckWiring(t.Context(), chip, tile.FactoryTest{}, 0)
	if want := "[rst_n is open or stuck at 0 clk and rst_n are shorted together]"; err != nil ||
		r.Verdict != BadWires || fmt.Sprint(r.SuspectsByLine()) != want {
		t.Errorf("%+v, %v; want %s", r, err, want)
	}
}

// unreset finds resets that end in different states with any inputs; with idle inputs the factory test shows only uio.
func TestUnreset(t *testing.T) {
	steps, err := tile.WiringSteps(t.Context(), tile.FactoryTest{})
	if err != nil {
		t.Fatal(err)
	}
	for want, rst := range map[bool]func(bool) bool{
		true:  func(bool) bool { return false },
		false: func(low bool) bool { return low },
	} {
		chip := &counter{rst: rst, clocked: true, n: 0x37, released: func(uint8) uint8 { return 0 }}
		got := make([]transport.Sample, len(steps))
		if _, err := chip.Apply(t.Context(), steps, got); err != nil {
			t.Fatal(err)
		}
		e := newExam(search.Search{Tile: tile.FactoryTest{}}, []search.Execution{{Steps: steps, Got: got}})
		if got := e.unreset(); got != want {
			t.Errorf("unreset is %v; want %v", got, want)
		}
	}
}
