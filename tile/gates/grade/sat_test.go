package grade

import "testing"

// A search that takes too long proves nothing, and further proofs are possible.
func TestProofEnds(t *testing.T) {
	for range 2 {
		if hard := pigeons(9); hard.impossible(100) {
			t.Error("a proof was found within 100 conflicts")
		}
		if easy := pigeons(4); !easy.impossible(mostConflicts) {
			t.Error("no proof was found")
		}
	}
}

// pigeons returns the statement that n+1 pigeons have a hole each, of n holes.
func pigeons(n int) (f formula) {
	at := make([][]int, n+1)
	for p := range at {
		for range n {
			at[p] = append(at[p], f.variable())
		}
		f.add(at[p]...)
	}
	for p := range at {
		for q := range p {
			for h := range n {
				f.add(-at[p][h], -at[q][h])
			}
		}
	}
	return f
}
