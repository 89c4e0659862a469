// Package testkit provides helpers for tests of several packages: vectors, lists of faults, and samples of long lists.
// It does not import driver or a higher package, so that driver's own tests can use it.
package testkit

import (
	"os"
	"testing"

	"utfbench/golden"
	"utfbench/tile/utf/dialect"
)

// Full reports whether to test everything, including whole long lists and slow tests that rarely fail. The environment
// variable BENCH_FULL, which scripts/test --full sets, requests it.
func Full() bool { return os.Getenv("BENCH_FULL") != "" }

// Pick returns usual, or full if Full: a number of repetitions, or the stride through a long list.
func Pick(usual, full int) int {
	if Full() {
		return full
	}
	return usual
}

// Long skips a slow test that rarely fails, unless Full.
func Long(t testing.TB) {
	t.Helper()
	if !Full() {
		t.Skip("takes long: scripts/test --full runs it")
	}
}

// A job has the form of driver.Job.
type job interface {
	~struct {
		Vector *golden.Vector
		File   string
	}
}

// AllJobs returns all built-in vectors as jobs of the driver.
func AllJobs[J job](t testing.TB) []J {
	t.Helper()
	suites, err := golden.Load(golden.FS(), dialect.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	return jobs[J](suites...)
}

// Jobs returns the vectors of one file, such as chip.vec.
func Jobs[J job](t testing.TB, file string) []J {
	t.Helper()
	suite, err := golden.LoadFile(golden.FS(), file, dialect.Dialect)
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
