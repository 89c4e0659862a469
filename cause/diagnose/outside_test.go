package diagnose

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"utfbench/cause/search"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// An outsider is a chip with a fault that no search covers.
type outsider struct {
	name   string
	wires  *fault.Wires
	family []Conclusion // conclusions that do not blame a good part
}

// A disturbed chip misses every misses-th edge, or clears register bits at every dips-th edge.
type disturbed struct {
	*model.Wired
	edges, misses, dips int
	clears              uint64
}

func (d *disturbed) ClockEdge(in fault.Levels) {
	d.edges++
	if d.misses > 0 && d.edges%d.misses == 0 {
		return
	}
	d.Wired.ClockEdge(in)
	if d.dips > 0 && d.edges%d.dips == 0 && d.Model().StateKnown() {
		d.SetRegisters(d.Registers() &^ d.clears)
	}
}

func good() *model.Wired { return model.NewWired(model.New(model.TT09)) }

// ofWires lists the conclusions about wires.
var ofWires = []Conclusion{Wire, Unclear, SeveralFaults}

func short(rng *rand.Rand) outsider {
	lines := rng.Perm(len(fault.Lines))[:3]
	kind := []fault.Kind{fault.BridgeAnd, fault.BridgeOr}[rng.IntN(2)]
	ab := fault.Fault{Kind: kind, A: lines[0], B: lines[1]}
	bc := fault.Fault{Kind: kind, A: lines[1], B: lines[2]}
	return outsider{fmt.Sprint(ab, " and ", bc), fault.New(good(), []fault.Fault{ab, bc, ab}, 0), ofWires}
}

// lateInput returns a chip with an input that is late at the first edge of every step, and a stuck register bit.
func lateInput(rng *rand.Rand) outsider {
	line, bit := fault.Lines[rng.IntN(8)], model.Bits[rng.IntN(len(model.Bits))]
	stuck := fmt.Sprintf("%s=stuck%d", bit, rng.IntN(2))
	faults := []fault.Fault{search.MustParse(utf.TT09, line+"=setup:1s").Faults[0], search.MustParse(utf.TT09,
		stuck).Faults[0]}
	may := []Conclusion{Register, SeveralFaults, Timing}
	return outsider{line + " late and " + stuck, fault.New(good(), faults, 0), may}
}

func missedEdge(rng *rand.Rand) outsider {
	chip := &disturbed{Wired: good(), misses: 900 + rng.IntN(200)}
	return outsider{fmt.Sprintf("every edge number %d is missed", chip.misses), fault.New(chip, nil, 0),
		[]Conclusion{Timing}}
}

// supplyDip returns a chip that clears one register at about every 1000th edge.
func supplyDip(rng *rand.Rand) outsider {
	chip := &disturbed{Wired: good(), dips: 900 + rng.IntN(200)}
	name := strings.TrimRight(model.Bits[rng.IntN(len(model.Bits))], "0123456789")
	for i, bit := range model.Bits {
		if strings.TrimRight(bit, "0123456789") == name {
			chip.clears |= 1 << i
		}
	}
	return outsider{fmt.Sprintf("%s is cleared at every edge number %d", name, chip.dips), fault.New(chip, nil, 0),
		[]Conclusion{Register}}
}

// wrongBytes returns a chip on a cable that swaps two ports and rotates one of them.
func wrongBytes(rng *rand.Rand) outsider {
	ports, by := rng.Perm(3)[:2], rng.IntN(8)
	var faults []fault.Fault
	for i := range 8 {
		a, b := 8*ports[0]+i, 8*ports[1]+(i+by)%8
		faults = append(faults, fault.Fault{Kind: fault.Swapped, A: min(a, b), B: max(a, b)})
	}
	return outsider{fmt.Sprint("bytes swapped, with ", faults[0]), fault.New(good(), faults, 0), ofWires}
}

// runTwice returns a run of every tenth vector, in two rounds.
func (o outsider) runTwice(t *testing.T) *Run {
	c := &Run{Tile: utf.TT09}
	for range 2 {
		for i, j := range allJobs(t) {
			if i%10 != 0 || utf.TT09.Lint(j.Vector.Steps) != nil || j.Vector.Revision == "tt08" {
				continue
			}
			got := make([]transport.Sample, len(j.Vector.Steps))
			search.PanicOn(o.wires.Run(j.Vector.Steps, got))
			search.PanicOn(c.Add(j.Vector.Name, j.Vector.Steps, got))
		}
	}
	return c
}

// 95 % of the faults that no search covers are unexplained, or assigned to a right family. BENCH_SEED selects others.
func TestOutsideOfTheList(t *testing.T) {
	seed, _ := strconv.ParseUint(os.Getenv("BENCH_SEED"), 10, 64)
	count := testkit.SampleSize(1, 15, 200)
	classes := []func(*rand.Rand) outsider{short, lateInput, missedEdge, supplyDip, wrongBytes}
	rng, said, seen, wrong := rand.New(rand.NewPCG(3, seed)), map[Conclusion]int{}, 0, 0
	for i := range count {
		o := classes[i%len(classes)](rng)
		c := o.runTwice(t)
		if c.FailedExecutions == 0 {
			continue
		}
		f := diagnosed(t, c)
		seen++
		said[f.Conclusion]++
		honest := f.Conclusion == Unexplained && len(f.Facts) > 0
		if !honest && !slices.Contains(o.family, f.Conclusion) {
			wrong++
			t.Logf("%s: %s, %s, %d of %d bits; %s", o.name, f.Conclusion, f.best(), f.best().ExplainedBits,
				f.best().DifferingBits, f.Reason())
		}
	}
	t.Logf("of %d faults outside of the list %d are seen, and %d put down to another family; %v", count, seen, wrong,
		said)
	if wrong*20 > seen {
		t.Errorf("%d of %d are put down to another family", wrong, seen)
	}
}
