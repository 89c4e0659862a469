package testkit

import (
	"context"
	"slices"
	"testing"

	"utfbench/transport"
)

// signs checks that a far end generates the right steps, and that its signature matches the right samples but not
// samples with one wrong bit. Afterwards Apply must work as before.
func (k TransportKit) signs(t *testing.T) {
	tr := k.open(t)
	signer, ok := tr.(transport.Signer)
	if !ok {
		return
	}
	var runs []transport.Series
	for length, count := range map[int]int{1: 3, 9: 60, transport.MaxSeriesSteps: 20} {
		runs = append(runs, k.run(length, count))
	}
	sign(t, signer, runs)
	for i, r := range runs {
		for _, at := range []int{0, len(r.Want) / 2, len(r.Want) - 1} {
			r.Want[at].IO ^= 0x40
			sign(t, signer, runs, i)
			r.Want[at].IO ^= 0x40
		}
		steps := stepsOf(&r)
		compare(t, steps, apply(t, tr, steps), r.Want)
	}
	sign(t, signer, runs)
	half := k.Stimulus[:len(k.Stimulus)/2] // empty or invalid series must not disturb the far end's state
	compare(t, half, apply(t, tr, half), k.Want)
	if n, err := signer.Sign(context.Background(), nil); n != 0 || err != nil {
		t.Errorf("Sign(no runs) = %v, %v; want 0 and no error", n, err)
	}
	compare(t, k.Stimulus[len(half):], apply(t, tr, k.Stimulus[len(half):]), k.Want[len(half):])
	if n, err := signer.Sign(context.Background(), []transport.Series{{}}); n != 0 || err == nil {
		t.Errorf("Sign(no steps) = %v, %v; want 0 and an error that says so", n, err)
	}
	compare(t, k.Stimulus, apply(t, tr, k.Stimulus), k.Want)
}

// run returns a series made of the first steps of the stimulus, with counter fields in up to five that drive uio.
func (k TransportKit) run(length, count int) transport.Series {
	r := transport.Series{Steps: slices.Clone(k.Stimulus[:length]), First: 0x10FF00, Count: count}
	for i, s := range r.Steps {
		r.Steps[i].Clocks = min(s.Clocks, 1)
		if s.Drive != 0 && len(r.Fields) < 5 {
			r.Fields = append(r.Fields, transport.CounterField{Step: i, Shift: uint8(4 * len(r.Fields)), Mask: s.Drive})
		}
	}
	r.Want = k.ExpectedSamples(stepsOf(&r))
	return r
}

func stepsOf(r *transport.Series) (steps []transport.Step) {
	for i := range r.Count {
		steps = r.AppendCase(steps, i)
	}
	return steps
}

// sign checks that the signatures of all series match, except the series with the indices in wrong.
func sign(t *testing.T, s transport.Signer, runs []transport.Series, wrong ...int) {
	t.Helper()
	if n, err := s.Sign(context.Background(), runs); n != len(runs) || err != nil {
		t.Fatalf("Sign(%d runs) = %d, %v; want all of them and no error", len(runs), n, err)
	}
	for i, r := range runs {
		if want := !slices.Contains(wrong, i); r.SameSignature != want {
			t.Fatalf("run %d of %d cases of %d steps: Same is %v, want %v", i, r.Count, len(r.Steps),
				r.SameSignature, want)
		}
	}
}
