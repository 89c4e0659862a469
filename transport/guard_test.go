package transport_test

import (
	"context"
	"testing"

	"utfbench/transport"
)

// follower is a chip that shows ui on uo, and counts its steps.
type follower struct {
	transport.Transport
	steps int
}

func (f *follower) Apply(_ context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	for i, s := range steps {
		samples[i] = transport.Sample{Out: s.In}
	}
	f.steps += len(steps)
	return len(steps), nil
}

// ApplyGuarded stops before the first guarded step after a difference, and the chip receives no later step.
func TestApplyGuarded(t *testing.T) {
	steps := make([]transport.Step, 8)
	for _, c := range []struct {
		guards []int
		wrong  int // step with an unexpected sample
		want   int // steps that are applied
	}{
		{nil, 0, 8}, {[]int{1}, -1, 8}, {[]int{1}, 0, 1}, {[]int{7}, 0, 7}, {[]int{3, 6}, 2, 3}, {[]int{3, 6}, 3, 6},
		{[]int{3, 6}, 6, 8}, {[]int{1, 2, 3, 4, 5, 6, 7}, 4, 5},
	} {
		f, g := &follower{}, transport.Guard{Want: make([]transport.Sample, len(steps)), Indices: c.guards}
		if c.wrong >= 0 {
			g.Want[c.wrong].Out = 1
		}
		n, err := transport.ApplyGuarded(t.Context(), f, steps, make([]transport.Sample, len(steps)), g)
		if n != c.want || f.steps != c.want || err != nil {
			t.Errorf("%+v: %d steps, %d on the chip, %v", c, n, f.steps, err)
		}
	}
	for _, bad := range [][]int{{0}, {3, 3}, {8}} {
		g := transport.Guard{Want: make([]transport.Sample, len(steps)), Indices: bad}
		n, err := transport.ApplyGuarded(t.Context(), &follower{}, steps, make([]transport.Sample, 8), g)
		if err == nil {
			t.Errorf("guards %v: %d steps, and no error", bad, n)
		}
	}
}
