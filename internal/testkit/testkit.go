// Package testkit provides helpers for tests of several packages: vectors, lists of faults, and samples of long lists.
// It does not import driver or a higher package, so that driver's own tests can use it.
package testkit

import (
	"math/rand/v2"
	"os"
	"regexp"
	"testing"

	"utfbench/golden"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// Full reports whether to test everything, including long lists as a whole and slow tests that rarely fail. The
// environment variable BENCH_FULL, which scripts/test --full sets, requests it.
func Full() bool { return os.Getenv("BENCH_FULL") != "" }

// Pick returns full if Full, else usual: a number of repetitions, or the stride through a long list.
func Pick(usual, full int) int {
	if Full() {
		return full
	}
	return usual
}

// SampleSize is like Pick, but returns whole if BENCH_FULL is "whole". Use it for lists that take minutes as a whole.
func SampleSize(usual, full, whole int) int {
	if os.Getenv("BENCH_FULL") == "whole" {
		return whole
	}
	return Pick(usual, full)
}

// SkipUnlessFull skips a slow test that rarely fails, unless Full.
func SkipUnlessFull(t testing.TB) {
	t.Helper()
	if !Full() {
		t.Skip("takes long: scripts/test --full runs it")
	}
}

// A tester is a testing.TB or a *rapid.T.
type tester interface {
	Helper()
	Fatal(...any)
}

// Must returns a function that ends the test if err is not nil, and otherwise returns the value:
//
//	b := testkit.Must(boards.Open("rpi"))(t)
func Must[T any](value T, err error) func(tester) T {
	return func(t tester) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// Step returns a reference's sample after one more step.
func Step(t tester, chip tile.Reference, s transport.Step) transport.Sample {
	t.Helper()
	var sample [1]transport.Sample
	Must(sample, chip.Run([]transport.Step{s}, sample[:]))(t)
	return sample[0]
}

// A job is a type with the fields of driver.Job.
type job interface {
	~struct {
		Vector          *golden.Vector
		File            string
		SkipReason      string
		UnappliedReason string
		TwinReason      string
		Failed          bool
		NeverApplied    bool
	}
}

// AllJobs returns all built-in vectors as jobs for the driver.
func AllJobs[J job](t testing.TB) []J {
	t.Helper()
	suites, err := golden.Load(golden.FS(), utf.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	return jobs[J](suites...)
}

// Jobs returns the vectors of one file, such as chip.vec.
func Jobs[J job](t testing.TB, file string) []J {
	t.Helper()
	suite, err := golden.LoadFile(golden.FS(), file, utf.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	return jobs[J](suite)
}

func jobs[J job](suites ...*golden.Suite) (all []J) {
	for _, s := range suites {
		for i := range s.Vectors {
			all = append(all, J{Vector: &s.Vectors[i], File: s.File})
		}
	}
	return all
}

var short = regexp.MustCompile(`(^|[\s;])(inv|buf|nand2|nor2|xor2|mux2|a21oi|o21ai|conb|dfxtp|dfrbp|diode) (\S+ +\()`)

// SkyWaterCells replaces short names of cells in a netlist with SkyWater's, so that a test can write inv g (...).
func SkyWaterCells(verilog string) string {
	return short.ReplaceAllString(verilog, "${1}sky130_fd_sc_hd__${2}_1 ${3}")
}

// Stimulus returns at least n legal steps: a reset and random steps, many in series that differ only in their data. The
// bench drives all of uio while READ is low, and never otherwise.
func Stimulus(seed uint64, n int) []transport.Step {
	rng := rand.New(rand.NewPCG(seed, 0))
	steps := []transport.Step{{In: model.Idle, Reset: true, Clocks: 1}}
	for len(steps) < n {
		a, b := rng.Uint32(), rng.Uint32() // each bit is high with probability 3/4, so that few strobes are low at once
		s := transport.Step{In: uint8(a | b), Clocks: uint8(rng.IntN(3)), Reset: rng.IntN(40) == 0}
		if s.In&model.READ == 0 {
			s.Drive = 0xFF
		}
		for range 1 + rng.IntN(5)*rng.IntN(5) {
			s.IO = uint8(rng.Uint32())
			steps = append(steps, s)
		}
	}
	return steps
}

// ModelSamples returns the samples of a revision's model that starts in an unknown state.
func ModelSamples(rev model.Revision, steps []transport.Step) []transport.Sample {
	chip := model.New(rev)
	want := make([]transport.Sample, len(steps))
	for i, s := range steps {
		want[i] = chip.Step(s)
	}
	return want
}
