package diagnose

import (
	"slices"
	"strings"

	"utfbench/fault"
	"utfbench/transport"
)

// Late is the hypothesis that several lines are late, each by its own time, as behind a long cable.
type Late []Timed

// String implements Hypothesis.
func (all Late) String() string {
	var names []string
	for _, h := range all {
		names = append(names, h.String())
	}
	return strings.Join(names, ", ")
}

// Kind implements Hypothesis.
func (Late) Kind() Conclusion { return Timing }

// Suspects implements Hypothesis. It groups equally late lines.
func (all Late) Suspects() (suspects []Suspect) {
	for _, h := range all {
		one := h.Suspects()[0]
		i := slices.IndexFunc(suspects, func(s Suspect) bool { return slices.Equal(s.What, one.What) })
		if i < 0 {
			suspects = append(suspects, one)
			continue
		}
		suspects[i].Lines = append(suspects[i].Lines, one.Lines...)
	}
	return suspects
}

// Simulate implements Hypothesis.
func (all Late) Simulate(at Setting) Simulation {
	var faults []fault.Fault
	var said transport.Outputs
	for _, h := range all {
		f := h.Faults[0]
		f.Time = h.most
		faults, said = append(faults, f), said|h.output()
	}
	t := all[0].Tile
	return behind(fault.New(at.Wire(t), faults, 0), t, at, said)
}

// lateOf is the number of failing, and of passing, executions on which a line's delay is estimated.
const lateOf = 16

// lateLines searches for a delay of each wrong line, such that all of them together reproduce the chip's samples
// exactly.
func (run *Run) lateLines(f *Finding) bool {
	var late Late
	sample := append(run.sample(true, lateOf), run.sample(false, lateOf)...)
	for _, s := range scales(run.Tile, run.speeds()) {
		if s.timed(0).output()&run.wrong != 0 {
			late = append(late, run.howLate(s, sample))
		}
	}
	if len(late) < 2 {
		return false
	}
	all := rank(run.Tile, run.joined(), []Hypothesis{late}, 1, run.simulator())[0]
	if all.Cost() > 0 {
		return false
	}
	s := run.simulator()
	f.Causes = slices.Insert(f.Causes, 0, run.account(&s, all))
	f.countTies()
	return true
}

// howLate returns the delay of a line that explains most of a sample, regardless of other lines.
func (run *Run) howLate(s scale, sample []Execution) Timed {
	ties := Ties(rank(run.Tile, sample, s.times(), 1, run.simulator()))
	best := ties[0].Hypothesis.(Timed)
	for _, t := range ties[1:] {
		if one, ok := best.joins(t.Hypothesis); ok {
			best = one
		}
	}
	return best
}
