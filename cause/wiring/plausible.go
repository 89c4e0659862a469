package wiring

import (
	"context"
	"slices"

	"utfbench/cause/diagnose"
	"utfbench/driver"
	"utfbench/tile"
	"utfbench/transport"
)

// BehindOneBadWire reports whether a chip that driver.Recognise rejected is this chip behind one bad wire. It requires
// evidence that no other design gives. Either a single wire fault predicts every bit, or without clocks uo moves and
// depends only on the inputs of tile.Recogniser.Follows. The latter holds for any register contents, even without
// clock or reset. The error is the reference's.
func BehindOneBadWire(ctx context.Context, t tile.Tile, found *driver.Trace) (bool, error) {
	p := diagnose.Execution{Steps: found.Steps, Got: found.Got, Blind: true}
	e := exam{ctx: ctx, tile: found.Tile, executions: []diagnose.Execution{p}}
	r, can := t.(tile.Recogniser)
	if !can || e.silent() {
		return false, nil
	}
	if combinational(r.Follows(), found) {
		return true, nil
	}
	if predicted, err := e.predicted(); predicted || err != nil {
		return predicted, err
	}
	floating := e.without(0xFF00) // uio may keep any earlier level
	return floating.predicted()
}

// predicted reports whether a single wire fault predicts every bit.
func (e *exam) predicted() (bool, error) {
	ranked, err := e.rank(diagnose.Wires(e.tile), 1)
	if err != nil {
		return false, err
	}
	return e.predicts(ranked[0]), nil
}

func (e *exam) predicts(r diagnose.Ranked) bool {
	return r.Wrong == 0 && r.Unsaid <= 16*len(e.executions[0].Steps)/mostUnsaid
}

// combinational reports whether uo moves and depends only on these inputs, in the longest stretch without a clock.
func combinational(inputs uint8, found *driver.Trace) bool {
	from, to := unclocked(found.Steps)
	seen := map[uint8]transport.Sample{}
	var levels []uint8
	for i := from; i < to; i++ {
		got := transport.Sample{Out: found.Got[i].Out, OutX: found.Got[i].OutX}
		ui := found.Steps[i].In & inputs
		if before, ok := seen[ui]; ok && before != got || got.OutX != 0 {
			return false
		}
		seen[ui] = got
		levels = append(levels, got.Out)
	}
	slices.Sort(levels)
	return len(slices.Compact(levels)) > 1
}

func unclocked(steps []transport.Step) (from, to int) {
	for i, begin := 0, 0; i <= len(steps); i++ {
		if i < len(steps) && steps[i].Clocks == 0 {
			continue
		}
		if i-begin > to-from {
			from, to = begin, i
		}
		begin = i + 1
	}
	return from, to
}
