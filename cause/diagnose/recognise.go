package diagnose

import (
	"context"
	"slices"

	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/tile"
	"utfbench/transport"
)

// CheckContention returns a report on a chip that driver.Recognise rejected if CheckWiring must not follow: with each
// wire fault that predicts every bit, the chip would drive uio against the bench in the check's steps. Otherwise it
// returns nil. If a line of uio has a fault too, a fault that predicts every bit of uo suffices. Errors come from the
// reference or the context.
func CheckContention(ctx context.Context, t tile.Tile, found *driver.Trace) (r *WiringReport, err error) {
	defer search.RecoverError(&err)
	if tile.WiredChip(t) == nil {
		return nil, nil
	}
	e := recognised(ctx, t, found)
	for _, e := range []exam{e, e.without(0xFF00)} {
		if fits := e.likeliest(); e.predicts(fits[0]) {
			return e.clashing(fits), nil
		}
	}
	return nil, nil
}

func recognised(ctx context.Context, t tile.Tile, found *driver.Trace) exam {
	return newExam(search.Search{Tile: t, Context: ctx},
		[]search.Execution{{Steps: found.Steps, Got: found.Got, NoReadback: true}})
}

// clashing returns a report on the faults that explain a recognition if each of them would cause contention on uio.
func (e *exam) clashing(fits []search.Fit) *WiringReport {
	r := e.blame(fits)
	steps, err := tile.WiringSteps(e.Context, e.Tile)
	search.PanicOn(err)
	if r.Verdict != BadWires || slices.ContainsFunc(r.Suspects,
		func(h search.Hypothesis) bool { return !clashes(h, steps) }) {
		return nil
	}
	r.Steps = len(e.Executions[0].Steps)
	r.Reason += ", and uio was not driven, since the chip may drive it too"
	return r
}

// clashes reports whether the bench and the chip drive a line of uio to different levels in some step.
func clashes(h search.Hypothesis, steps []transport.Step) bool {
	got := make([]transport.Sample, len(steps))
	search.PanicOn(h.Simulate(search.Conditions{}).Run(steps, got))
	for i, s := range steps {
		if s.Drive&got[i].IOX != 0 {
			return true
		}
	}
	return false
}

// IsBehindOneBadWire reports whether a chip that driver.Recognise rejected is nevertheless this chip, behind one bad
// wire: either a single wire fault predicts every bit, or without clocks uo moves and depends only on the inputs of
// tile.Recogniser.CombinationalInputs, whatever the registers contain. Errors come from the reference.
func IsBehindOneBadWire(ctx context.Context, t tile.Tile, found *driver.Trace) (is bool, err error) {
	defer search.RecoverError(&err)
	e := recognised(ctx, found.Tile, found)
	r, can := t.(tile.Recogniser)
	if !can || e.silent() {
		return false, nil
	}
	if combinational(r.CombinationalInputs(), found) {
		return true, nil
	}
	for _, e := range []exam{e, e.without(0xFF00)} { // uio may keep any level that it had before
		if e.predicts(e.Rank(e.Evidence, search.WireHypotheses(e.Tile), 1)[0]) {
			return true, nil
		}
	}
	return false, nil
}

// predicts reports whether a hypothesis predicts all bits except the ones it leaves open.
func (e *exam) predicts(f search.Fit) bool { return f.WrongBits == 0 && f.ExplainsAllButNoise() }

// combinational reports whether uo moves without a clock, and depends only on some inputs between clocks.
func combinational(inputs uint8, found *driver.Trace) (moves bool) {
	seen := map[uint8]uint8{}
	for i, s := range found.Steps {
		if s.Clocks > 0 {
			clear(seen)
			continue
		}
		before, is := seen[s.In&inputs]
		if got := found.Got[i]; is && before != got.Out || got.OutX != 0 {
			return false
		}
		seen[s.In&inputs] = found.Got[i].Out
		for _, other := range seen {
			moves = moves || other != found.Got[i].Out
		}
	}
	return moves
}
