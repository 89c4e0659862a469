package driver

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// sometimes is a good chip on which uo3 is randomly wrong, at a higher rate when spoils holds.
type sometimes struct {
	*mock.Transport
	random *rand.Rand
	often  float64
	seldom float64
	spoils func(last, now transport.Sample, lastStep, step transport.Step) bool
}

func (s *sometimes) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	n, err := s.Transport.Apply(ctx, steps, samples)
	last, lastStep := transport.Sample{}, transport.ParkStep
	for i := range samples[:n] {
		right := samples[i]
		p := s.seldom
		if s.spoils(last, right, lastStep, steps[i]) {
			p = s.often
		}
		if s.random.Float64() < p {
			samples[i].Out ^= 8
		}
		last, lastStep = right, steps[i]
	}
	return n, err
}

// The circumstance that causes a failure is named first.
func TestCircumstances(t *testing.T) {
	for _, c := range []struct {
		name   string
		spoils func(last, now transport.Sample, lastStep, step transport.Step) bool
	}{
		{"has to rise", func(last, now transport.Sample, _, _ transport.Step) bool { return now.Out&^last.Out&8 != 0 }},
		{"has to fall", func(last, now transport.Sample, _, _ transport.Step) bool { return last.Out&^now.Out&8 != 0 }},
		{"has to stay high", func(last, now transport.Sample, _, _ transport.Step) bool {
			return last.Out&now.Out&8 != 0
		}},
		{"has to stay low", func(last, now transport.Sample, _, _ transport.Step) bool {
			return (last.Out|now.Out)&8 == 0
		}},
		{"a neighbour on uo moves", func(last, now transport.Sample, _, _ transport.Step) bool {
			return (last.Out^now.Out)&0x14 != 0
		}},
		{"first step after a turn-around", func(_, _ transport.Sample, last, now transport.Step) bool {
			return (last.In^now.In)&model.READ != 0
		}},
	} {
		var seen Correlation
		tr := &sometimes{mock.Open(mock.Config{Tile: utf.TT09}), rand.New(rand.NewPCG(1, 2)), 0.02, 1e-5, c.spoils}
		r := Runner{Tile: utf.TT09, Transport: tr, Rules: Rules{Count: 4}, Report: seen.Add}
		if _, err := r.Run(t.Context(), testkit.Jobs[Job](t, "states.vec")); err != nil {
			t.Fatal(err)
		}
		lines := seen.Lines()
		if len(lines) != 1 || lines[0].Name != "uo3" || len(lines[0].Circumstances) == 0 {
			t.Errorf("%s: %+v", c.name, lines)
			continue
		}
		first := lines[0].Circumstances[0]
		low, high := first.With.Interval()
		if without, _ := first.Without.Interval(); first.Name != c.name || low > 0.02 || high < 0.02 || without > 1e-5 {
			t.Errorf("%s: the first named is %+v, with a rate of %g to %g", c.name, first, low, high)
		}
	}
}

// Purely random failures correlate with nothing.
func TestNothingGoesWithPureChance(t *testing.T) {
	named := 0
	for seed := range uint64(20) {
		var seen Correlation
		all := func(_, _ transport.Sample, _, _ transport.Step) bool { return true }
		tr := &sometimes{mock.Open(mock.Config{Tile: utf.TT09}), rand.New(rand.NewPCG(seed, 2)), 1e-3, 0, all}
		r := Runner{Tile: utf.TT09, Transport: tr, Report: seen.Add}
		if _, err := r.Run(t.Context(), testkit.Jobs[Job](t, "states.vec")); err != nil {
			t.Fatal(err)
		}
		lines := seen.Lines()
		if len(lines) != 1 || lines[0].Wrong < 20 {
			t.Fatalf("seed %d: %+v", seed, lines)
		}
		named += len(lines[0].Circumstances)
	}
	if named > 1 {
		// eight circumstances in each of 20 runs; two 99.9 % intervals separate by chance in fewer than 1 of 10,000
		t.Errorf("%d circumstances were named in 20 runs", named)
	}
}

// A line that flips in 0.1 % of its steps makes vectors FLAKY, and the 95 % interval contains the true rate for 95 of
// 100 seeds, give or take 6.
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
			if rep := tally.Repeats[0]; rep.Judged() != runs || rep.Counts[Fail] != failed || rep.Verdict() != Flaky {
				t.Errorf("seed %d: %+v with %d FAIL", seed, rep, failed)
			}
		}
		if low, high := Wilson(failed, runs); low <= truth && truth <= high {
			held++
		}
	}
	if held < 89 || flaky < 95 {
		t.Errorf("the interval held %.3f in %d of %d seeds; FLAKY in %d", truth, held, seeds, flaky)
	}
	t.Logf("the interval held %.4f in %d of %d seeds; FLAKY in %d", truth, held, seeds, flaky)
}

// A line that fails more often in one half of the iterations drifts. One at a constant rate does not, and an iteration
// that was interrupted does not count.
func TestDrift(t *testing.T) {
	for _, c := range []struct {
		rates []float64 // by iteration
		last  int       // executions in the last one
		want  string
	}{
		{[]float64{0.02, 0.02, 0.02, 0.1, 0.1}, 500, "drift, in the second half of the iterations"},
		{[]float64{0.1, 0.02}, 500, "drift, in the first half of the iterations"},
		{[]float64{0.1, 0.1, 0.1, 0.1}, 500, ""},
		{[]float64{0.1, 0.1, 1}, 400, ""},
		{[]float64{0.5}, 500, ""},
	} {
		random, seen := rand.New(rand.NewPCG(1, 2)), Correlation{}
		for n, rate := range c.rates {
			executions := 500
			if n == len(c.rates)-1 {
				executions = c.last
			}
			for range executions {
				got := transport.Sample{}
				if random.Float64() < rate {
					got.Out = 8
				}
				seen.Add(&Result{Iteration: n + 1, Trace: &Trace{Tile: utf.TT09,
					Steps: make([]transport.Step, 1), Want: make([]transport.Sample, 1), Got: []transport.Sample{got}}})
			}
		}
		got := ""
		for _, about := range seen.Lines()[0].Circumstances {
			got += about.Name
		}
		if got != c.want {
			t.Errorf("%v: %q; want %q", c.rates, got, c.want)
		}
	}
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

// Every first divergence counts for its line, also at the first step and after an unknown level.
func TestEveryDivergenceCounts(t *testing.T) {
	low, high := transport.Sample{}, transport.Sample{Out: 8}
	open := transport.Sample{OutX: 8}
	var seen Correlation
	for _, samples := range [][2][]transport.Sample{
		{{low}, {high}},
		{{open, low}, {low, high}},
		{{low, low}, {low, high}},
	} {
		seen.Add(&Result{Trace: &Trace{Tile: utf.TT09, Steps: make([]transport.Step, len(samples[0])),
			Want: samples[0], Got: samples[1]}})
	}
	if lines := seen.Lines(); len(lines) != 1 || lines[0].Rate != (Rate{3, 4}) {
		t.Errorf("%+v; want uo3 wrong at 3 of 4 steps", lines)
	}
}
