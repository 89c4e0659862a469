package wiring

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"utfbench/cause/diagnose"
	"utfbench/transport"
)

// longPulse is long for half a pulse of clk, also for a chip far below its supply voltage.
const longPulse = 20 * time.Microsecond

// patiently repeats an exam that suspects clk, with longer pulses if the transport can make them. If that is good, no
// wire is cut, and it returns another report that says so; else it returns r.
func (e *exam) patiently(ctx context.Context, tr transport.Transport, r *Report) (*Report, error) {
	tuner, is := tr.(transport.Tuner)
	if !is || !slices.ContainsFunc(r.Suspects, func(h diagnose.Hypothesis) bool { return clockRank(h) > 0 }) {
		return r, nil
	}
	knobs := tuner.Knobs()
	i := slices.IndexFunc(knobs, func(k transport.Knob) bool { return k.Name == "pulse" })
	if i < 0 || knobs[i].Default >= longPulse || knobs[i].High < longPulse {
		return r, nil
	}
	long, err := tuner.Tune(ctx, "pulse", longPulse)
	if err != nil {
		return nil, err
	}
	again, err := apply(ctx, tr, e.executions[0].Steps)
	_, restored := tuner.Tune(context.WithoutCancel(ctx), "pulse", knobs[i].Default)
	if err := cmp.Or(err, restored); err != nil {
		return nil, err
	}
	patient, err := (&exam{ctx: ctx, tile: e.tile, executions: again, budget: e.budget}).judge()
	if err != nil || patient.Verdict != Good && patient.Verdict != Unproven {
		return r, err
	}
	return &Report{Verdict: Unclear, Why: fmt.Sprintf("clk has an effect with pulses that are high for %s, and none "+
		"with %s: the chip is too slow for these, or clk rises slowly; bench shmoo finds the limit", long,
		knobs[i].Default)}, nil
}
