package diagnose

import (
	"slices"

	"utfbench/cause/search"
	"utfbench/fault"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/transport"
)

// unproven returns, in the order of fault.Lines, the lines that the steps did not prove at both levels: all samples
// would match even if such a line were stuck. Since no sample can be predicted for a chip that was never clocked or
// reset, a line is also proven if the check would detect that it got stuck after the first reset.
func (e *exam) unproven() (lines []string) {
	var all []search.Hypothesis
	for _, line := range fault.Lines {
		all = append(all, search.MustParseAll(e.Tile, line+"=stuck0", line+"=stuck1")...)
	}
	for _, h := range e.FilterConsistent(e.Evidence, e.FilterConsistent(e.Evidence, all, 0), 1) {
		lines = append(lines, fault.Lines[h.Faults[0].A])
	}
	return slices.Compact(lines)
}

// good returns the report on samples without a mismatch. It lists the lines that are unproven.
func (e *exam) good() *WiringReport {
	lines := e.unproven()
	r := &WiringReport{Verdict: UnprovenWires, UnprovenLines: lines}
	spare := tile.UnusedLines(e.Tile)
	used := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return slices.Contains(spare, l) })
	switch n := len(used); {
	case len(lines) == 0:
		r.Verdict, r.Reason = GoodWires, "every line carries both levels"
	case n == 0:
		r.Verdict, r.Reason = GoodWires, "every line that the tile uses carries both levels; it does not use "+
			transport.AbbreviateLines(r.UnprovenLines)+", so these are unproven"
	case n == len(fault.Lines):
		r.Reason = "nothing differs, but no line is proven: no step would have shown one that is stuck"
	default:
		r.Reason = "nothing differs, but " + printable.Plural(n, "line is unproven: no step would have shown it",
			"lines are unproven: no step would have shown them") + " stuck: " + transport.AbbreviateLines(used)
	}
	if 0 < len(used) && len(used) < len(lines) {
		r.Reason += "; the tile does not use " + transport.AbbreviateLines(spare)
	}
	return r
}
