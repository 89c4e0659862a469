package driver

import (
	"context"

	"utfbench/transport"
)

// An Instability counts the steps whose repeated samples differ. Contention, an oscillation, a floating or analog line,
// or light on a bare die can cause that; stuck lines and wrong logic cannot.
type Instability struct {
	Steps int     // sampled more than once
	Lines [16]int // number of steps at which each line of uo (0 to 7) or uio (8 to 15) differed
}

func (u *Instability) add(lines transport.Outputs) {
	u.Steps++
	for i := range u.Lines {
		u.Lines[i] += int(lines >> i & 1)
	}
}

// applySampled applies the batch, and repeats each step without its clocks to sample it again. A line on which these
// samples differ becomes unknown, which matches nothing. It ignores lines that the reference leaves open.
func (r *run) applySampled(ctx context.Context) (good int, err error) {
	n := r.Samples
	if n < 2 {
		return r.applyGuarded(ctx)
	}
	steps, got, want, pending := r.steps, r.got, r.want, r.pending
	r.steps, r.got, r.want, r.pending = r.again.steps[:0], grow(r.again.got, n*len(steps)), r.again.want[:0],
		r.again.pending[:0]
	for i, s := range steps {
		for range n {
			r.steps, r.want = append(r.steps, s), append(r.want, want[i])
			s.Clocks, s.Linger = 0, false
		}
	}
	for _, p := range pending {
		p.step, p.steps = n*p.step, n*p.steps
		r.pending = append(r.pending, p)
	}
	clear(r.got)
	good, err = r.applyGuarded(ctx)
	r.again.steps, r.again.got, r.again.want, r.again.pending = r.steps, r.got, r.want, r.pending
	r.steps, r.got, r.want, r.pending = steps, got, want, pending
	good /= n
	for i := range steps {
		steps[i].Drive, steps[i].IO = r.again.steps[n*i].Drive, r.again.steps[n*i].IO // as set by release
	}
	if err := r.expectReleased(ctx); err != nil {
		return 0, err
	}
	for i := range good {
		r.tally.Instability.add(r.merge(i))
	}
	return good, err
}

// merge combines the samples of a step and returns the lines that differ.
func (r *run) merge(i int) (differ transport.Outputs) {
	all := r.again.got[r.Samples*i : r.Samples*(i+1)]
	r.got[i] = all[0]
	for _, s := range all[1:] {
		differ |= s.Differ(all[0])
	}
	differ &^= transport.Outputs(r.steps[i].Drive)<<8 | r.want[i].Unknown()
	r.got[i].SetUnknown(differ)
	return differ
}

// Reexamine repeats a failed job with several samples of each step, and then with long pulses of clk. It sets the
// tally's Instability, and also its Pulses if the job fails with both lengths, or always passes with long pulses and
// always fails with the usual ones. Errors come from the transport or ctx.
func (r *Runner) Reexamine(ctx context.Context, failed Job, to *Tally) error {
	again := Runner{Transport: r.Transport, Tile: r.Tile, Rules: Rules{Samples: 3}}
	tally, err := again.Run(ctx, []Job{failed})
	to.Instability = tally.Instability
	if err != nil {
		return err
	}
	const times = 5 // a random failure is unlikely to pass this often and then fail this often
	again.Rules = Rules{Count: times, FailFast: true}
	pulses, err := transport.WithLongPulses(ctx, r.Transport, func() (err error) {
		tally, err = again.Run(ctx, []Job{failed})
		return err
	})
	if err != nil || pulses == nil {
		return err
	}
	if pulses.LongPasses = tally.Verdicts[Pass] == times; pulses.LongPasses {
		again.FailFast = false
		tally, err = again.Run(ctx, []Job{failed})
	}
	if err == nil && tally.Verdicts[Pass] == 0 {
		to.Pulses = pulses
	}
	return err
}
