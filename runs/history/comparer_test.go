package history

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/runs/report"
	"utfbench/tile/utf"
	"utfbench/transport"
)

func steps(name string) []transport.Step {
	s := []transport.Step{{In: model.Idle, Reset: true, Clocks: 1}, {In: model.Idle &^ (model.READ | model.BIO),
		IO: name[0], Drive: 0xFF, Clocks: 1}}
	return append(s, slices.Repeat([]transport.Step{{In: model.Idle}}, 40)...)
}

func answers(of []transport.Step) (got []transport.Sample) {
	chip := model.New(model.TT09)
	for _, s := range of {
		got = append(got, chip.Step(s))
	}
	return got
}

// An execution is a vector in an iteration. wrong is added to uo in the last sample, and makes the execution a FAIL.
type execution struct {
	name      string
	iteration int
	wrong     uint8
}

func write(t interface {
	Fatal(...any)
	Helper()
}, path string, executions []execution) *report.Recording {
	t.Helper()
	f := testkit.Must(os.Create(path))(t)
	w := report.NewWriter(f)
	_ = w.Start(report.Run{Identity: report.Identity{Revision: "tt09"}, Started: time.Unix(1e9, 0)})
	vectors := map[string]*golden.Vector{}
	for _, p := range executions {
		if vectors[p.name] == nil {
			vectors[p.name] = &golden.Vector{Name: p.name}
		}
		res := &driver.Result{Tile: utf.TT09, Vector: vectors[p.name], Iteration: p.iteration}
		s := steps(p.name)
		got := answers(s)
		if p.wrong != 0 {
			res.Verdict = driver.Fail
			got[len(got)-1].Out ^= p.wrong
		}
		res.Trace = &driver.Trace{Tile: utf.TT09, Steps: s, Got: got}
		_ = w.Result(res)
	}
	if err := w.End(report.Outcome{Tally: &driver.Tally{}}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	return testkit.Must(report.Open(path))(t)
}

// someExecutions generates iterations of some of the vectors in any order.
var someExecutions = rapid.Custom(func(t *rapid.T) (all []execution) {
	for n := range rapid.IntRange(1, 3).Draw(t, "iterations") {
		names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}), 1, 6,
			rapid.ID).Draw(t, "names")
		for _, name := range names {
			all = append(all, execution{name, n + 1, rapid.SampledFrom([]uint8{0, 0, 0, 1, 8}).Draw(t, "wrong")})
		}
	}
	return all
})

// For any vectors in any order, CompareRecordings agrees with a comparison of tables in memory.
func TestAsByTable(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		a, b := someExecutions.Draw(t, "a"), someExecutions.Draw(t, "b")
		ra, rb := write(t, filepath.Join(dir, "a"), a), write(t, filepath.Join(dir, "b"), b)
		defer ra.Close()
		defer rb.Close()
		differ := map[string]uint8{}
		sum := testkit.Must(CompareRecordings(ra, rb, utf.TT09,
			func(d *Difference) { differ[fmt.Sprint(d.Vector, d.Iteration)] = d.OutDiff }))(t)
		want := table(a, b)
		got := result{sum.ComparedPairs, sum.ExecutionsOnlyA, sum.ExecutionsOnlyB, sum.DifferingPairs,
			sum.Lines[0].Steps, sum.Lines[3].Steps,
			sum.Lines[3].WrongA}
		if got != want {
			t.Fatalf("%+v, want %+v", got, want)
		}
		if len(differ) != want.differ {
			t.Fatalf("%d differences told of %d", len(differ), want.differ)
		}
		if sum.Identical() != slices.Equal(sorted(a), sorted(b)) {
			t.Fatalf("same: %v", sum.Identical())
		}
	})
}

type result struct{ pairs, onlyA, onlyB, differ, line0, line3, wrongA3 int }

