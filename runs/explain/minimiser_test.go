package explain

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"utfbench/fault"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// planted is a chip with a planted bug: uo0 is wrong at the last step of a list if all of its steps occurred in order
// since the last reset, with any steps between them.
type planted struct {
	*mock.Transport
	bug    []transport.Step
	seen   int
	random *rand.Rand
	rate   float64 // probability with which the bug acts
}

func (p *planted) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	n, err := p.Transport.Apply(ctx, steps, samples)
	for i := range n {
		if steps[i] == tile.ResetStep(utf.TT09) {
			p.seen = 0
		}
		if steps[i] == p.bug[p.seen] {
			p.seen++
		}
		if p.seen == len(p.bug) {
			p.seen = 0
			if p.rate == 1 || p.random.Float64() < p.rate {
				samples[i].Out ^= 1
			}
		}
	}
	return n, err
}

// plant returns n distinct steps of a run as a bug. None of them is a reset.
func plant(run []transport.Step, n int, seed uint64) (bug []transport.Step) {
	random := rand.New(rand.NewPCG(seed, 1))
	at := random.Perm(len(run) - 1)
	slices.Sort(at)
	for _, i := range random.Perm(len(at)) {
		s := run[i+1]
		if !s.Reset && s.Clocks > 0 && !slices.Contains(bug, s) && len(bug) < n {
			bug = append(bug, s)
		}
	}
	return bug
}

// A bug of six steps in a run of 50,000 is reduced to these six steps.
func TestSixOfFiftyThousand(t *testing.T) {
	run := testkit.Stimulus(1, 50_000)
	run = slices.DeleteFunc(run, func(s transport.Step) bool { return s.Reset })
	var bug []transport.Step
	for i := range 6 {
		for at := len(run) * (i + 1) / 7; len(bug) == i; at++ {
			if s := run[at]; s.Clocks > 0 && !slices.Contains(run[:at], s) {
				bug = append(bug, s)
			}
		}
	}
	s := minimiser{Tile: utf.TT09, Transport: &planted{Transport: mock.Open(mock.Config{Tile: utf.TT09}),
		bug: bug, rate: 1}}
	got := testkit.Must(s.run(t.Context(), run))(t)
	if !slices.Equal(got.Steps, bug) {
		t.Errorf("%d steps are left:\n%v\nwant\n%v", len(got.Steps), got.Steps, bug)
	}
	t.Logf("%d steps of %d, with %d steps on the device", len(got.Steps), len(run), got.AppliedSteps)
}

func TestPlantedBugs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := testkit.Stimulus(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(20, 400).Draw(t, "steps"))
		run = slices.DeleteFunc(run, func(s transport.Step) bool { return s.Reset })
		bug := plant(run, rapid.IntRange(1, 5).Draw(t, "bug"), rapid.Uint64().Draw(t, "where"))
		if len(bug) == 0 {
			t.Skip("nothing to plant")
		}
		device := &planted{Transport: mock.Open(mock.Config{Tile: utf.TT09}), bug: bug, rate: 1}
		s := minimiser{Tile: utf.TT09, Transport: device}
		got := testkit.Must(s.run(context.Background(), append(slices.Clone(run), bug...)))(t)
		if !slices.Equal(got.Steps, bug) {
			t.Fatalf("left are\n%v\nwant\n%v", got.Steps, bug)
		}
	})
}

// A bug that acts in only one run of twenty is reduced, too.
func TestFlakyBug(t *testing.T) {
	run := testkit.Stimulus(7, 200)
	run = slices.DeleteFunc(run, func(s transport.Step) bool { return s.Reset })
	right := 0
	for seed := range uint64(10) {
		bug := plant(run, 3, seed)
		device := &planted{Transport: mock.Open(mock.Config{Tile: utf.TT09}), bug: bug, rate: 0.05,
			random: rand.New(rand.NewPCG(seed, 2))}
		s := minimiser{Tile: utf.TT09, Transport: device}
		got := testkit.Must(s.run(t.Context(), append(slices.Clone(run), bug...)))(t)
		low, high := got.Rate.Interval()
		if slices.Equal(got.Steps, bug) && low < 0.05 && 0.05 < high {
			right++
		}
	}
	if right < 8 {
		t.Errorf("%d of 10 came out as they were planted", right)
	}
}

