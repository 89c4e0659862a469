package diagnose

import (
	"context"
	"fmt"
	"slices"

	"utfbench/cause/search"
)

// MayBeBrokenInput reports whether a broken pad or input of the chip looks like the bad wires.
func (r *WiringReport) MayBeBrokenInput() bool {
	return r.Verdict == BadWires && MayBeBrokenInput(r.Suspects, r.driven)
}

// SamplesDiffer reports whether the samples differ, so that a check with another design of the same chip may help.
func (r *WiringReport) SamplesDiffer() bool {
	return r.Verdict == BadWires || r.Verdict == UnclearWires
}

// LocateByOtherDesign locates a fault by a check with another design of the same chip, behind the same pads and wires.
// If nothing differs there although each suspect would show, wires and pads are good and the first design is at fault.
// If the fault shows there too, the design is not at fault. Errors come from the reference or the context.
func (r *WiringReport) LocateByOtherDesign(ctx context.Context, other *WiringReport, name string) (err error) {
	defer search.RecoverError(&err)
	acquitted := other.refutes(ctx, r)
	r.FaultLocated = true
	switch {
	case acquitted && r.FaultyOutputs != nil:
		r.Reason = fmt.Sprintf("%s at fault, and %s shows both levels there: wire, pin and pad are good, so it is the "+
			"design", Doubt{Outputs: r.FaultyOutputs}, name)
		r.FaultyOutputs = nil
	case acquitted:
		r.Reason += "; " + name + " shows every line at both levels, so wires and pads are good"
		if len(r.Suspects) != 1 || r.Suspects[0].Kind() != search.Revision {
			r.Reason += ": it is the design"
		}
		if r.Verdict == BadWires {
			r.Reason = fmt.Sprintf("%s shows every suspected wire to be good: the design responds as behind a bad "+
				"one", name)
		}
		r.Verdict = UnclearWires
	case r.Suspects == nil && other.FaultyOutputs != nil:
		r.FaultyOutputs, r.Suspects = other.FaultyOutputs, other.Suspects
		r.notTheDesign(name)
	case r.FaultyOutputs != nil && other.suspects(r.FaultyOutputs):
		r.notTheDesign(name)
	case other.Verdict == BadWires: // its suspects explain the other design's samples; r's might not
		r.Verdict, r.Suspects, r.RarerSuspects = BadWires, other.Suspects, other.RarerSuspects
		r.Account, r.FaultyOutputs = other.Account, nil
		r.Reason = blaming(other.Suspects) + " the samples of " + name
	default:
		r.FaultLocated = false
		if r.FaultyOutputs != nil {
			r.Reason += fmt.Sprintf("; %s does not decide it either (%s)", name, other.Reason)
		}
	}
	return nil
}

// BlamesDesign reports whether the check of another design has shown that wires and pads are good.
func (r *WiringReport) BlamesDesign() bool {
	return r.FaultLocated && r.Verdict == UnclearWires && r.FaultyOutputs == nil
}

// WithdrawIfChanged withdraws the blame on the design if the result of a later check differs, since a contact is loose.
func (r *WiringReport) WithdrawIfChanged(later *WiringReport) {
	same := func(a, b search.Hypothesis) bool { return a.String() == b.String() }
	if later.SamplesDiffer() && slices.EqualFunc(r.Suspects, later.Suspects, same) {
		return
	}
	r.FaultLocated = false
	r.Reason = "the check has another result when it is repeated, so the fault comes and goes: look for a loose contact"
}

// refutes reports whether nothing differs in this check although each suspect of another design's check would show. If
// that check has no suspects, every line must be proven here.
func (r *WiringReport) refutes(ctx context.Context, other *WiringReport) bool {
	switch {
	case r.Verdict != GoodWires && r.Verdict != UnprovenWires, other.Unrepeatable: // may be good by chance
		return false
	case other.Suspects == nil:
		return r.UnprovenLines == nil
	}
	var hs []search.Hypothesis
	for _, h := range other.Suspects {
		if !h.InsideChip() {
			h.Tile = r.exam.Tile
			hs = append(hs, h)
		}
	}
	s := search.Search{Tile: r.exam.Tile, Context: ctx}
	return len(hs) == 0 || s.Rank(r.exam.Evidence, hs, 1)[0].Cost() >= search.DecisiveBits
}

func (r *WiringReport) notTheDesign(name string) {
	r.Reason = fmt.Sprintf("%s at fault, and in %s too, so it is not the design: it is the wire, the bench's pin or "+
		"the chip's pad", Doubt{Outputs: r.FaultyOutputs}, name)
}

func (r *WiringReport) suspects(lines []string) bool {
	all := r.SuspectsByLine()
	return !slices.ContainsFunc(lines, func(line string) bool {
		return !slices.ContainsFunc(all, func(s search.Suspect) bool { return slices.Contains(s.Lines, line) })
	})
}