func table(a, b []execution) (r result) {
	type key struct {
		name string
		n    int
	}
	inA, inB, namesA, namesB := map[key]uint8{}, map[key]uint8{}, map[string]bool{}, map[string]bool{}
	for _, p := range a {
		inA[key{p.name, p.iteration}], namesA[p.name] = p.wrong, true
	}
	for _, p := range b {
		inB[key{p.name, p.iteration}], namesB[p.name] = p.wrong, true
	}
	for k, wrong := range inA {
		other, ok := inB[k]
		switch {
		case !namesB[k.name]:
		case !ok:
			r.onlyA++
		default:
			r.pairs++
			d := wrong ^ other
			if d != 0 {
				r.differ++
			}
			r.line0 += int(d & 1)
			r.line3 += int(d >> 3 & 1)
			r.wrongA3 += int((d & wrong) >> 3 & 1)
		}
	}
	for k := range inB {
		if _, ok := inA[k]; !ok && namesA[k.name] {
			r.onlyB++
		}
	}
	return r
}

func sorted(p []execution) []string {
	var all []string
	for _, q := range p {
		all = append(all, fmt.Sprint(q))
	}
	slices.Sort(all)
	return all
}

// On lines that the reference leaves open, two chips may differ.
func TestOpenLines(t *testing.T) {
	c := &comparer{tile: utf.TT09, each: func(d *Difference) { t.Errorf("%+v", d) }}
	s := []transport.Step{{In: model.Idle, Clocks: 1}} // before the first reset nothing is known
	c.pair(&VectorVerdicts{}, &report.Execution{Steps: s, Got: []transport.Sample{{Out: 1}}},
		&report.Execution{Steps: s, Got: []transport.Sample{{Out: 2}}})
	if c.UnknownOnlySteps != 1 || c.DifferingPairs != 0 || !c.Identical() {
		t.Errorf("%+v", c.Summary)
	}
}

// A verdict in an iteration that the other run lacks does not change the vector's verdict in the comparison.
func TestVerdictsOfCommonIterations(t *testing.T) {
	dir := t.TempDir()
	long := write(t, filepath.Join(dir, "a"), []execution{{"a", 1, 0}, {"a", 2, 8}})
	short := write(t, filepath.Join(dir, "b"), []execution{{"a", 1, 0}})
	defer long.Close()
	defer short.Close()
	sum := testkit.Must(CompareRecordings(long, short, utf.TT09, func(d *Difference) { t.Error(d) }))(t)
	if len(sum.ChangedVectors()) != 0 || sum.ExecutionsOnlyA != 1 || sum.Identical() {
		t.Errorf("%+v, and the verdicts of %d vectors differ", sum, len(sum.ChangedVectors()))
	}
}

// If the steps of a vector differ, the runs differ, unless nothing was compared.
func TestOtherSteps(t *testing.T) {
	r := RunPair{Recordings: [2]*report.Recording{{}, {}}}
	if got := r.conclude(&Summary{ComparedPairs: 1, VectorsWithOtherSteps: []string{"a"}}); got != Different {
		t.Errorf("%s; want %s", got, Different)
	}
	if got := r.conclude(&Summary{VectorsWithOtherSteps: []string{"a"}}); got != NothingCompared {
		t.Errorf("%s without a pair; want %s", got, NothingCompared)
	}
	// after a difference the bench releases uio
	reset := transport.Step{Reset: true, Clocks: 1}
	for _, n := range []int{0, 1} {
		c := &comparer{tile: utf.TT09, other: map[string]bool{}, each: func(*Difference) {}}
		c.pair(&VectorVerdicts{},
			&report.Execution{Steps: []transport.Step{reset, {Drive: 1}}, Got: make([]transport.Sample, 2)},
			&report.Execution{Steps: []transport.Step{reset, {}}, Got: []transport.Sample{{Out: uint8(n)}, {Out: 8}}})
		if c.DifferingPairs != n || c.ComparedPairs != n || len(c.VectorsWithOtherSteps) != 1-n {
			t.Errorf("%d differ before the steps do: %+v", n, c.Summary)
		}
	}
}
