package grade

import "testing"

// A proof that takes too long is abandoned, and no further ones begin.
func TestConflicts(t *testing.T) {
	f := new(formula) // (a XOR b) XOR c never differs from a XOR (b XOR c), after some conflicts
	a, b, c := f.variable(), f.variable(), f.variable()
	f.add(f.differ(f.differ(f.differ(a, b), c), f.differ(a, f.differ(b, c))))
	if !f.impossible(1000) {
		t.Error("no proof within the limit")
	}
	if f.impossible(1) || !one.standing {
		t.Errorf("a proof with one conflict; a solver was given up: %v", one.standing)
	}
	if f.impossible(1000) {
		t.Error("beside a solver that was given up another one is run")
	}
	one.standing = false // for other tests: the abandoned solver is done
}
