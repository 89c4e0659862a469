package search

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/fault"
	"utfbench/internal/printable"
)

// A Suspect is a set of lines with their possible faults.
type Suspect struct {
	Lines []string
	What  []string // as in "stuck at 0"
}

func (s Suspect) String() string {
	verb := " is "
	if len(s.Lines) > 1 {
		verb = " are "
	}
	return strings.Join(s.Lines, " and ") + verb + s.Faults()
}

// Faults returns the possible faults, as in "stuck at 0 or open".
func (s Suspect) Faults() string {
	last := len(s.What) - 1
	if last == 0 {
		return s.What[0]
	}
	return strings.Join(s.What[:last], ", ") + " or " + s.What[last]
}

// Suspects returns the suspected lines and parts of the chip, with their faults. Equally late lines are one suspect.
func (h Hypothesis) Suspects() (all []Suspect) {
	if h.Faults == nil {
		own := h.Tile.Revision()
		return []Suspect{{[]string{"the chip"}, []string{"of the revision " + own + " (try --revision " + own + ")"}}}
	}
	for i, f := range h.Faults {
		s := Suspect{linesOf(f), []string{describe(f)}}
		if h.Times != nil {
			s.What[0] = h.Times[i].describe(f)
			same := slices.IndexFunc(all, func(o Suspect) bool { return slices.Equal(o.What, s.What) })
			if same >= 0 {
				all[same].Lines = append(all[same].Lines, s.Lines...)
				continue
			}
		}
		if f.Kind == fault.Stuck && (f.A < fault.UO || f.A >= fault.Clk) { // an undriven input settles at either level
			s.What = append(s.What, "open")
		}
		all = append(all, s)
	}
	return all
}

// Suspects groups the suspects of hypotheses by their lines, in order.
func Suspects(hs []Hypothesis) (all []Suspect) {
	for _, h := range hs {
		all = append(all, h.Suspects()...)
	}
	return GroupSuspects(all)
}

// GroupSuspects joins the suspects of the same lines, in order.
func GroupSuspects(suspects []Suspect) (all []Suspect) {
	for _, s := range suspects {
		i := slices.IndexFunc(all, func(o Suspect) bool { return slices.Equal(o.Lines, s.Lines) })
		if i < 0 {
			i, all = len(all), append(all, Suspect{Lines: s.Lines})
		}
		for _, what := range s.What {
			if !slices.Contains(all[i].What, what) {
				all[i].What = append(all[i].What, what)
			}
		}
	}
	return all
}

// linesOf returns the lines of a fault, or the part of the chip.
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
		return fmt.Sprintf("wrong now and then (in a step with probability %g)", f.P)
	case fault.Swapped:
		return "swapped"
	case fault.BridgeAnd, fault.BridgeOr:
		return "shorted together"
	case fault.Late:
		return "late by a step"
	}
	return "inverted"
}

// Describe describes hypotheses of equal cost, one a line; at returns what to add to a suspect, such as the places of
// its lines. Faults of the same lines are one suspect. Of pairs, the fault that most of them have is named once.
func Describe(hs []Hypothesis, at func(Suspect) string) (all []string) {
	var single, pairs, several []Hypothesis
	for _, h := range hs {
		switch suspects := h.Suspects(); {
		case len(suspects) == 1 || h.Times != nil:
			single = append(single, h)
		case len(suspects) == 2:
			pairs = append(pairs, h)
		default:
			several = append(several, h)
		}
	}
	for len(several) > 0 { // those on the same lines are one
		var same []Suspect
		lines := Suspects(several[:1])
		several = slices.DeleteFunc(several, func(h Hypothesis) bool {
			is := !slices.ContainsFunc(h.Suspects(), func(s Suspect) bool {
				return !slices.ContainsFunc(lines, func(o Suspect) bool { return slices.Equal(s.Lines, o.Lines) })
			})
			if is {
				same = append(same, h.Suspects()...)
			}
			return is
		})
		var words []string
		for _, s := range GroupSuspects(same) {
			words = append(words, s.String()+at(s))
		}
		all = append(all, strings.Join(words, ", and "))
	}
	for _, s := range Suspects(single) {
		all = append(all, s.String()+at(s))
	}
	return append(all, describePairs(pairs, at)...)
}

func describePairs(hs []Hypothesis, at func(Suspect) string) (all []string) {
	key := func(s Suspect) string { return strings.Join(s.Lines, " ") }
	in := map[string]int{} // pairs with a fault on these lines
	for _, h := range hs {
		for _, s := range h.Suspects() {
			in[key(s)]++
		}
	}
	var shared []Suspect
	others := map[string][]Suspect{} // by the lines of the shared one
	for _, h := range hs {
		one, other := h.Suspects()[0], h.Suspects()[1]
		known := func(s Suspect) bool {
			return slices.ContainsFunc(shared, func(o Suspect) bool { return key(o) == key(s) })
		}
		if n, m := in[key(one)], in[key(other)]; n < m || n == m && known(other) && !known(one) {
			one, other = other, one
		}
		shared, others[key(one)] = GroupSuspects(append(shared, one)), GroupSuspects(append(others[key(one)], other))
	}
	for _, s := range shared {
		alike := map[string][]string{} // single lines with the same fault
		for _, o := range others[key(s)] {
			if len(o.Lines) == 1 {
				alike[o.Faults()] = append(alike[o.Faults()], o.Lines[0])
			}
		}
		for _, o := range others[key(s)] {
			lines, words := alike[o.Faults()], o.String()
			switch {
			case len(o.Lines) > 1:
				lines = o.Lines
			case lines[0] != o.Lines[0]:
				continue
			case len(lines) > 1:
				words = fmt.Sprintf("one of: %s is %s", strings.Join(lines, ", "), o.Faults())
			}
			all = append(all, s.String()+at(s)+", and "+words+at(Suspect{lines, o.What}))
		}
	}
	return all
}

// DescribeRarer describes rarer faults; without any it returns "".
func DescribeRarer(hs []Hypothesis) string {
	if len(hs) == 0 {
		return ""
	}
	return fmt.Sprintf("or, less likely, %s with the same effect, such as %s",
		printable.Count(len(hs), "other fault"), hs[0].Suspects()[0])
}
