package station

import (
	"testing"

	"utfbench/runs/plan"
)

// The seed of a target also applies to random steps unless the selection has its own.
func TestSeedOfRandomSteps(t *testing.T) {
	digest := func(target, selected uint64) string {
		r := Run{Target: NewTarget("mock"), Vectors: plan.Selection{RandomSteps: 100, Seed: selected}}
		r.Target.Seed = target
		if err := r.Plan(t.Context()); err != nil {
			t.Fatal(err)
		}
		return r.VectorPlan.Digest
	}
	if digest(0, 0) != digest(1, 0) || digest(2, 0) == digest(1, 0) || digest(2, 1) != digest(1, 0) {
		t.Error("the seed of a target does not draw the steps that it should")
	}
}
