package remote

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"utfbench/transport"
)

// A stopped batch returns the number of executed steps, whichever part it was in.
func TestStop(t *testing.T) {
	for _, c := range []struct{ steps, room, good int }{{50, 0, 49}, {50, partHead + 20*stepSize, 19}} {
		chip := newSlow()
		near := open(t, chip, c.room)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-chip.waits; cancel() }()
		got := make([]transport.Sample, c.steps)
		n, err := near.Apply(ctx, stepsOf(c.steps), got)
		if n != c.good || err != context.Canceled || chip.steps != c.good {
			t.Errorf("%d, %v, and %d steps were played; want %d and context.Canceled", n, err, chip.steps, c.good)
		}
		close(chip.letGo)
		if n, err := near.Apply(t.Context(), stepsOf(3), got); n != 3 || err != nil {
			t.Errorf("afterwards: %d, %v", n, err)
		}
	}
}

// At whatever step a batch is stopped over whatever link, the result counts the executed steps, and the chip continues
// from there.
func TestStopAnywhere(t *testing.T) {
	steps, one := stepsOf(200), make([]transport.Sample, 1)
	for seed := range uint64(60) {
		ctx, cancel := context.WithCancel(t.Context())
		chip := &chain{calls: 1 + int(seed)*7%200, call: cancel}
		near := openOver(t, newWild(t, chip, LeastLimit, seed), partHead+int(1+seed%30)*stepSize)
		got, want := make([]transport.Sample, len(steps)), make([]transport.Sample, len(steps))
		n, err := near.Apply(ctx, steps, got)
		alone := new(chain)
		alone.Apply(t.Context(), steps[:n], want)
		if n < chip.calls || !slices.Equal(got[:n], want[:n]) || (err == nil) != (n == len(steps)) ||
			err != nil && err != context.Canceled {
			t.Fatalf("seed %d: %d, %v, or a sample differs", seed, n, err)
		}
		if _, err := near.Apply(t.Context(), steps[:1], one); err != nil || one[0] != alone.next(steps[0]) {
			t.Fatalf("seed %d: after %d steps %v, and %d were played: %v", seed, n, one, chip.steps-1, err)
		}
	}
}

// A stop that comes after the end of its call has that call's number, not the next one's.
func TestStopOfAnOldCall(t *testing.T) {
	link := &heard{memory: memory{far: NewFar(new(chain)), limit: LeastLimit}}
	near := openOver(t, link, 0)
	old := call{near: near, line: t.Context(), hangUp: func(error) {}, ctx: t.Context()}
	old.number(near.number + 1)
	link.far.Answer(t.Context(), request{kindPull, old.last, []byte{0}}.append(nil))
	near.Pull(t.Context(), transport.PullNone)
	old.stop()
	if q, err := readRequest(link.last); err != nil || q.kind != kindStop || q.number != old.last {
		t.Errorf("the stop is %+v; want number %d", q, old.last)
	}
}

// heard is a link that records the last request.
type heard struct {
	memory
	last []byte
}

func (h *heard) Ask(ctx context.Context, request []byte) ([]byte, error) {
	h.last = slices.Clone(request)
	return h.memory.Ask(ctx, request)
}

// A call returns after the goroutine that stops it, which uses the caller's link and context.
func TestStopEndsWithItsCall(t *testing.T) {
	chip := newSlow()
	link := &lingering{memory: memory{far: NewFar(chip), limit: LeastLimit}}
	near := openOver(t, link, 0)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-chip.waits; cancel() }()
	_, err := near.Apply(ctx, stepsOf(9), make([]transport.Sample, 9))
	if err != context.Canceled || !link.left.Load() {
		t.Errorf("%v, and the stop has returned: %t", err, link.left.Load())
	}
	close(chip.letGo)
}

// lingering is a link on which a stop returns some time after its context has ended.
type lingering struct {
	memory
	left atomic.Bool
}

func (l *lingering) Ask(ctx context.Context, request []byte) ([]byte, error) {
	answer, err := l.memory.Ask(ctx, request)
	if q, _ := readRequest(request); q.kind == kindStop {
		<-ctx.Done()
		time.Sleep(time.Millisecond)
		l.left.Store(true)
	}
	return answer, err
}

// A stop that comes too late has no effect: the batch completed. A deadline is reported as such.
func TestStopTooLate(t *testing.T) {
	chip := newSlow()
	chip.ignores = true
	near := open(t, chip, 0)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-chip.waits; cancel(); close(chip.letGo) }()
	if n, err := near.Apply(ctx, stepsOf(9), make([]transport.Sample, 9)); n != 9 || err != nil {
		t.Errorf("%d, %v; want 9 and no error", n, err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 0)
	defer cancel()
	if n, err := near.Apply(ctx, stepsOf(9), make([]transport.Sample, 9)); n != 0 ||
		!errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%d, %v; want the deadline", n, err)
	}
}

