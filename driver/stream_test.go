package driver_test

import (
	"context"
	"errors"
	"testing"

	"utfbench/driver"
	"utfbench/tile"
	"utfbench/transport"
)

// A ticker is a tile that counts clocks and shows the number on uo and uio0 to uio3. uio4 to uio7 are inputs.
type ticker struct{}

func (ticker) Name() string                { return "ticker" }
func (ticker) Revision() string            { return "" }
func (ticker) Others() []tile.Tile         { return nil }
func (ticker) New() tile.Reference         { return &count{} }
func (ticker) Idle() uint8                 { return 0 }
func (ticker) Drives(transport.Step) uint8 { return 0x0F }

func (ticker) Lint(steps []transport.Step) error {
	if !steps[0].Reset {
		return &tile.Illegal{Why: "no reset"}
	}
	return nil
}

type count struct {
	known bool
	n     int
}

func (c *count) Run(steps []transport.Step, samples []transport.Sample) error {
	for i, s := range steps {
		for range s.Clocks {
			c.n++
		}
		if s.Reset {
			*c = count{known: true}
		}
		samples[i] = transport.Sample{Out: uint8(c.n), IO: uint8(c.n>>8)&0x0F | s.IO&s.Drive, IOX: ^(s.Drive | 0x0F)}
		if !c.known {
			samples[i].Forget(0x0FFF)
		}
	}
	return nil
}

// A wrongAt is a chip whose uo0 is wrong at some clocks, or X before some clock.
type wrongAt struct {
	count
	wrong map[int]bool
	fails int // the clock before which the transport fails; 0 is never
	x     int // clocks with X on uo7
	four  bool
	calls int
}

func (w *wrongAt) String() string  { return "ticker" }
func (w *wrongAt) Close() error    { return nil }
func (w *wrongAt) FourState() bool { return w.four }

func (w *wrongAt) Apply(_ context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	if w.calls++; w.fails > 0 && w.n+len(steps) > w.fails {
		return 0, errors.New("the cable was pulled")
	}
	for i := range steps {
		_ = w.Run(steps[i:i+1], samples[i:i+1])
		if w.wrong[w.n] {
			samples[i].Out ^= 1
		}
		if w.n < w.x {
			samples[i].Forget(1 << 7)
		}
	}
	return len(steps), nil
}

var ticks = driver.Stream{Reset: transport.Step{Reset: true, Clocks: 1, Drive: 0xF0},
	Held: transport.Step{Clocks: 1, Drive: 0xF0}, Steps: 30000}

// A stream is compared in batches whose reference continues, and a wrong clock in a later one is a FAIL.
func TestStream(t *testing.T) {
	var seen, largest, first int
	chip := wrongAt{wrong: map[int]bool{20000: true, 29000: true}}
	r := driver.Runner{Transport: &chip, Tile: ticker{}, Report: func(r *driver.Result) {
		largest = max(largest, len(r.Trace.Steps))
		if r.Vector.Line != seen {
			t.Errorf("a batch from %d after %d steps", r.Vector.Line, seen)
		}
		seen += len(r.Trace.Got)
		if r.First != nil && first == 0 {
			first = r.Vector.Line + r.First.Index
		}
	}}
	tally, err := r.RunStream(t.Context(), ticks)
	if err != nil || tally.Verdict() != driver.Fail || first != 20000 || seen != 30001 || largest > driver.BatchSteps {
		t.Errorf("%v: first wrong clock %d, %d samples, at most %d a batch, %v", tally.Verdict(), first, seen, largest,
			err)
	}
	if chip.wrong = nil; chip.calls != 4 {
		t.Errorf("%d batches", chip.calls)
	}
	seen = 0
	if tally, err = r.RunStream(t.Context(), ticks); err != nil || tally.Verdict() != driver.Pass ||
		tally.Evidence.Bits() != 30001*12 {
		t.Errorf("%v with %d bits, %v", tally.Verdict(), tally.Evidence.Bits(), err)
	}
}

// A stream ends with the transport's error, and the bench does not drive what the tile may drive.
func TestStreamEnds(t *testing.T) {
	r := driver.Runner{Transport: &wrongAt{fails: 9000}, Tile: ticker{}}
	tally, err := r.RunStream(t.Context(), ticks)
	if err == nil || tally.Verdict() != driver.Error || tally.Verdicts[driver.Pass] != 1 {
		t.Errorf("%v, %v", tally.Verdicts, err)
	}
	unsafe := ticks
	unsafe.Held.Drive = 0xFF
	if _, err := r.RunStream(t.Context(), unsafe); err == nil ||
		err.Error() != "step 2: bench and chip may both drive uio0-uio3" {
		t.Error(err)
	}
	unsafe = ticks
	unsafe.Reset.Reset = false
	if _, err := r.RunStream(t.Context(), unsafe); !errors.As(err, new(*tile.Illegal)) {
		t.Error(err)
	}
}

// Skipped clocks are not sampled, and windows begin with the reset and a free run each.
func TestStreamWindows(t *testing.T) {
	const skip, wrong = 70000, 75432
	for window, want := range map[int]int{0: 0, 3000: 4} {
		chip := wrongAt{wrong: map[int]bool{wrong: true, 10: true}}
		s := ticks
		s.Skip, s.Steps = skip, 10000
		runs := 0
		if s.Window = window; window > 0 {
			s.Free = func(_ context.Context, _ transport.Step, clocks int) error {
				if chip.n != 0 {
					t.Errorf("a free run after %d clocks", chip.n)
				}
				chip.n += clocks
				runs++
				return nil
			}
		}
		var first, samples int
		r := driver.Runner{Transport: &chip, Tile: ticker{}, Report: func(r *driver.Result) {
			samples += len(r.Trace.Got)
			if r.First != nil {
				first = r.Vector.Line + r.First.Index
			}
		}}
		tally, err := r.RunStream(t.Context(), s)
		if err != nil || tally.Verdict() != driver.Fail || first != wrong || samples != 10001 || runs != want {
			t.Errorf("windows of %d: %v, first wrong clock %d, %d samples, %d free runs, %v", window, tally.Verdict(),
				first, samples, runs, err)
		}
	}
}

// An X of a simulation is remembered from batch to batch, since it may be why a later clock differs.
func TestStreamAfterX(t *testing.T) {
	chip := wrongAt{x: 5, four: true, wrong: map[int]bool{20000: true}}
	r := driver.Runner{Transport: &chip, Tile: vague{}}
	tally, err := r.RunStream(t.Context(), ticks)
	if err != nil || tally.Verdict() != driver.Fail || tally.ByX != 1 {
		t.Errorf("%v, by X %d, %v", tally.Verdict(), tally.ByX, err)
	}
}

// A vague is a ticker whose reference does not know uo7.
type vague struct{ ticker }

func (vague) New() tile.Reference { return &vagueCount{} }

type vagueCount struct{ count }

func (c *vagueCount) Run(steps []transport.Step, samples []transport.Sample) error {
	err := c.count.Run(steps, samples)
	for i := range samples {
		samples[i].Forget(1 << 7)
	}
	return err
}
