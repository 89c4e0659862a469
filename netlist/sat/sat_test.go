package sat

import "testing"

// A proof that takes too long is given up, and after it no more are begun.
func TestBudget(t *testing.T) {
	f := new(Formula) // (a XOR b) XOR c differs from a XOR (b XOR c): never, after some conflicts
	a, b, c := f.Variable(), f.Variable(), f.Variable()
	f.Add(f.Differ(f.Differ(f.Differ(a, b), c), f.Differ(a, f.Differ(b, c))))
	if got, _ := Budget(1000).Solve(f); got != Never {
		t.Errorf("within its budget: %v, want never", got)
	}
	if got, _ := Budget(1).Solve(f); got != Unknown || !one.standing {
		t.Errorf("answer %d, and a solver was given up: %v", got, one.standing)
	}
	if got, _ := Budget(1000).Solve(f); got != Unknown {
		t.Error("beside a solver that was given up another one is asked")
	}
	one.standing = false // the solver has nothing to say any more when others ask
}
