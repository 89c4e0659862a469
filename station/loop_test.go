package station

import (
	"context"
	"errors"
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

// looped repeats a vector on a good or faulty chip, and ends after some number of executions.
type looped struct {
	LoopCounts
	runner driver.Runner
	job    driver.Job
	shown  []int // number of executions at each call of judged
	ctx    context.Context
}

func (l *looped) run() error { return l.LoopCounts.run(l.ctx, l.runner, l.job) }

func newLooped(t *testing.T, faulty string, limit int) *looped {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	c := mock.Config{Tile: utf.TT09, Seed: 1}
	if faulty != "" {
		f := testkit.Must(model.Bits.Parse(faulty))(t)
		c.Faults = []fault.Fault{f}
	}
	l := &looped{runner: driver.Runner{Transport: mock.Open(c), Tile: utf.TT09},
		job: testkit.Jobs[driver.Job](t, "man7.vec")[0], ctx: ctx}
	l.failed = func(res *driver.Result) {
		if res.Trace == nil || res.FirstMismatch == nil {
			t.Errorf("the first failure cannot be shown: %+v", res)
		}
		l.shown = append(l.shown, l.JudgedExecutions())
	}
	l.judged = func() {
		if l.JudgedExecutions() >= limit {
			cancel()
		}
	}
	return l
}

var errOut = errors.New("the cable is out")

// unplugged is a transport that loses its cable after some number of batches.
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

// The error of the transport ends the loop and is reported, and earlier executions count.
func TestTransportThatFails(t *testing.T) {
	for _, want := range []error{errOut, context.DeadlineExceeded} {
		l := newLooped(t, "", 1e6)
		l.runner.Transport = &unplugged{l.runner.Transport, 3, want}
		if err := l.run(); !errors.Is(err, want) || l.JudgedExecutions() == 0 || l.BenchError == "" {
			t.Errorf("%v, %d, %q", err, l.JudgedExecutions(), l.BenchError)
		}
	}
}

// A vector for another chip ends the loop, which would otherwise fill the memory.
func TestNotForThisChip(t *testing.T) {
	l := newLooped(t, "", 1)
	l.job.Vector = &golden.Vector{Name: "s/old", Revision: "tt08"}
	if err := l.run(); err != nil || l.JudgedExecutions() != 0 || !strings.Contains(l.BenchError, "only to tt08") {
		t.Errorf("%d executions, %q, %v", l.JudgedExecutions(), l.BenchError, err)
	}
}
