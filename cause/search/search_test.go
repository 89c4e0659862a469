package search

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

func hypothesis(texts ...string) Hypothesis {
	h := MustParse(utf.TT09, texts[0])
	for _, text := range texts[1:] {
		h.Faults = append(h.Faults, MustParse(utf.TT09, text).Faults...)
	}
	return h
}

// evidence returns a faulty chip's samples for every n-th vector.
func evidence(t *testing.T, h Hypothesis, n int) *Evidence {
	t.Helper()
	chip := mock.Open(mock.Config{Tile: utf.TT09, Faults: h.Faults})
	var all []Execution
	for i, j := range testkit.AllJobs[driver.Job](t) {
		if i%n == 0 && utf.TT09.Lint(j.Vector.Steps) == nil && j.Vector.Revision != "tt08" {
			e := Execution{Steps: j.Vector.Steps, Got: make([]transport.Sample, len(j.Vector.Steps))}
			testkit.Must(chip.Apply(t.Context(), e.Steps, e.Got))(t)
			all = append(all, e)
		}
	}
	return NewEvidence(utf.TT09, all)
}

// sample returns some executions that differ from a good chip's and some that do not, spread over the evidence.
func (e *Evidence) sample(failed, passed int) *Evidence {
	var of [2][]Execution
	for i, p := range e.Executions {
		kind := 1
		if slices.ContainsFunc(e.WrongLines[i], func(o transport.Outputs) bool { return o != 0 }) {
			kind = 0
		}
		of[kind] = append(of[kind], p)
	}
	var all []Execution
	for kind, n := range []int{failed, passed} {
		n = min(n, len(of[kind]))
		for i := range n {
			all = append(all, of[kind][i*len(of[kind])/n])
		}
	}
	return NewEvidence(utf.TT09, all)
}

// A reference that fails ends the search with its error.
func TestReferenceDies(t *testing.T) {
	e := evidence(t, hypothesis("uo3=stuck1"), 500)
	search := func() (err error) {
		defer RecoverError(&err)
		Search{Tile: testkit.NewDyingTile(100)}.Rank(e, WireHypotheses(testkit.NewDyingTile(100)), 1)
		return nil
	}
	if err := search(); !errors.Is(err, testkit.ErrDied) {
		t.Error(err)
	}
}

// apart ranks a pair of faults that act independently among the first, before any pair is simulated.
func TestSuperposition(t *testing.T) {
	for _, h := range []Hypothesis{hypothesis("uo3=stuck1", "v7=stuck0"), hypothesis("ui5~uio0=and", "uo4=late")} {
		e := evidence(t, h, 5)
		pairs := Search{Tile: utf.TT09, Budget: NewBudget(utf.TT09, 0)}.apart(Source{SampledEvidence: e.sample})
		if !slices.ContainsFunc(pairs[:5], func(o Hypothesis) bool { return sameFaults(o, h) }) {
			t.Errorf("%s are not among the first of %d pairs: %s", h, len(pairs), pairs[:5])
		}
	}
}

func sameFaults(a, b Hypothesis) bool {
	return len(a.Faults) == len(b.Faults) && !slices.ContainsFunc(a.Faults,
		func(f fault.Fault) bool { return !slices.Contains(b.Faults, f) })
}

// If two pairs explain a few executions equally well, sifted ranks the pair first that explains the whole run.
func TestPairsOnTheWholeRun(t *testing.T) {
	h, like := hypothesis("uo0=stuck0", "ui5=open"), hypothesis("uo0=stuck0", "ui0=open")
	e := evidence(t, h, 5)
	of := Source{SampledEvidence: e.sample, FullEvidence: func() *Evidence { return e }}
	two := Search{Tile: utf.TT09, Budget: NewBudget(utf.TT09, 0)}.sifted(of, []Hypothesis{like, h})
	if !sameFaults(two[0].Hypothesis, h) || len(Ties(two)) > 1 {
		t.Errorf("first of %s, costs %d and %d", two, two[0].Cost(), two[1].Cost())
	}
}

// SplitByRarity keeps the commonest wire faults that fit equally well, and DescribeRarer counts the others.
func TestCommonest(t *testing.T) {
	fits := []Fit{{Hypothesis: hypothesis("ui3=stuck0")}, {Hypothesis: hypothesis("ui3~ui4=and")},
		{Hypothesis: hypothesis("ui3<>uo5")}, {Hypothesis: hypothesis("v3=stuck0")},
		{Hypothesis: hypothesis("uo1<>uio5"), Account: Account{WrongBits: 1}}}
	var names []string
	all, rarer := SplitByRarity(fits)
	for _, f := range all {
		names = append(names, f.String())
	}
	got, described := strings.Join(names, " "), DescribeRarer(Hypotheses(rarer))
	if got != "ui3=stuck0 v3=stuck0 uo1<>uio5" || described !=
		"or, less likely, 2 other faults with the same effect, such as ui3 and ui4 are shorted together" {
		t.Errorf("%s, %s", got, described)
	}
}

// Faults for which the budget does not suffice are omitted, and the scope says so.
func TestBudget(t *testing.T) {
	b := NewBudget(utf.TT09, 10*time.Microsecond)
	e := &Evidence{Executions: []Execution{{Steps: make([]transport.Step, 4)}}}
	b.Finish(SingleFaults)
	if got := b.afford(WireHypotheses(utf.TT09), e, 1); len(got) != 2 || b.left != 2*time.Microsecond {
		t.Errorf("%d of 10 steps' time, %s left", len(got), b.left)
	}
	b.Finish(Pairs)
	const want = "searched: single faults; cut off: pairs of faults (--budget 5m goes on)"
	if got := b.Scope.String(); got != want {
		t.Error(got)
	}
	s := Search{Tile: utf.TT09, Budget: NewBudget(utf.TT09, time.Millisecond)}
	if pairs := s.apart(Source{}); pairs != nil || !s.Budget.cut {
		t.Errorf("%d pairs for a millisecond", len(pairs))
	}
}
