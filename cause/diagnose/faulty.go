package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/fault"
	"utfbench/tile"
)

// Faulty is the hypothesis of one or more faults of wires or register bits, on a chip of a revision.
type Faulty struct {
	Faults []fault.Fault
	Tile   tile.Tile
}

// MustFault parses the hypothesis of a single fault, and panics if the text is invalid.
func MustFault(t tile.Tile, text string) Faulty {
	f, err := tile.Bits(t).Parse(text)
	if err != nil {
		panic(err)
	}
	return Faulty{[]fault.Fault{f}, t}
}

// FaultsOf returns the faults of a hypothesis if it is a Faulty.
func FaultsOf(h Hypothesis) []fault.Fault {
	switch h := h.(type) {
	case Faulty:
		return h.Faults
	case Ranked:
		return FaultsOf(h.Hypothesis)
	case Cause:
		return FaultsOf(h.Hypothesis)
	}
	return nil
}

func (h Faulty) String() string {
	var names []string
	for _, f := range h.Faults {
		names = append(names, f.String())
	}
	return strings.Join(names, " and ")
}

// Kind implements Hypothesis.
func (h Faulty) Kind() Conclusion {
	switch {
	case len(h.Faults) == 1 && (h.Faults[0].Kind == fault.Flip || h.Faults[0].Kind == fault.Cut &&
		h.Faults[0].Loose == fault.Random):
		return Intermittent
	case slices.ContainsFunc(h.Faults, func(f fault.Fault) bool { return f.Kind != fault.Register }):
		return Wire
	}
	return Register
}

// Simulate implements Hypothesis.
func (h Faulty) Simulate(at Setting) Simulation {
	w := h.wires(at)
	w.Pull = at.Pull
	return w
}

func (h Faulty) wires(at Setting) *fault.Wires { return fault.New(at.Wire(h.Tile), h.Faults, 0) }

// registers returns a chip's registers, or 0 if they are unknown.
func registers(c fault.Chip) uint64 {
	if r, ok := c.(fault.Registers); ok {
		return r.Registers()
	}
	return 0
}

// And adds a fault; ok is false if a line would have two.
func (h Faulty) And(f fault.Fault) (Hypothesis, bool) {
	both := Faulty{append(slices.Clone(h.Faults), f), h.Tile}
	return both, fault.Conflict(both.Faults) == nil
}

// carriesOver reports whether an execution may affect the next one in spite of the reset.
func carriesOver(h Hypothesis) bool {
	return slices.ContainsFunc(FaultsOf(h), func(f fault.Fault) bool {
		return f.Kind == fault.Late || f.Kind == fault.Cut && f.Loose == fault.Keep || max(f.A, f.B) >= fault.Clk
	})
}

// Suspects implements Hypothesis.
func (h Faulty) Suspects() (all []Suspect) {
	for _, f := range h.Faults {
		s := Suspect{linesOfFault(f), []string{describeFault(f)}}
		if f.Kind == fault.Stuck && toChip(fault.Lines[f.A]) { // an undriven input settles at either level
			s.What = append(s.What, "open")
		}
		all = append(all, s)
	}
	return all
}

// toChip reports whether only the bench drives the line.
func toChip(line string) bool {
	return !strings.HasPrefix(line, "uo") && !strings.HasPrefix(line, "uio")
}

func linesOfFault(f fault.Fault) []string {
	switch f.Kind {
	case fault.Register:
		return []string{"register bit " + f.Bit}
	case fault.Slow:
		return []string{"the chip"}
	case fault.Swapped, fault.BridgeAnd, fault.BridgeOr:
		return []string{fault.Lines[f.A], fault.Lines[f.B]}
	}
	return []string{fault.Lines[f.A]}
}

func describeFault(f fault.Fault) string {
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
