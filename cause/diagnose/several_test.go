package diagnose

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// byKind groups single faults by their number of lines and kind, since most of them have two lines.
func byKind() map[string][]fault.Fault {
	kinds := map[string][]fault.Fault{}
	for _, h := range search.SingleFaultHypotheses(utf.TT09) {
		kind := fmt.Sprint(len(h.Suspects()[0].Lines), h.Kind())
		kinds[kind] = append(kinds[kind], h.Faults[0])
	}
	return kinds
}

// draw returns n compatible faults, and noise on a line. It draws the kind of each fault first.
func draw(t *testing.T, kinds map[string][]fault.Fault, n int, rng *rand.Rand) []fault.Fault {
	names := slices.Sorted(maps.Keys(kinds))
	for {
		noise := testkit.Must(model.Bits.Parse(fmt.Sprintf("%s=flip:1e-3:%d", fault.Lines[rng.IntN(len(fault.Lines))],
			1+rng.IntN(1000))))(t)
		var faults []fault.Fault
		for range n {
			of := kinds[names[rng.IntN(len(names))]]
			faults = append(faults, of[rng.IntN(len(of))])
		}
		if faults = append(faults, noise); fault.CheckConflict(faults) == nil && (n < 2 || faults[0] != faults[1]) {
			return faults
		}
	}
}

// runOf returns a run of every fifth vector on a chip with faults.
func runOf(t *testing.T, faults []fault.Fault) *Run {
	c := &Run{Tile: utf.TT09}
	r := driver.Runner{Tile: utf.TT09, Transport: mock.Open(mock.Config{Tile: utf.TT09, Faults: faults}),
		Report: adding(t, c)}
	var jobs []driver.Job
	for i, j := range allJobs(t) {
		if i%5 == 0 {
			jobs = append(jobs, j)
		}
	}
	if _, err := r.Run(t.Context(), jobs); err != nil {
		t.Fatal(err)
	}
	return c
}

func rankOf(f *Finding, faults []fault.Fault) int {
	return slices.IndexFunc(f.Causes, func(c search.Fit) bool { return hasFaults(c.Hypothesis, faults) })
}

func hasFaults(h search.Hypothesis, faults []fault.Fault) bool {
	of := h.Faults
	return len(of) == len(faults) && !slices.ContainsFunc(faults,
		func(w fault.Fault) bool { return !slices.Contains(of, w) })
}

// respondsLike reports whether a hypothesis gives the same samples as some faults in every step of a run.
func respondsLike(h search.Hypothesis, faults []fault.Fault, run *Run) bool {
	var all []search.Execution
	for _, e := range run.whole().Executions {
		e.Got = make([]transport.Sample, len(e.Steps))
		search.PanicOn(search.Hypothesis{Tile: run.Tile, Faults: faults}.Simulate(search.Conditions{}).Run(e.Steps,
			e.Got))
		all = append(all, e)
	}
	return answersLike(h, all)
}

// On a chip with a line that is wrong in one of 1000 steps, two simultaneous faults, or faults that give the same
// samples, are among the first ten causes. BENCH_SEED selects other faults.
func TestPairs(t *testing.T) {
	testkit.SkipUnlessFull(t) // TestTwoWires tries one pair
	seed, _ := strconv.ParseUint(os.Getenv("BENCH_SEED"), 10, 64)
	pairs := testkit.SampleSize(0, 15, 500)
	rng, kinds := rand.New(rand.NewPCG(1, seed)), byKind()
	found, alike, said := 0, 0, map[Conclusion]int{}
	for range pairs {
		faults := draw(t, kinds, 2, rng)
		c := runOf(t, faults)
		f := diagnosed(t, c)
		said[f.Conclusion]++
		at := rankOf(&f, faults[:2])
		switch {
		case at >= 0 && at < 10:
			found++
		case slices.ContainsFunc(f.Causes[:min(10, len(f.Causes))], func(named search.Fit) bool {
			return named.Kind() != Intermittent && respondsLike(named.Hypothesis, faults[:2], c)
		}):
			alike++
		default:
			best := f.best()
			t.Logf("%s: %s, the first is %s, %d of %d bits", search.Hypothesis{Faults: faults}, f.Conclusion,
				best, best.ExplainedBits, best.DifferingBits)
		}
	}
	t.Logf("of %d pairs %d are among the first ten, and %d others respond like one of these; %v", pairs, found, alike,
		said)
	if (found+alike)*100 < 80*pairs || said[Logic] > 0 {
		t.Errorf("%d of %d pairs are found; %v", found+alike, pairs, said)
	}
}

