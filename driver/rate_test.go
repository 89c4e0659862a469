package driver

import (
	"math"
	"testing"

	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// A line that flips in 0.1 % of the steps makes vectors FLAKY. The 95 % interval contains the rate for 95 ± 6 % of
// seeds.
func TestTheIntervalHoldsTheTruth(t *testing.T) {
	const p, runs, seeds = 1e-3, 200, 100
	job := testkit.Jobs[Job](t, "chip.vec")[:1]
	chip, known := model.New(model.TT09), 0
	for _, s := range job[0].Vector.Steps {
		if chip.Step(s).OutX&1 == 0 {
			known++
		}
	}
	truth := 1 - math.Pow(1-p, float64(known))
	f := testkit.Must(model.Bits.Parse("uo0=flip:1e-3"))(t)
	held, flaky := 0, 0
	for seed := range uint64(seeds) {
		r := Runner{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f},
			Seed: seed}), Rules: Rules{Count: runs}}
		tally := testkit.Must(r.Run(t.Context(), job))(t)
		failed := tally.Verdicts[Fail]
		if tally.Verdict() == Flaky {
			flaky++
			if r := tally.Repeats[0]; r.JudgedExecutions() != runs || r.Counts[Fail] != failed || r.Verdict() != Flaky {
				t.Errorf("seed %d: %+v with %d FAIL", seed, r, failed)
			}
		}
		if low, high := tile.Wilson(failed, runs); low <= truth && truth <= high {
			held++
		}
	}
	if held < 89 || flaky < 95 {
		t.Errorf("the interval held %.3f in %d of %d seeds; FLAKY in %d", truth, held, seeds, flaky)
	}
	t.Logf("the interval held %.4f in %d of %d seeds; FLAKY in %d", truth, held, seeds, flaky)
}

// A failure in one of ten steps needs some repetitions, a permanent one needs one, and a rare one at most 1000.
func TestRepeat(t *testing.T) {
	for _, c := range []struct {
		rate  Rate
		least int
		most  int
	}{{Rate{}, 1, 1}, {Rate{20, 20}, 1, 1}, {Rate{10, 100}, 44, 90}, {Rate{1, 4000}, 1000, 1000}} {
		if n := c.rate.Repetitions(); n < c.least || n > c.most {
			t.Errorf("%+v: %d; want %d to %d", c.rate, n, c.least, c.most)
		}
	}
}
