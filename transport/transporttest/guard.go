package transporttest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"utfbench/transport"
)

// guards: a batch ends before the first guard with a difference before it and no sooner, whatever bit it is and however
// far behind the guard, and the chip goes on from there.
func (k Kit) guards(t *testing.T) {
	tr := k.open(t)
	n := len(k.Stimulus)
	for _, c := range []struct{ wrong, guard int }{
		{-1, n / 2}, // none
		{0, 1}, {0, n - 1}, {n / 3, n/3 + 1}, {n / 2, n - 2}, {n - 2, n - 1},
		{n - 1, 1}, // behind the last guard
	} {
		at := []int{c.guard}
		for i := 1; i < n; i += 1 + i/2 {
			if i <= c.wrong || i > c.guard {
				at = append(at, i)
			}
		}
		slices.Sort(at)
		at = slices.Compact(at)
		for _, line := range []transport.Outputs{1 << 0, 1 << 7, 1 << 8, 1 << 15} {
			k.guarded(t, tr, c.wrong, line, at)
		}
	}
}

// guarded has the kit want another level of a line at a step.
func (k Kit) guarded(t *testing.T, tr transport.Transport, wrong int, line transport.Outputs, at []int) {
	t.Helper()
	want, end := slices.Clone(k.Want), len(k.Stimulus)
	if wrong >= 0 && want[wrong].Unknown()&line == 0 {
		out, io := line.Bytes()
		want[wrong].Out ^= out
		want[wrong].IO ^= io
		if i, _ := slices.BinarySearch(at, wrong+1); i < len(at) {
			end = at[i]
		}
	}
	got := make([]transport.Sample, len(k.Stimulus))
	what := fmt.Sprintf("line %v wrong at step %d, guards %v", line.Names(), wrong, at)
	n, err := transport.ApplyGuarded(context.Background(), tr, k.Stimulus, got, transport.Guard{Want: want, At: at})
	if n != end || err != nil {
		t.Fatalf("%s: %d, %v; want %d and no error", what, n, err, end)
	}
	compare(t, k.Stimulus[:n], got[:n], k.Want[:n])
	compare(t, k.Stimulus[n:], apply(t, tr, k.Stimulus[n:]), k.Want[n:])
}
