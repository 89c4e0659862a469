package diagnose

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"utfbench/internal/testkit"
)

// If the reference fails at any stage of a diagnosis, the diagnosis ends with its error.
func TestReferenceDies(t *testing.T) {
	last, jobs := int64(0), suite(t, "guide")[:testkit.Pick(10, 40)]
	for after := int64(1); ; after += after*int64(testkit.Pick(9, 1))/3 + 1 {
		c := run(t, "uo3=stuck1", jobs)
		dies := *c
		dies.Tile = testkit.NewDyingTile(after)
		_, err := dies.Diagnose()
		if err == nil {
			break
		}
		last = after
		if !errors.Is(err, testkit.ErrDied) {
			t.Fatalf("after %d: %v", after, err)
		}
		if err := dies.Add("guide/x", c.parts[0].steps[:1], c.parts[0].got[:1]); !errors.Is(err, testkit.ErrDied) {
			t.Fatalf("Add after %d: %v", after, err)
		}
	}
	if last < 1000 {
		t.Errorf("the last failure was after %d steps: too few to have reached every part", last)
	}
}

// brief is a context that is done after some number of checks.
type brief struct {
	context.Context
	left atomic.Int64
}

func (b *brief) Err() error {
	if b.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// If the context ends at any stage of a diagnosis, the diagnosis ends with its error.
func TestStopped(t *testing.T) {
	last, c := int64(0), run(t, "uo3=stuck1", suite(t, "guide")[:10])
	for n := int64(0); ; n = 4*n + 1 {
		ctx := &brief{Context: t.Context()}
		ctx.left.Store(n)
		c.Context = ctx
		_, err := c.Diagnose()
		if err == nil {
			break
		}
		last = n
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d: %v", n, err)
		}
	}
	if last < 1000 {
		t.Errorf("the last end was after %d checks: too few to have reached every part", last)
	}
}
