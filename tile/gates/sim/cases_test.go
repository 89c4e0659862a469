package sim

import (
	"math/bits"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// TestCasesKeepTheRightOne compares cases with chips that have random delays and power-up states: no chip contradicts a
// level on which all cases agree, and for each a case remains. BENCH_TRIALS is the number of circuits.
func TestCasesKeepTheRightOne(t *testing.T) {
	trials := 3000
	if n, err := strconv.Atoi(os.Getenv("BENCH_TRIALS")); err == nil {
		trials = n
	}
	told := 0
	for trial := range trials {
		rng := rand.New(rand.NewPCG(uint64(trial), 7))
		c, inputs := randomCircuit(rng)
		p, err := Compile(c, inputs, 1)
		if err != nil {
			t.Fatal(err)
		}
		told += observe(t, p, c, inputs, rng, trial)
		if t.Failed() {
			return
		}
	}
	if told < trials {
		t.Errorf("cases tell %d levels: the test compares too little", told)
	}
	t.Logf("cases tell %d levels that ternary does not know", told)
}

// observe applies the same events to cases and a chip, and returns the number of levels that only the cases knew.
func observe(t *testing.T, p *Program, c *Circuit, inputs []Net, rng *rand.Rand, trial int) (told int) {
	ternary, s := NewMachine(p, nil), newDelayed(c, p, inputs, rng)
	var outs []Net
	for range 1 + rng.IntN(5) {
		outs = append(outs, Net(7+rng.IntN(len(c.Nets)-7)))
	}
	cases := NewCases(ternary.Clone(), outs)
	cases.room >>= []int{0, 56, 60, 62}[trial%4] // little room, so that some cases have to be merged
	cones := []*Cone{p.Cone(1, false), p.Cone(p.Inputs()&^1, false)}
	if !s.settle() {
		return 0
	}
	levels := make([]bool, len(inputs))
	for event := range 30 {
		clock := event % 3 / 2
		for i := range inputs {
			if (i == 0) == (clock == 1) && (i == 0 || rng.IntN(3) == 0) {
				levels[i] = !levels[i]
				s.schedule(inputs[i], levels[i], 0)
				word := -uint64(boolBit(levels[i]))
				ternary.Set(inputs[i], Level(word))
				cases.m.Set(inputs[i], Level(word))
			}
		}
		ternary.Event(cones[1-clock])
		cases.m.Event(cones[1-clock])
		if !s.settle() {
			return told
		}
		var is uint64
		for i, n := range outs {
			is |= uint64(boolBit(s.v[n])) << i
		}
		known, level := cases.AgreedLevels()
		if wrong := known & (is ^ level); wrong != 0 {
			t.Errorf("trial %d, event %d: outs %b show %b, and cases have %b\n%+v", trial, event, wrong, is, level,
				c.Cells)
			return told
		}
		for i, n := range outs {
			told += int(known >> i & 1 &^ (ternary.Level(n).KnownVectors() & 1))
		}
		if rng.IntN(4) == 0 {
			continue
		}
		seen := rng.Uint64() & (1<<len(outs) - 1)
		if wrong := cases.Observe(seen, is); wrong != 0 || bits.OnesCount64(cases.alive) == 0 {
			t.Errorf("trial %d, event %d: no case for a chip that shows %b\n%+v", trial, event, is, c.Cells)
			return told
		}
	}
	return told
}

func boolBit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sameAs, which is used to merge cases, finds the vectors that are equal in all nets.
func TestSameAs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	m := &Machine{p: &Program{}, v: make([]Set, 3)}
	for range 100 {
		for i := range m.v {
			m.v[i] = Set{rng.Uint64(), rng.Uint64()}
		}
		from, to := rng.IntN(64), rng.IntN(64)
		m.CopyVector(m, from, to)
		same := m.sameAs(from)
		if (same>>from)&(same>>to)&1 == 0 {
			t.Fatalf("a copy is not the same: %x", same)
		}
		for other := range 64 {
			want := true
			for _, s := range m.v {
				want = want && s.Hi>>from&1 == s.Hi>>other&1 && s.Lo>>from&1 == s.Lo>>other&1
			}
			if is := same>>other&1 != 0; is != want {
				t.Fatalf("vectors %d and %d: same %v, want %v", from, other, is, want)
			}
		}
	}
}
