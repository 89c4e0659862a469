package wiring

import (
	"context"

	"utfbench/cause/diagnose"
	"utfbench/driver"
	"utfbench/tile"
	"utfbench/transport"
)

// Clash returns the report on a chip that driver.Recognise rejected, if Check must not follow: behind each wire fault
// that predicts every bit, the chip would drive uio against the bench in the steps of Check. Otherwise it returns nil.
// If a line of uio has a fault too, a fault counts that predicts every bit of uo. The error is the reference's or the
// context's.
func Clash(ctx context.Context, t tile.Tile, found *driver.Trace) (*Report, error) {
	if tile.Wire(t) == nil {
		return nil, nil
	}
	e := exam{ctx: ctx, tile: t,
		executions: []diagnose.Execution{{Steps: found.Steps, Got: found.Got, Blind: true}}}
	for _, e := range []exam{e, e.without(0xFF00)} {
		ranked, err := e.likeliest()
		switch {
		case err != nil:
			return nil, err
		case e.predicts(ranked[0]):
			return e.clashing(ranked)
		}
	}
	return nil, nil
}

// clashing returns the report on faults that explain a recognition, if uio must not be driven behind any of them.
func (e *exam) clashing(ranked []diagnose.Ranked) (*Report, error) {
	r := e.blame(ranked)
	if r.Verdict != Bad {
		return nil, nil
	}
	steps, err := tile.Cable(e.ctx, e.tile)
	if err != nil {
		return nil, err
	}
	for _, h := range r.Suspects {
		if clashes, err := clash(h, steps); err != nil || !clashes {
			return nil, err
		}
	}
	r.Steps = len(e.executions[0].Steps)
	r.Why += ", and uio was not driven, since the chip may drive it too"
	return r, nil
}

// clash reports whether bench and chip drive a line of uio to different levels.
func clash(h diagnose.Hypothesis, steps []transport.Step) (bool, error) {
	got := make([]transport.Sample, len(steps))
	if err := h.Simulate(diagnose.Setting{}).Run(steps, got); err != nil {
		return false, err
	}
	for i, s := range steps {
		if s.Drive&got[i].IOX != 0 {
			return true, nil
		}
	}
	return false, nil
}
