package driver_test

import (
	"context"
	"errors"
	"testing"

	"utfbench/driver"
	"utfbench/internal/failure"
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
		return &tile.IllegalStepError{Reason: "no reset"}
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
			samples[i].SetUnknown(0x0FFF)
		}
	}
	return nil
}

// wrongAt is a chip whose uo0 is wrong at some clocks, or whose uo7 is X at the first clocks.
type wrongAt struct {
	count
	wrong map[int]bool
	fails int // the clock before which the transport fails; 0 for never
	x     int // number of clocks with X on uo7
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
			samples[i].SetUnknown(1 << 7)
		}
	}
	return len(steps), nil
}

func ticks(t *testing.T) *driver.Stream {
	s, err := driver.NewStream(ticker{}, driver.Inputs{})
	if err != nil || s.HeldStep.Drive != 0xF0 || s.Reset.Drive != 0xF0 {
		t.Fatalf("%+v, %v", s, err)
	}
	s.Steps = 30000
	return s
}

func run(t *testing.T, r *driver.Runner) (*driver.Tally, error) {
	return r.RunIterations(t.Context(), r.Stream.Jobs())
}

// A stream's reference continues from batch to batch: a good chip passes, and a wrong later clock is a FAIL.
func TestStream(t *testing.T) {
	var seen, largest, first int
	chip := wrongAt{wrong: map[int]bool{20000: true, 29000: true}}
	r := driver.Runner{Transport: &chip, Tile: ticker{}, Stream: ticks(t), Report: func(r *driver.Result) {
		largest = max(largest, len(r.Trace.Steps))
		if r.Vector.Line != seen {
			t.Errorf("a batch from %d after %d steps", r.Vector.Line, seen)
		}
		seen += len(r.Trace.Got)
		if r.FirstMismatch != nil && first == 0 {
			first = r.Vector.Line + r.FirstMismatch.Index
		}
	}}
	tally, err := run(t, &r)
	if err != nil || tally.Verdict() != driver.Fail || first != 20000 || seen != 30001 || largest > driver.BatchSteps {
		t.Errorf("%v: first wrong clock %d, %d samples, at most %d a batch, %v", tally.Verdict(), first, seen, largest,
			err)
	}
	if chip.calls != 5 || r.Stream.Batches() != 5 {
		t.Errorf("%d batches of %d", chip.calls, r.Stream.Batches())
	}
	if got, want := *tally.Stream, (driver.StreamTally{FirstWrong: 20000, Wrong: 2}); got != want {
		t.Errorf("it counts %+v, want %+v", got, want)
	}
	chip.wrong = nil
	seen = 0
	if tally, err = run(t, &r); err != nil || tally.Verdict() != driver.Pass ||
		tally.Evidence.Bits() != 30001*12 {
		t.Errorf("%v with %d bits, %v", tally.Verdict(), tally.Evidence.Bits(), err)
	}
}

// A stream ends at an error of the transport, and NewStream refuses inputs that the tile may drive.
func TestStreamEnds(t *testing.T) {
	r := driver.Runner{Transport: &wrongAt{fails: 9000}, Tile: ticker{}, Stream: ticks(t)}
	tally, err := run(t, &r)
	if err == nil || tally.Verdict() != driver.Error || tally.Verdicts[driver.Pass] != 2 {
		t.Errorf("%v, %v", tally.Verdicts, err)
	}
	if _, err := driver.NewStream(ticker{}, driver.Inputs{IOSet: 0x1F}); err == nil ||
		err.Error() != "the tile may drive uio0-uio3, so the bench must not: give levels of single lines, "+
			"as in uio1=1" {
		t.Error(err)
	}
	if _, err := driver.NewStream(strict{}, driver.Inputs{In: 1}); failure.KindOf(err) != failure.User ||
		err.Error() != "no ui" {
		t.Error(err)
	}
}

// strict is a ticker that forbids an input.
type strict struct{ ticker }

func (strict) Lint(steps []transport.Step) error {
	if steps[1].In != 0 {
		return &tile.IllegalStepError{Reason: "no ui"}
	}
	return nil
}

// UnsampledSteps yields slices that do not exceed the limit and together have the requested clocks.
func TestUnsampledSteps(t *testing.T) {
	for _, clocks := range []int{0, 1, 255, 256, 1300} {
		took := 0
		for part := range (&driver.Stream{}).UnsampledSteps(clocks, 2) {
			if len(part) > 2 {
				t.Errorf("%d clocks: a part of %d steps", clocks, len(part))
			}
			for _, s := range part {
				took += int(s.Clocks)
			}
		}
		if took != clocks {
			t.Errorf("%d clocks take %d", clocks, took)
		}
	}
}

// A stream does not sample skipped clocks, and runs from a recording that lacks them.
func TestStreamSkips(t *testing.T) {
	const skip, wrong = 70000, 75432
	for _, recorded := range []bool{false, true} {
		chip := wrongAt{wrong: map[int]bool{wrong: true, 10: true}}
		s := ticks(t)
		s.Skip, s.Steps, s.Recorded = skip, 10000, recorded
		samples := 0
		r := driver.Runner{Transport: &chip, Tile: ticker{}, Stream: s, Report: func(r *driver.Result) {
			if samples += len(r.Trace.Got); recorded && r.Vector.Line == 0 {
				chip.n = skip
			}
		}}
		tally, err := run(t, &r)
		if err != nil || tally.Verdict() != driver.Fail || tally.Stream.FirstWrong != wrong || samples != 10001 {
			t.Errorf("recorded %v: %v, %+v, %d samples, %v", recorded, tally.Verdict(), tally.Stream, samples, err)
		}
	}
}

// VectorUpTo returns a vector that includes all the clocks before the batch.
func TestStreamWhole(t *testing.T) {
	s := ticks(t)
	s.Skip, s.Batch = 1000, 100
	n := 0
	for _, job := range s.Jobs() {
		clocks := 0
		for _, step := range s.VectorUpTo(job.Vector).Vector.Steps {
			clocks += int(step.Clocks)
		}
		if last := job.Vector.Line + len(job.Vector.Steps) - 1; clocks != last+int(s.Reset.Clocks) {
			t.Errorf("%s: %d clocks", job.Vector.Name, clocks)
		}
		if n++; n == 3 {
			break
		}
	}
}

// A stream remembers a simulation's X from batch to batch, since it may be the cause of a later difference.
func TestStreamAfterX(t *testing.T) {
	chip := wrongAt{x: 5, four: true, wrong: map[int]bool{20000: true}}
	r := driver.Runner{Transport: &chip, Tile: vague{}, Stream: ticks(t)}
	tally, err := run(t, &r)
	if err != nil || tally.Verdict() != driver.Fail || tally.FailsByX != 1 {
		t.Errorf("%v, by X %d, %v", tally.Verdict(), tally.FailsByX, err)
	}
}

// vague is a ticker whose reference does not know uo7.
type vague struct{ ticker }

func (vague) New() tile.Reference { return &vagueCount{} }

type vagueCount struct{ count }

func (c *vagueCount) Run(steps []transport.Step, samples []transport.Sample) error {
	err := c.count.Run(steps, samples)
	for i := range samples {
		samples[i].SetUnknown(1 << 7)
	}
	return err
}
