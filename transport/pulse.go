package transport

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// LongPulse is a duration of half a clk pulse that suffices even for a chip far below its nominal supply voltage.
const LongPulse = 20 * time.Microsecond

// Pulses holds two durations of half a clk pulse. The chip fails with the usual one.
type Pulses struct {
	Usual      time.Duration `json:"usual_ns"`
	Long       time.Duration `json:"long_ns"`
	LongPasses bool          `json:"long_passes"` // the chip passes with the long one
}

// WithLongPulses calls do with long pulses of clk, and then restores the usual ones. It returns nil without calling do
// if the transport cannot make longer pulses.
func WithLongPulses(ctx context.Context, tr Transport, do func() error) (p *Pulses, err error) {
	tuner, is := tr.(Tuner)
	if !is {
		return nil, nil
	}
	knobs := tuner.Knobs()
	i := slices.IndexFunc(knobs, func(k Knob) bool { return k.Name == "pulse" })
	if i < 0 || knobs[i].Default >= LongPulse || knobs[i].High < LongPulse {
		return nil, nil
	}
	long, err := tuner.Tune(ctx, "pulse", LongPulse)
	if err != nil {
		return nil, err
	}
	defer func() {
		_, restored := tuner.Tune(context.WithoutCancel(ctx), "pulse", knobs[i].Default)
		err = cmp.Or(err, restored)
	}()
	return &Pulses{Usual: knobs[i].Default, Long: long}, do()
}
