package testkit

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"utfbench/transport"
)

// guards checks that a batch ends exactly before the first guard after a difference, for any bit and distance, and that
// the chip continues from there.
func (k TransportKit) guards(t *testing.T) {
	tr := k.open(t)
	n := len(k.Stimulus)
	for _, c := range []struct{ wrong, guard int }{
		{-1, n / 2}, // none
		{0, 1}, {0, n - 1}, {n / 3, n/3 + 1}, {n / 2, n - 2}, {n - 2, n - 1},
		{n - 1, 1}, // after the last guard
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
			k.guarded(t, tr, line, at, c.wrong)
		}
	}
	for first := 0; first < 12; first++ { // two wrong samples must not cancel out
		k.guarded(t, tr, 1<<15, []int{n - 1}, first, first+1+first%5)
	}
}

// guarded makes the kit expect a wrong level of a line at some steps, in increasing order; negative steps are ignored.
func (k TransportKit) guarded(t *testing.T, tr transport.Transport, line transport.Outputs, at []int, wrong ...int) {
	t.Helper()
	want, end := slices.Clone(k.Want), len(k.Stimulus)
	for _, step := range slices.Backward(wrong) {
		if step < 0 || want[step].Unknown()&line != 0 {
			continue
		}
		out, io := line.Bytes()
		want[step].Out ^= out
		want[step].IO ^= io
		if i, _ := slices.BinarySearch(at, step+1); i < len(at) {
			end = at[i]
		}
	}
	got := make([]transport.Sample, len(k.Stimulus))
	what := fmt.Sprintf("line %v wrong at steps %d, guards %v", line.Names(), wrong, at)
	guard := transport.Guard{Want: want, Indices: at}
	n, err := transport.ApplyGuarded(context.Background(), tr, k.Stimulus, got, guard)
	if n != end || err != nil {
		t.Fatalf("%s: %d, %v; want %d and no error", what, n, err, end)
	}
	compare(t, k.Stimulus[:n], got[:n], k.Want[:n])
	compare(t, k.Stimulus[n:], apply(t, tr, k.Stimulus[n:]), k.Want[n:])
}