// If a bit is wrong and another line is noisy, the result shows the wrong bit.
func TestNoise(t *testing.T) {
	var faults []fault.Fault
	for _, text := range []string{"v7=stuck0", "uo3=flip:0.02"} {
		faults = append(faults, testkit.Must(tile.RegisterBits(utf.TT09).Parse(text))(t))
	}
	write := transport.Step{In: model.Idle &^ model.READ &^ model.BIO, IO: 0x80, Drive: 0xFF, Clocks: 1}
	run := slices.Concat(slices.Repeat([]transport.Step{{In: model.Idle}}, 20), []transport.Step{write})
	for seed := range uint64(10) {
		chip := mock.Open(mock.Config{Tile: utf.TT09, Faults: faults, Seed: seed + 1})
		s := minimiser{Tile: utf.TT09, Transport: chip}
		got, err := s.run(t.Context(), run)
		if err != nil || !slices.Equal(got.Steps, []transport.Step{write}) || got.Rate.Wrong < got.Rate.Steps {
			t.Errorf("seed %d: %+v, %v", seed+1, got, err)
		}
	}
}

// On an intermittent line, Got is the sample at the last step, or nil.
func TestFlakyLine(t *testing.T) {
	flips := testkit.Must(fault.BitNames(nil).Parse("uo3=flip:0.001"))(t)
	for seed := range uint64(4) {
		device := mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{flips}, Seed: seed + 1})
		s := minimiser{Tile: utf.TT09, Transport: device}
		got := testkit.Must(s.run(t.Context(), testkit.Stimulus(seed, 200)))(t)
		if got.Got != nil && got.Got.Differ(got.Want) != 1<<3 {
			t.Errorf("seed %d: got %+v, want %+v", seed, *got.Got, got.Want)
		}
	}
}

// A vector is minimised to steps that fail, but pass if any one of them is removed or simplified.
func TestRegisterBits(t *testing.T) {
	suites := testkit.Must(golden.Load(golden.FS(), utf.Dialect))(t)
	var vectors []*golden.Vector
	for _, suite := range suites {
		for i := 0; i < len(suite.Vectors); i += 7 {
			vectors = append(vectors, &suite.Vectors[i])
		}
	}
	for n, bit := range model.Bits {
		level := []string{"=stuck0", "=stuck1"}[n%2]
		f, err := model.Bits.Parse(bit + level)
		if err != nil {
			t.Fatal(err)
		}
		s := minimiser{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}})}
		var got *MinimisedSequence
		for _, v := range vectors {
			if first, err := s.runOnce(t.Context(), v.Steps); err != nil || first < 0 {
				continue
			}
			if got, err = s.run(t.Context(), v.Steps); !errors.Is(err, errPasses) {
				break
			}
		}
		if err != nil || got == nil {
			t.Errorf("%s%s: %v", bit, level, err)
			continue
		}
		if got.Rate.Wrong != got.Rate.Steps || *got.Got == got.Want {
			t.Errorf("%s%s: what is left fails %+v", bit, level, got.Rate)
		}
		smaller := s.without(got.Steps, len(got.Steps))
		for i := range got.Steps {
			smaller = append(smaller, s.simpler(i)...)
		}
		for _, c := range smaller {
			if first, err := s.runOnce(t.Context(), c); err != nil || first >= 0 {
				t.Errorf("%s%s: %v is not minimal: %v fails too (%v)", bit, level, got.Steps, c, err)
				break
			}
		}
	}
}

func TestPasses(t *testing.T) {
	s := minimiser{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09})}
	if _, err := s.run(t.Context(), testkit.Stimulus(1, 100)); !errors.Is(err, errPasses) {
		t.Error(err)
	}
}

// broken is a transport that fails after some number of steps.
type broken struct {
	*mock.Transport
	left int
}

var errBroken = errors.New("the cable is out")

func (b *broken) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	if b.left -= len(steps); b.left < 0 {
		return 0, errBroken
	}
	return b.Transport.Apply(ctx, steps, samples)
}