// A far end that does not answer a stop is unusable from then on.
func TestSilence(t *testing.T) {
	chip := newSlow()
	chip.ignores = true
	near := openOver(t, &deaf{memory: memory{far: NewFar(chip), limit: LeastLimit}}, 0)
	near.patience = time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-chip.waits; cancel() }()
	n, err := near.Apply(ctx, stepsOf(9), make([]transport.Sample, 9))
	if n != 0 || !errors.Is(err, errSilent) || !errors.Is(err, context.Canceled) {
		t.Errorf("%d, %v; want that it is silent", n, err)
	}
	_, err = near.Apply(t.Context(), stepsOf(9), make([]transport.Sample, 9))
	if !errors.Is(err, errSilent) || errors.Is(err, context.Canceled) {
		t.Errorf("afterwards: %v", err)
	}
	close(chip.letGo)
}

// deaf is a link that never answers a caller whose context has ended.
type deaf struct{ memory }

func (d *deaf) Ask(ctx context.Context, request []byte) ([]byte, error) {
	answer := make(chan []byte, 1)
	request = slices.Clone(request)
	go func() { answer <- d.far.Answer(context.Background(), request) }()
	select {
	case a := <-answer:
		return a, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A Close from another goroutine ends a batch, and later calls return ErrClosed.
func TestCloseBesideABatch(t *testing.T) {
	chip := newSlow()
	near := open(t, chip, partHead+20*stepSize)
	go func() { <-chip.waits; near.Close() }()
	n, err := near.Apply(t.Context(), stepsOf(100), make([]transport.Sample, 100))
	if n != 19 || err != transport.ErrClosed {
		t.Errorf("%d, %v; want 19 and ErrClosed", n, err)
	}
	one := make([]transport.Sample, 1)
	series := []transport.Series{{Steps: []transport.Step{{Reset: true, Clocks: 1}}, Count: 1, Want: one}}
	for what, do := range map[string]func() error{
		"Apply":  func() error { _, err := near.Apply(t.Context(), stepsOf(1), one); return err },
		"Sign":   func() error { _, err := near.Sign(t.Context(), series); return err },
		"Pull":   func() error { return near.Pull(t.Context(), transport.PullUp) },
		"Tune":   func() error { _, err := near.Tune(t.Context(), "pulse", 1); return err },
		"Grid":   func() error { _, err := near.Grid(t.Context()); return err },
		"Burst":  func() error { return near.Burst(t.Context(), stepsOf(1), one, transport.Timing{Period: 9}) },
		"clk":    func() error { return near.FreeRun(t.Context(), transport.Step{}, 1, transport.Timing{Period: 9}) },
		"pin":    func() error { _, err := near.TakePin(t.Context(), "7"); return err },
		"pulses": func() error { _, err := near.ApplyTriggered(t.Context(), stepsOf(1), one, nil); return err },
	} {
		if err := do(); !errors.Is(err, transport.ErrClosed) {
			t.Errorf("%s after Close: %v", what, err)
		}
	}
	if err := near.Close(); err != nil {
		t.Errorf("Close after Close: %v", err)
	}
}

// After a close at the far end, as at the end of a lease, the near end is closed too.
func TestFarEndClosed(t *testing.T) {
	far := NewFar(new(chain))
	near := openOver(t, &memory{far: far, limit: LeastLimit}, 0)
	if err := far.Close(); err != nil {
		t.Fatal(err)
	}
	if n, err := near.Apply(t.Context(), stepsOf(1), make([]transport.Sample, 1)); n != 0 ||
		!errors.Is(err, transport.ErrClosed) {
		t.Errorf("%d, %v; want ErrClosed", n, err)
	}
}

// tuned waits in Tune and Grid until ctx ends.
type tuned struct {
	chain
	waits chan struct{}
}

func (w *tuned) wait(ctx context.Context) error {
	w.waits <- struct{}{}
	<-ctx.Done()
	return ctx.Err()
}

func (w *tuned) Knobs() []transport.Knob {
	return []transport.Knob{{Name: "pulse", High: time.Second}}
}

func (w *tuned) Tune(ctx context.Context, _ string, d time.Duration) (time.Duration, error) {
	return d, w.wait(ctx)
}

func (w *tuned) Grid(ctx context.Context) (transport.Grid, error) {
	return transport.Grid{}, w.wait(ctx)
}

func (w *tuned) Burst(context.Context, []transport.Step, []transport.Sample, transport.Timing) error {
	return nil
}

// The end of the caller's context ends Tune and Grid at both ends.
func TestStopOfTuneAndGrid(t *testing.T) {
	chip := &tuned{waits: make(chan struct{})}
	near := open(t, chip, 0)
	for what, do := range map[string]func(context.Context) error{
		"Tune": func(ctx context.Context) error { _, err := near.Tune(ctx, "pulse", 1); return err },
		"Grid": func(ctx context.Context) error { _, err := near.Grid(ctx); return err },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-chip.waits; cancel() }()
		if err := do(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if n, err := near.Apply(t.Context(), stepsOf(3), make([]transport.Sample, 3)); n != 3 || err != nil {
		t.Errorf("afterwards: %d, %v", n, err)
	}
}
