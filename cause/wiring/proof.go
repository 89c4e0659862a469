package wiring

import (
	"fmt"
	"slices"

	"utfbench/cause/diagnose"
	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// unproven returns the lines, in the order of fault.Lines, that the steps did not show at both levels: had the line
// been stuck, all samples would still match. Bits unknown to the reference show nothing. An output in this list was
// not compared at both levels.
//
// A chip that was never clocked or reset is unpredictable. So a line also counts as shown if the check would detect
// that it got stuck after the first reset.
func (e *exam) unproven() (lines []string, err error) {
	var all []diagnose.Hypothesis
	for line := range fault.Lines {
		for _, high := range []bool{false, true} {
			all = append(all, stuck{e.tile, line, high, 0})
		}
	}
	if all, err = diagnose.Consistent(e.ctx, e.tile, e.executions, all); err != nil {
		return nil, err
	}
	for i, h := range all {
		all[i] = h.(stuck).after(1)
	}
	all, err = diagnose.Consistent(e.ctx, e.tile, e.executions, all)
	for _, h := range all {
		lines = append(lines, fault.Lines[h.(stuck).line])
	}
	return slices.Compact(lines), err
}

// good returns the report for samples without a mismatch; it lists the lines that stay unproven.
func (e *exam) good() (*Report, error) {
	lines, err := e.unproven()
	if err != nil {
		return nil, err
	}
	r := &Report{Verdict: Unproven, Unproven: lines}
	spare := tile.Unused(e.tile)
	used := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return slices.Contains(spare, l) })
	switch n := len(r.Unproven); {
	case n == 0:
		r.Verdict, r.Why = Good, "every line carries both levels"
	case len(used) == 0:
		r.Verdict, r.Why = Good, "every line that the tile uses carries both levels; it does not use "+
			transport.Ranges(r.Unproven)+", so these are unproven"
	case n == len(fault.Lines):
		r.Why = "nothing differs, but no line is proven: no step would have shown one that is stuck"
	case n == 1:
		r.Why = "nothing differs, but 1 line is unproven: no step would have shown it stuck: " + r.Unproven[0]
	case n > 1:
		r.Why = fmt.Sprintf("nothing differs, but %d lines are unproven: no step would have shown them stuck: %s", n,
			transport.Ranges(r.Unproven))
	}
	return r, nil
}