// If the transport fails, run returns the best result and the error.
func TestTransportFails(t *testing.T) {
	f := testkit.Must(model.Bits.Parse("v3=stuck1"))(t)
	run := testkit.Stimulus(3, 200)
	chip := func(left int) *broken {
		return &broken{mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}}), left}
	}
	whole := minimiser{Tile: utf.TT09, Transport: chip(1 << 30)}
	best, err := whole.run(t.Context(), run)
	if err != nil || !best.Minimal {
		t.Fatalf("%+v, %v", best, err)
	}
	for _, c := range []struct {
		left                    int
		known, minimal, counted bool
	}{
		{left: 0}, {left: 100},
		{left: best.AppliedSteps - 100, known: true},
		{left: best.AppliedSteps - 1, known: true, minimal: true, counted: true}, // while confirming
	} {
		s := minimiser{Tile: utf.TT09, Transport: chip(c.left)}
		got, err := s.run(t.Context(), run)
		if !errors.Is(err, errBroken) || (got != nil) != c.known {
			t.Errorf("after %d steps: %+v, %v", c.left, got, err)
			continue
		}
		if got != nil && (len(got.Steps) >= len(run) || got.Minimal != c.minimal || (got.Rate.Wrong > 0) != c.counted ||
			got.Want != want(utf.TT09, got.Steps)) {
			t.Errorf("after %d steps: %+v", c.left, got)
		}
	}
}

// If the search is interrupted, run returns the best result and reports the interruption.
func TestInterrupted(t *testing.T) {
	f := testkit.Must(model.Bits.Parse("v3=stuck1"))(t)
	ctx, cancel := context.WithCancel(t.Context())
	s := minimiser{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}}),
		Progress: func(int, int) { cancel() }}
	run := testkit.Stimulus(3, 2000)
	got, err := s.run(ctx, run)
	if !errors.Is(err, context.Canceled) || got == nil || len(got.Steps) >= len(run) || got.Rate.Wrong == 0 ||
		got.Minimal {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestLegal(t *testing.T) {
	s := minimiser{Tile: utf.TT09, best: []transport.Step{{In: model.Idle &^ model.READ &^ model.BIO, IO: 0x41,
		Drive: 0xFF, Clocks: 1}}}
	for _, c := range s.simpler(0) {
		if utf.TT09.Lint(c) != nil {
			t.Errorf("%v must not reach a chip", c)
		}
	}
}

// suite writes the same steps, and the model's sample as a checkpoint at the last step.
func TestVector(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := testkit.Stimulus(rapid.Uint64().Draw(t, "seed"), 10)[:rapid.IntRange(1, 10).Draw(t, "n")]
		r := &MinimisedSequence{Steps: steps}
		text := r.suite("a \"run\"", rapid.StringN(1, 20, -1).Draw(t, "on"), utf.TT08)
		suite, err := golden.Parse("f", text, utf.Dialect)
		if err != nil {
			t.Fatal(err, text)
		}
		q := &suite.Vectors[0]
		if !slices.Equal(q.Steps[1:], steps) || q.Steps[0] != tile.ResetStep(utf.TT09) {
			t.Fatalf("%v\nfrom\n%s", q.Steps, text)
		}
		wanted := want(utf.TT08, steps).Out
		if c := q.Checks[len(q.Checks)-1]; c.Step != len(steps) || c.Out.Level != wanted || q.Revision != "tt08" {
			t.Fatalf("%+v", c)
		}
	})
}

// deducing is a tile whose reference predicts no level, and which deduces all of them.
type deducing struct{ tile.Tile }

func (deducing) New() tile.Reference { return tile.SilentReference{} }

func (d deducing) Deduce(steps []transport.Step, _, want []transport.Sample) tile.Deduction {
	if err := tile.Expect(d.Tile, steps, want); err != nil {
		panic(err)
	}
	return tile.Deduction{}
}

// If deduced levels differ, the text shows them and the vector leaves them to the reference.
func TestDeduced(t *testing.T) {
	stuck := testkit.Must(tile.RegisterBits(utf.TT09).Parse("uo3=stuck1"))(t)
	chip := mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{stuck}})
	s := minimiser{Tile: deducing{utf.TT09}, Transport: chip}
	r := testkit.Must(s.run(t.Context(), []transport.Step{{Clocks: 1}, {Clocks: 2}}))(t)
	if r.Got == nil || r.Want != want(utf.TT09, r.Steps) {
		t.Errorf("got %+v, want %+v", r.Got, r.Want)
	}
	text := r.suite("a run", "a chip", s.Tile)
	suite, err := golden.Parse("f", text, utf.Dialect)
	if err != nil || len(suite.Vectors[0].Checks) != 0 || !strings.Contains(text, "\ndocument minimised\n") {
		t.Errorf("%v in\n%s", err, text)
	}
}
