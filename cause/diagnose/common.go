package diagnose

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"utfbench/cause/search"
	"utfbench/tile"
	"utfbench/transport"
)

// A Trait is a property that nearly all failing executions have at their first error, with the number of passing ones
// that have it at some step.
type Trait struct {
	What      string `json:"what"`
	Failing   int    `json:"failing"`
	OfFailing int    `json:"of_failing"`
	Passing   int    `json:"passing"`
	OfPassing int    `json:"of_passing"`
}

// A trait is common if at least commonPercent of the failing executions have it. A range of values is not reported if
// more than usualPercent of the passing ones have it.
const commonPercent, usualPercent = 90, 50

// A sight describes a step: its traits as bits, and the value that a good chip holds after it.
type sight struct {
	traits uint64
	v      uint32
}

// A scene maps trait names to bits, in order of appearance.
type scene struct{ names []string }

// bit returns a trait's bit, or 0 for traits beyond 64; there are some 30.
func (s *scene) bit(name string) uint64 {
	i := slices.Index(s.names, name)
	if i < 0 {
		i, s.names = len(s.names), append(s.names, name)
	}
	return 1 << i
}

// look visits the steps of an execution until see returns false; wrong has the differing bits.
func (s *scene) look(t tile.Tile, p search.Execution,
	see func(at sight, wrong transport.Outputs, step transport.Step) bool) {
	chip := tile.Walk{Reference: t.New()}
	defer tile.Done(chip.Reference)
	o := t.(tile.Observer)
	traits := o.Observe()
	for i, step := range p.Steps {
		want, err := chip.Step(step)
		search.Check(err)
		wrong := p.Got[i].Differ(want)
		var at sight
		for _, name := range traits(step) {
			at.traits |= s.bit(name)
		}
		at.v = o.Value(tile.Registers(chip.Reference))
		if !see(at, wrong, step) {
			return
		}
	}
}

// commonTraits returns traits that failing executions share and passing ones lack, or nil if the tile is no
// tile.Observer.
func (run *Run) commonTraits() (all []Trait) {
	if _, ok := run.Tile.(tile.Observer); !ok {
		return nil
	}
	var s scene
	failing, wrong := run.failures(&s)
	if len(failing) == 0 {
		return nil
	}
	n := tallyTraits(failing)
	var shared uint64 // traits of nearly all failing executions
	for i, name := range s.names {
		if n[i]*100 >= commonPercent*len(failing) {
			shared |= 1 << i
			all = append(all, Trait{What: name, Failing: n[i]})
		}
	}
	low, high := valueRange(failing)
	all = append(all, Trait{What: describeRange(low, high), Failing: len(failing)},
		Trait{What: "all of this at one step", Failing: countHaving(failing, shared)})
	passing := run.count(&s, shared, low, high, all)
	last := len(all) - 1
	if v := all[last-1]; v.Passing*100 > usualPercent*passing {
		all = slices.Delete(all, last-1, last)
	}
	slices.SortStableFunc(all[:len(all)-1], func(a, b Trait) int { return cmp.Compare(a.Passing, b.Passing) })
	all = append(all, wrong...)
	for i := range all {
		all[i].OfFailing, all[i].OfPassing = len(failing), passing
	}
	return all
}

// failures returns the steps of the first errors, with the traits of the wrong lines.
func (run *Run) failures(s *scene) (failing []sight, wrong []Trait) {
	for _, p := range run.every(true) {
		s.look(run.Tile, p, func(at sight, differs transport.Outputs, step transport.Step) bool {
			if differs == 0 {
				return true
			}
			failing = append(failing, at)
			for _, name := range wrongNames(run.Tile, differs, step) {
				wrong = countTrait(wrong, name)
			}
			return false
		})
	}
	slices.SortStableFunc(wrong, func(a, b Trait) int { return cmp.Compare(b.Failing, a.Failing) })
	return failing, wrong[:min(len(wrong), shownCauses)]
}

func countTrait(all []Trait, what string) []Trait {
	for i := range all {
		if all[i].What == what {
			all[i].Failing++
			return all
		}
	}
	return append(all, Trait{What: what, Failing: 1})
}

// wrongNames returns the names of the differing flags, and of the byte on uio.
func wrongNames(t tile.Tile, differs transport.Outputs, step transport.Step) (names []string) {
	for out := uint8(differs); out != 0; out &= out - 1 {
		names = append(names, tile.OutNames(t, step.In)[bits.TrailingZeros8(out)]+" is wrong")
	}
	if differs>>8 != 0 {
		names = append(names, "the byte on uio is wrong")
	}
	return names
}

// count counts the passing executions with each trait at some step; the last two traits are the range of values and
// all together.
func (run *Run) count(s *scene, shared uint64, low, high uint32, all []Trait) (passing int) {
	for _, p := range run.every(false) {
		var met uint64
		var inside, both bool
		s.look(run.Tile, p, func(at sight, _ transport.Outputs, _ transport.Step) bool {
			in := at.v >= low && at.v <= high
			met, inside, both = met|at.traits, inside || in, both || in && at.traits&shared == shared
			return true
		})
		passing++
		for i := range all[:len(all)-2] {
			if met&s.bit(all[i].What) != 0 {
				all[i].Passing++
			}
		}
		if inside {
			all[len(all)-2].Passing++
		}
		if both {
			all[len(all)-1].Passing++
		}
	}
	return passing
}

func tallyTraits(all []sight) (n [64]int) {
	for _, at := range all {
		for t := at.traits; t != 0; t &= t - 1 {
			n[bits.TrailingZeros64(t)]++
		}
	}
	return n
}

func countHaving(all []sight, shared uint64) (n int) {
	for _, at := range all {
		if at.traits&shared == shared {
			n++
		}
	}
	return n
}

func valueRange(all []sight) (low, high uint32) {
	low, high = all[0].v, all[0].v
	for _, at := range all {
		low, high = min(low, at.v), max(high, at.v)
	}
	return low, high
}

func describeRange(low, high uint32) string {
	if low == high {
		return fmt.Sprintf("the value %08X", low)
	}
	return fmt.Sprintf("a value from %08X to %08X", low, high)
}
