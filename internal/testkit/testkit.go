// Package testkit holds what tests of more than one package use: vectors, lists of faults, and how much of a long list
// is tried. It imports neither driver nor what is above it, so that driver's own tests can import it.
package testkit

import (
	"os"
	"testing"

	"utfbench/golden"
	"utfbench/tile/utf/dialect"
)

// Stride is the distance between those items of a long list that are tried: near, or far where it would take too long,
// which is with the race detector, under which each takes some ten times as long, and where BENCH_FEW is set, as
// scripts/test does unless it is of a release.
func Stride(near, far int) int {
	if race || os.Getenv("BENCH_FEW") != "" {
		return far
	}
	return near
}

// WiresStride is Stride of faults in the wires: all of them take a minute and a half, so a release asks for them by
// BENCH_EVERY_WIRE.
func WiresStride() int {
	if os.Getenv("BENCH_EVERY_WIRE") != "" {
		return Stride(1, 29)
	}
	return Stride(5, 29)
}

// A job is what driver.Job is.
type job interface {
	~struct {
		Vector *golden.Vector
		File   string
	}
}

// AllJobs are all built-in vectors, as jobs of the driver.
func AllJobs[J job](t testing.TB) []J {
	t.Helper()
	suites, err := golden.Load(golden.FS(), dialect.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	return jobs[J](suites...)
}

// Jobs are the vectors of one file, such as chip.vec.
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

// Often is how often a test does what takes long and breaks rarely: release times in the tests of a release
// (scripts/test --release), else usual times.
func Often(usual, release int) int {
	if os.Getenv("BENCH_RELEASE") != "" {
		return release
	}
	return usual
}
