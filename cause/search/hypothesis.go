package search

import (
	"slices"
	"strings"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// A Hypothesis is a possible cause: simultaneous faults of a chip of some revision. Without faults, the chip is good.
type Hypothesis struct {
	Tile   tile.Tile
	Faults []fault.Fault // of wires and register bits
	Time   *Range        // of the only fault, if that is a timing fault; nil otherwise
}

// A Kind is the kind of a hypothesis.
type Kind string

// The kinds of hypotheses.
const (
	Wire         Kind = "wire"
	Register     Kind = "register" // a stuck register bit
	Revision     Kind = "revision" // a good chip of another revision
	Timing       Kind = "timing"   // a line or chip that is too slow for the run's speed
	Intermittent Kind = "intermittent"
)

// MustParse parses the hypothesis of a single fault, and panics if the text is invalid.
func MustParse(t tile.Tile, text string) Hypothesis {
	f, err := tile.RegisterBits(t).Parse(text)
	if err != nil {
		panic(err)
	}
	return Hypothesis{Tile: t, Faults: []fault.Fault{f}}
}

// faultsOfLine lists the faults that each line can have.
var faultsOfLine = []string{"stuck0", "stuck1", "open", "open:low", "open:high", "open:keep", "inverted", "late"}

// WireHypotheses returns the single wire faults: each line stuck, open, inverted or late, each pair swapped or bridged.
func WireHypotheses(t tile.Tile) (hs []Hypothesis) {
	for _, line := range fault.Lines {
		for _, what := range faultsOfLine {
			if what != "late" || strings.HasPrefix(line, "uo") || strings.HasPrefix(line, "uio") {
				hs = append(hs, MustParse(t, line+"="+what))
			}
		}
	}
	for i, a := range fault.Lines {
		for _, b := range fault.Lines[i+1:] {
			hs = append(hs, MustParse(t, a+"<>"+b), MustParse(t, a+"~"+b+"=and"), MustParse(t, a+"~"+b+"=or"))
		}
	}
	return hs
}

// ChipHypotheses returns the hypotheses of a faulty chip: the other revisions, and each register bit stuck.
func ChipHypotheses(t tile.Tile) (hs []Hypothesis) {
	for _, other := range t.Others() {
		hs = append(hs, Hypothesis{Tile: other})
	}
	for _, bit := range tile.RegisterBits(t) {
		hs = append(hs, MustParse(t, bit+"=stuck0"), MustParse(t, bit+"=stuck1"))
	}
	return hs
}

// WithFault returns the hypothesis with another fault. ok is false if a line would have two, or if h has a time.
func (h Hypothesis) WithFault(f fault.Fault) (both Hypothesis, ok bool) {
	h.Faults = append(slices.Clone(h.Faults), f)
	return h, h.Time == nil && fault.CheckConflict(h.Faults) == nil
}

// String returns the faults, as in "uo3=stuck1 and ui2=open".
func (h Hypothesis) String() string {
	switch {
	case h.Tile == nil && h.Faults == nil:
		return "nothing"
	case h.Faults == nil:
		return "a " + h.Tile.Revision() + " chip without a fault"
	case h.Time != nil:
		return h.Suspects()[0].String()
	}
	var names []string
	for _, f := range h.Faults {
		names = append(names, f.String())
	}
	return strings.Join(names, " and ")
}

// Kind returns the kind of the faults. A wire fault and a register bit together are of kind Wire.
func (h Hypothesis) Kind() Kind {
	switch {
	case h.Faults == nil:
		return Revision
	case h.Time != nil:
		return Timing
	case len(h.Faults) == 1 && h.Faults[0].Kind == fault.Flip:
		return Intermittent
	case !slices.ContainsFunc(h.Faults, func(f fault.Fault) bool { return f.Kind != fault.Register }):
		return Register
	}
	return Wire
}

// InsideChip reports whether some fault is inside the chip, or the chip has another revision.
func (h Hypothesis) InsideChip() bool {
	return h.Faults == nil ||
		slices.ContainsFunc(h.Faults, func(f fault.Fault) bool { return f.Kind == fault.Register })
}

// MaxRarity is the rarity of the rarest faults and of any combination of faults.
const MaxRarity = 2

// Rarity ranks hypotheses with the same effect, the likeliest lowest: 0 for another revision, a timing fault, or a line
// or bit open or stuck; 1 for neighbours shorted or swapped, or lines of a port swapped; MaxRarity for all others.
func (h Hypothesis) Rarity() int {
	switch {
	case h.Faults == nil || h.Time != nil:
		return 0
	case len(h.Faults) > 1:
		return MaxRarity
	}
	switch f := h.Faults[0]; f.Kind {
	case fault.Stuck, fault.Cut, fault.Register:
		return 0
	case fault.Swapped, fault.BridgeAnd, fault.BridgeOr:
		if max(f.A, f.B)-min(f.A, f.B) == 1 || f.Kind == fault.Swapped && f.A/8 == f.B/8 {
			return 1
		}
	}
	return MaxRarity
}

// carriesOver reports whether an execution may affect the next one despite the reset.
func (h Hypothesis) carriesOver() bool {
	return slices.ContainsFunc(h.Faults, func(f fault.Fault) bool {
		return f.Kind == fault.Late || f.Kind == fault.Cut && f.End == fault.Keep || max(f.A, f.B) >= fault.Clk
	})
}

// Conditions are the conditions under which a chip is simulated.
type Conditions struct {
	Pull  transport.Pull    // the pull on undriven lines
	Speed *transport.Timing // the speed of bursts; nil for step by step, with ample time

	chip   func() fault.Chip // makes the chip; nil for tile.WiredChip
	before []transport.Step  // steps that reach the chip before the faults begin
}

// A Simulation is a simulated chip. Release it with tile.CloseReference.
type Simulation interface {
	// Run applies steps in order and stores their samples; samples must be as long. Errors come from the reference.
	Run(steps []transport.Step, samples []transport.Sample) error
}

// Simulate returns a chip with the faults, before its first reset.
func (h Hypothesis) Simulate(at Conditions) Simulation {
	switch {
	case h.Faults == nil:
		return h.Tile.New()
	case h.Time != nil:
		return h.timed(at)
	}
	return h.wires(h.Faults, at)
}

func (h Hypothesis) wires(faults []fault.Fault, at Conditions) *fault.Wires {
	if at.chip == nil {
		at.chip = func() fault.Chip { return tile.WiredChip(h.Tile) }
	}
	chip := at.chip()
	PanicOn(fault.New(chip, nil, 0).Run(at.before, make([]transport.Sample, len(at.before))))
	w := fault.New(chip, faults, 0)
	w.Pull = at.Pull
	return w
}

// MustParseAll parses hypotheses of one fault each, and panics if a text is invalid.
func MustParseAll(t tile.Tile, texts ...string) (hs []Hypothesis) {
	for _, text := range texts {
		hs = append(hs, MustParse(t, text))
	}
	return hs
}
