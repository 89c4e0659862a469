//go:build unix

package rp2040

import (
	"context"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport"
	"utfbench/transport/rp2040/boardtest"
)

// A free run has exactly its number of clocks, even while DMA loses cycles, and the bursts after it are right. One
// takes longer than clk runs at a time.
func TestEmulatorFreeRun(t *testing.T) {
	boardtest.RequireClockedPIO(t)
	e := startEmulatedWith(t, boardtest.Config{Pins: emulatedPins(t)}, "--lost", "0.65")
	tr := e.open(t)
	idle := transport.Step{In: model.Idle}
	for _, c := range []struct {
		clocks int
		at     transport.Timing
	}{
		{1, transport.Timing{Period: 400}},
		{2, transport.Timing{Period: 24}},
		{255, transport.Timing{Hertz: 25.175e6}},
		{256, transport.Timing{Period: 48}},
		{50_255, transport.Timing{Period: 2000}},
		{65535, transport.Timing{Period: 40}},
		{1_000_003, transport.Timing{Period: 24}},
	} {
		c.at.Sample = transport.AtFall
		p := testkit.Must(transport.NewPlayer(t.Context(), tr, c.at))(t)
		edges := func() int {
			// a sample follows all earlier writes on their way from the emulator
			if _, err := tr.Apply(t.Context(), []transport.Step{idle}, make([]transport.Sample, 1)); err != nil {
				t.Fatal(err)
			}
			return e.python.Edges()
		}
		before, began := edges(), time.Now()
		if err := tr.FreeRun(t.Context(), idle, c.clocks, p.Timing()); err != nil {
			t.Fatal(err)
		}
		if n := edges() - before; n != c.clocks {
			t.Errorf("%s: clk rose %d times in place of %d", p.Timing(), n, c.clocks)
		}
		t.Logf("%d clocks, %s: %.1f s of the host", c.clocks, p.Timing(), time.Since(began).Seconds())
		if lines := differing(t, tr, testkit.Stimulus(1, 200), transport.Timing{Period: 400,
			Sample: transport.AtFall}); len(lines) > 0 {
			t.Errorf("after %d clocks %v differ", c.clocks, lines)
		}
	}
	if faults := e.python.Faults(); len(faults) > 0 {
		t.Error(faults)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := tr.FreeRun(cancelled, idle, 1, transport.Timing{Period: 40}); err == nil {
		t.Error("a cancelled run is no error")
	}
}
