package stuckat

import (
	"math/rand/v2"
	"slices"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/transport"
)

// Nets that are bridged are among the suspects, with few others where it is known which nets are beside each other.
func TestSuspects(t *testing.T) {
	verilog, vectors := read(t, "turn.v"), random(13, 1, 8, 20)
	n := netlistOf(t, verilog)
	for i := range vectors {
		expect(t, verilog, &vectors[i])
	}
	tried, met := 0, 0
	for _, f := range bridges(t, NewBridger(n), rand.New(rand.NewPCG(2, 2)), 6/testkit.Pick(3, 1)) {
		var got [][]transport.Sample
		first := make([]int, len(vectors))
		failed := 0
		for i := range vectors {
			got = append(got, joined(t, verilog, n.Nets, &f).run(vectors[i].Steps))
			first[i] = none
			for k := len(got[i]) - 1; k >= 0; k-- {
				if known, wrong := observed(vectors[i].Want[k], got[i][k]); known&wrong != 0 {
					first[i] = k
				}
			}
			if first[i] >= 0 {
				failed++
			}
		}
		if failed < 4 {
			continue
		}
		tried++
		beside := func(net int) []int {
			return []int{f.bridge.A, f.bridge.B, (net + 1) % len(n.Nets), (net + 2) % len(n.Nets)}
		}
		s := Suspects{Nets: 100, Bridges: 200, Beside: beside}
		found, err := s.Find(t.Context(), n, vectors, got, first)
		if err != nil || len(found) > 200 {
			t.Fatal(len(found), err)
		}
		if slices.ContainsFunc(found, func(c Class) bool {
			b := c[0].bridge
			return b.Short == f.bridge.Short && (b.A == f.bridge.A && b.B == f.bridge.B ||
				b.Short != Dominant && b.A == f.bridge.B && b.B == f.bridge.A)
		}) {
			met++
		} else {
			t.Logf("%v is none of %d", &f, len(found))
		}
	}
	if tried == 0 || met < tried-1 {
		t.Errorf("the bridge is among the suspects in %d of %d", met, tried)
	}
}
