package timing

import (
	"context"

	"utfbench/driver"
	"utfbench/tile"
	"utfbench/transport"
)

// tries is the number of attempts after which bursts are taken to be wrong, since a chip may also fail at random.
const tries = 3

// CheckBursts returns ErrBurstsFail if vectors pass step by step but fail in bursts with the longest period: a FAIL at
// speed would then prove nothing about the chip. Other errors are the transport's or ctx's.
func CheckBursts(ctx context.Context, p *transport.Player, t tile.Tile, jobs []driver.Job) error {
	slow := transport.Timing{Period: p.Grid().MaxPeriod, Sample: transport.SampleAtFall}
	for range tries {
		right := false
		err := p.WithTiming(slow, func() (err error) {
			right, err = passes(ctx, p, t, jobs)
			return err
		})
		if err != nil || right {
			return err
		}
		if right, err = passes(ctx, p.Transport, t, jobs); err != nil || !right {
			return err
		}
	}
	return ErrBurstsFail
}

// passes reports whether the vectors run without a FAIL.
func passes(ctx context.Context, tr transport.Transport, t tile.Tile, jobs []driver.Job) (bool, error) {
	r := driver.Runner{Transport: tr, Tile: t, Rules: driver.Rules{FailFast: true}}
	tally, err := r.Run(ctx, jobs)
	return err == nil && tally.Verdicts[driver.Fail] == 0, err
}
