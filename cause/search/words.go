package search

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/fault"
	"utfbench/internal/printable"
)

// A Suspect is a set of lines and the faults that they may have.
type Suspect struct {
	Lines  []string
	Faults []string // as in "stuck at 0"
}

func (s Suspect) String() string {
	text, last := strings.Join(s.Lines, " and ")+[]string{" is ", " are "}[min(len(s.Lines), 2)-1], len(s.Faults)-1
	if last > 0 {
		text += strings.Join(s.Faults[:last], ", ") + " or "
	}
	return text + s.Faults[last]
}

// Suspects returns the suspected lines, or parts of the chip, with their faults.
func (h Hypothesis) Suspects() (all []Suspect) {
	if h.Faults == nil {
		own := h.Tile.Revision()
		return []Suspect{{[]string{"the chip"}, []string{"of the revision " + own + " (try --revision " + own + ")"}}}
	}
	for _, f := range h.Faults {
		s := Suspect{linesOf(f), []string{describe(f)}}
		if h.Time != nil {
			s.Faults[0] = h.Time.describe(f)
		}
		if f.Kind == fault.Stuck && (f.A < fault.UO || f.A >= fault.Clk) { // an undriven input settles at either level
			s.Faults = append(s.Faults, "open")
		}
		all = append(all, s)
	}
	return all
}

// Suspects returns the suspects of all hypotheses, grouped by their lines, in order.
func Suspects(hs []Hypothesis) (all []Suspect) {
	for _, h := range hs {
		all = append(all, h.Suspects()...)
	}
	return GroupSuspects(all)
}

// GroupSuspects merges suspects with the same lines. It keeps their order.
func GroupSuspects(suspects []Suspect) (all []Suspect) {
	for _, s := range suspects {
		i := slices.IndexFunc(all, func(o Suspect) bool { return slices.Equal(o.Lines, s.Lines) })
		if i < 0 {
			i, all = len(all), append(all, Suspect{Lines: s.Lines})
		}
		for _, what := range s.Faults {
			if !slices.Contains(all[i].Faults, what) {
				all[i].Faults = append(all[i].Faults, what)
			}
		}
	}
	return all
}

func linesOf(f fault.Fault) []string {
	switch f.Kind {
	case fault.Register:
		return []string{"register bit " + f.Bit}
	case fault.Slow:
		return []string{"the chip"}
	}
	return f.Places()
}

func describe(f fault.Fault) string {
	switch f.Kind {
	case fault.Stuck, fault.Register:
		if f.High {
			return "stuck at 1"
		}
		return "stuck at 0"
	case fault.Cut:
		return "open"
	case fault.Setup:
		return "too late for the edge"
	case fault.Hold:
		return "changed too soon after the edge"
	case fault.Delay:
		return "too late for the sample"
	case fault.Slow:
		return "too slow for the clock"
	case fault.Flip:
		return fmt.Sprintf("wrong now and then (in a step with probability %.2g)", f.Probability)
	case fault.Swapped:
		return "swapped"
	case fault.BridgeAnd, fault.BridgeOr:
		return "shorted together"
	case fault.Late:
		return "late by a step (slower than one, or registered once more)"
	}
	return "inverted"
}

// DescribeHypotheses describes hypotheses of equal cost, with one phrase for all that suspect the same lines. at
// returns a suffix for a suspect, such as the places of its lines on the board.
func DescribeHypotheses(hs []Hypothesis, at func(Suspect) string) (all []string) {
	var groups [][]Suspect
	for _, h := range hs {
		of := h.Suspects()
		i := slices.IndexFunc(groups, func(o []Suspect) bool {
			return len(o) == len(of) && len(GroupSuspects(slices.Concat(o, of))) == len(o)
		})
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = GroupSuspects(append(groups[i], of...))
	}
	for _, of := range groups {
		var words []string
		for _, s := range of {
			words = append(words, s.String()+at(s))
		}
		all = append(all, strings.Join(words, ", and "))
	}
	return all
}

// DescribeRarer describes rarer faults, or returns "" if there are none.
func DescribeRarer(hs []Hypothesis) string {
	if len(hs) == 0 {
		return ""
	}
	return fmt.Sprintf("or, less likely, %s with the same effect, such as %s",
		printable.Count(len(hs), "other fault"), hs[0].Suspects()[0])
}
