package testkit

import (
	"testing"

	"utfbench/golden"
	"utfbench/model"
)

// The lists of faults have no duplicates, and each fault can be parsed.
func TestEveryFault(t *testing.T) {
	all := EveryFault("stuck0", "stuck1", "flip:1e-2:1")
	if want := 26*3 + 16 + 26*25/2*3 + 54*2; len(all) != want {
		t.Errorf("there are %d faults; want %d", len(all), want)
	}
	seen := map[string]bool{}
	for _, fault := range all {
		if _, err := model.Bits.Parse(fault); err != nil || seen[fault] {
			t.Errorf("%s: %v, twice: %t", fault, err, seen[fault])
		}
		seen[fault] = true
	}
}

// AllJobs returns the jobs of all files in order.
func TestJobs(t *testing.T) {
	type own struct {
		Vector          *golden.Vector
		File            string
		SkipReason      string
		UnappliedReason string
		TwinReason      string
		Failed          bool
		NeverApplied    bool
	}
	all := AllJobs[own](t)
	for _, name := range []string{"chip.vec", "states.vec"} {
		var mine []string
		for _, j := range all {
			if j.File == name {
				mine = append(mine, j.Vector.Name)
			}
		}
		jobs := Jobs[own](t, name)
		if len(jobs) != len(mine) || len(jobs) == 0 {
			t.Fatalf("%s has %d vectors, and %d among all", name, len(jobs), len(mine))
		}
		for i, j := range jobs {
			if j.Vector.Name != mine[i] || j.File != name {
				t.Errorf("%s: %s is where %s should be", j.File, j.Vector.Name, mine[i])
			}
		}
	}
}
