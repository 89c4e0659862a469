package station

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"utfbench/driver"
	"utfbench/fault"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// looped is a loop that a good or faulty chip is asked by, and that ends after so many executions.
func looped(t *testing.T, faulty string, most int) (l *Loop, shown *[]int, ctx context.Context) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	c := mock.Config{Tile: utf.TT09, Seed: 1}
	if faulty != "" {
		f := testkit.Must(model.Bits.Parse(faulty))(t)
		c.Faults = []fault.Fault{f}
	}
	l, shown = &Loop{Transport: mock.Open(c), Tile: utf.TT09, Job: testkit.Jobs[driver.Job](t, "man7.vec")[0]},
		new([]int)
	l.First = func(res *driver.Result) {
		if res.Trace == nil || res.First == nil {
			t.Errorf("the first failure cannot be shown: %+v", res)
		}
		*shown = append(*shown, l.Executions)
	}
	l.Judged = func() {
		if l.Executions >= most {
			cancel()
		}
	}
	return l, shown, ctx
}

// The verdict is PASS, FAIL or FLAKY by the count; the first failure is shown, and no other.
func TestRun(t *testing.T) {
	for _, c := range []struct {
		faulty string
		want   driver.Verdict
	}{{"", driver.Pass}, {"uo3=stuck1", driver.Fail}, {"uo3=flip:1e-2", driver.Flaky}} {
		const most = 400
		l, shown, ctx := looped(t, c.faulty, most)
		if err := l.Run(ctx); err != nil || l.Verdict() != c.want || l.Executions < most {
			t.Errorf("%q: %v, %s of %d, %s; want %s", c.faulty, err, l.Verdict(), l.Executions, l.Trouble, c.want)
		}
		if failed := c.want != driver.Pass; failed != (len(*shown) == 1) || len(*shown) > 1 ||
			c.want == driver.Fail && (*shown)[0] != 1 {
			t.Errorf("%q: shown at the executions %v", c.faulty, *shown)
		}
	}
}

// What is stopped before an execution was judged has no verdict.
func TestNothingJudged(t *testing.T) {
	l, _, _ := looped(t, "", 1)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Run(over); err != nil || l.Verdict() != driver.Skipped || l.Trouble != "" {
		t.Errorf("stopped: %v, %d, %q", err, l.Executions, l.Trouble)
	}
}

var errOut = errors.New("the cable is out")

// unplugged is a chip whose cable comes out after some batches.
type unplugged struct {
	transport.Transport
	left int
	err  error
}

func (p *unplugged) Apply(ctx context.Context, steps []transport.Step, got []transport.Sample) (int, error) {
	if p.left--; p.left < 0 {
		return 0, p.err
	}
	return p.Transport.Apply(ctx, steps, got)
}

// The transport's error is told, even that it is silent, and what was judged before it counts.
func TestTransportThatFails(t *testing.T) {
	for _, want := range []error{errOut, context.DeadlineExceeded} {
		l, _, ctx := looped(t, "", 1e6)
		l.Transport = &unplugged{l.Transport, 3, want}
		if err := l.Run(ctx); !errors.Is(err, want) || l.Executions == 0 || l.Trouble == "" {
			t.Errorf("%v, %d, %q", err, l.Executions, l.Trouble)
		}
	}
}

// A vector that is not for this chip ends the loop, and does not fill the memory.
func TestNotForThisChip(t *testing.T) {
	v := &golden.Vector{Name: "s/old", Revision: "tt08"}
	l := Loop{Transport: mock.Open(mock.Config{Tile: utf.TT09}), Tile: utf.TT09, Job: driver.Job{Vector: v}}
	if err := l.Run(context.Background()); err != nil || l.Executions != 0 ||
		!strings.Contains(l.Trouble, "only to tt08") {
		t.Errorf("%d executions, %q, %v", l.Executions, l.Trouble, err)
	}
}

// pulsed is a chip with a pin; it keeps at which steps of its batches the pin was pulsed.
type pulsed struct {
	transport.Transport
	batches [][]int
	plain   int // batches without
}

func (p *pulsed) TakePin(context.Context, string) (string, error) { return "", nil }

func (p *pulsed) Apply(ctx context.Context, steps []transport.Step, got []transport.Sample) (int, error) {
	p.plain++
	return p.Transport.Apply(ctx, steps, got)
}

func (p *pulsed) ApplyTriggered(ctx context.Context, steps []transport.Step, got []transport.Sample,
	at []int) (int, error) {
	p.batches = append(p.batches, slices.Clone(at))
	return p.Transport.Apply(ctx, steps, got)
}

// The trigger is at the same step of each execution: the one that was said, or the first that fails, once one has.
func TestTriggerStep(t *testing.T) {
	for _, c := range []struct {
		faulty            string
		at, want, atFirst int // atFirst: batches before the trigger
	}{{"", 4, 4, 0}, {"", -1, -1, 99}, {"uo3=stuck1", -1, 0, 1}, {"uo3=stuck1", 4, 4, 0}} {
		l, _, ctx := looped(t, c.faulty, 2*driver.BatchSteps)
		chip := &pulsed{Transport: l.Transport}
		l.Transport, l.Trigger = chip, &Trigger{By: chip, At: c.at}
		if err := l.Run(ctx); err != nil || l.Trigger.At != c.want || chip.plain > c.atFirst {
			t.Errorf("%+v: %v, at %d, %d batches without", c, err, l.Trigger.At, chip.plain)
		}
		if (len(chip.batches) > 0) != (c.want >= 0) {
			t.Errorf("%+v: %d batches with a trigger", c, len(chip.batches))
		}
		n := len(l.Job.Vector.Steps)
		for _, at := range chip.batches {
			for i, step := range at {
				if step != i*n+c.want {
					t.Fatalf("%+v: pulses at %v of a vector with %d steps", c, at[:i+1], n)
				}
			}
		}
	}
}