// A fault is among the causes although noise on a line spoils one in 100 to 10,000 steps.
func TestNoise(t *testing.T) {
	rng, kinds := rand.New(rand.NewPCG(2, 0)), byKind()
	wrong, tried := 0, testkit.SampleSize(1, 20, 60)
	for i := range tried {
		faults := draw(t, kinds, 1, rng)
		faults[1].Probability = []float64{1e-3, 1e-2, 1e-4}[i%3]
		c := runOf(t, faults)
		f := diagnosed(t, c)
		if c.FailedExecutions > 0 && rankOf(&f, faults[:1]) < 0 ||
			f.Conclusion == Unexplained || f.Conclusion == SeveralFaults {
			t.Logf("%s: %s, the first is %s", search.Hypothesis{Tile: utf.TT09, Faults: faults}, f.Conclusion, f.best())
			wrong++
		}
	}
	if wrong*10 > tried {
		t.Errorf("%d of %d faults are lost in the noise", wrong, tried)
	}
}

// Noise does not explain an execution that passes although a fault would make it fail.
func TestNoiseHidesNothing(t *testing.T) {
	h := search.MustParse(utf.TT09, "n2=stuck0") // few vectors show this fault
	for _, hides := range []bool{false, true} {
		c := &Run{Tile: utf.TT09}
		for round := range 2 {
			chip := h.Simulate(search.Conditions{})
			if hides && round > 0 {
				chip = utf.TT09.New()
			}
			for i, j := range allJobs(t) {
				if i%10 != 0 || utf.TT09.Lint(j.Vector.Steps) != nil || j.Vector.Revision == "tt08" {
					continue
				}
				got := make([]transport.Sample, len(j.Vector.Steps))
				search.PanicOn(chip.Run(j.Vector.Steps, got))
				search.PanicOn(c.Add(j.Vector.Name, j.Vector.Steps, got))
			}
		}
		if c.FailedExecutions == 0 || c.butForNoise(h) == hides {
			t.Errorf("hides %v: %d of %d fail, and noise explains the rest: %v", hides, c.FailedExecutions,
				c.Executions, !hides)
		}
	}
}

// A fault without effect is not named as the cause of a few errors.
func TestNoiseAlone(t *testing.T) {
	c := &Run{Tile: utf.TT09}
	for i, j := range allJobs(t)[:200] {
		got := make([]transport.Sample, len(j.Vector.Steps))
		search.PanicOn(tile.Expect(utf.TT09, j.Vector.Steps, got))
		if i%50 == 0 {
			got[len(got)-1].Out ^= 1
		}
		search.PanicOn(c.Add(j.Vector.Name, j.Vector.Steps, got))
	}
	if c.FailedExecutions == 0 || c.butForNoise(search.MustParse(utf.TT09, "n2=stuck0")) {
		t.Errorf("noise explains all of %d errors", c.FailedExecutions)
	}
}

func parsed(t *testing.T, names ...string) (faults []fault.Fault) {
	t.Helper()
	for _, name := range names {
		f := testkit.Must(model.Bits.Parse(name))(t)
		faults = append(faults, f)
	}
	return faults
}

// Facts name constant lines whatever the cause is, and each group of wrong lines once. Lines that the bench drives are
// not among those that are always right.
func TestFacts(t *testing.T) {
	got := runOf(t, parsed(t, "uo3=stuck1", "uo5~uo6=and")).facts()
	if want := "uo3 is the same in every step, and a good chip shows both levels"; !slices.Contains(got, want) {
		t.Errorf("%q lacks %q", got, want)
	}
	c, s := &Run{Tile: utf.TT09}, transport.Step{In: model.Idle, Reset: true, Clocks: 1, Drive: 0xFF}
	search.PanicOn(c.Add("a", []transport.Step{s}, []transport.Sample{{Out: 0xC1}}))
	if got := c.facts(); !slices.Contains(got, "always right: uo1, uo2, uo3, uo4, uo5, uo6, uo7") {
		t.Errorf("%q", got)
	}
	w := WrongStep{"a", 0, 0xE003, transport.Sample{Out: 1, IOX: 0xE0}, transport.Sample{Out: 2, IO: 0x60}}
	want := "step 1 of a, uio5-uio6 are unknown, not 1; uio7 is unknown, not 0; uo0 is 1, not 0; uo1 is 0, not 1"
	if w.String() != want {
		t.Errorf("%q; want %q", w.String(), want)
	}
}

// A line is not constant if some of its samples are unknown.
func TestUnknownIsNotConstant(t *testing.T) {
	c := &Run{Tile: utf.TT09}
	for i, j := range allJobs(t)[:testkit.Pick(40, 200)] {
		got := slices.Repeat([]transport.Sample{{OutX: 0xFF, IOX: 0xFF}}, len(j.Vector.Steps))
		if i == 7 {
			got[0] = transport.Sample{Out: 0xC0, OutX: 0x3F, IOX: 0xFF}
		}
		search.PanicOn(c.Add(j.Vector.Name, j.Vector.Steps, got))
	}
	for _, fact := range c.facts() {
		if strings.Contains(fact, "in every step") {
			t.Error(fact)
		}
	}
}
