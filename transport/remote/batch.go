package remote

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"utfbench/transport"
)

// Apply implements transport.Transport.
func (n *Near) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	return n.apply(ctx, &batch{steps: steps, samples: samples})
}

// ApplyGuarded implements transport.Guarder.
func (n *Near) ApplyGuarded(ctx context.Context, steps []transport.Step, samples []transport.Sample,
	g transport.Guard) (int, error) {
	if err := g.Check(steps); err != nil {
		return 0, err
	}
	return n.apply(ctx, &batch{steps: steps, samples: samples, at: g.At, want: g.Want})
}

// ApplyTriggered implements transport.Trigger.
func (n *Near) ApplyTriggered(ctx context.Context, steps []transport.Step, samples []transport.Sample,
	at []int) (int, error) {
	for i, step := range at {
		if step < 0 || step >= len(steps) || i > 0 && step <= at[i-1] {
			return 0, fmt.Errorf("a trigger before step %d of %d: the steps have to be there, in rising order", step,
				len(steps))
		}
	}
	return n.apply(ctx, &batch{steps: steps, samples: samples, at: at})
}

// A batch is the work of applying steps in parts.
type batch struct {
	steps   []transport.Step
	samples []transport.Sample
	at      []int              // of guards or triggers not sent yet
	want    []transport.Sample // nil for triggers
	room    int                // bytes of a part
	sent    int                // steps
	parts   []int              // steps of each unanswered part
	good    int
}

func (n *Near) apply(ctx context.Context, b *batch) (int, error) {
	if err := n.usable(); err != nil {
		return 0, err
	}
	if err := transport.CheckBatch(ctx, b.steps, b.samples); err != nil || len(b.steps) == 0 {
		return 0, err
	}
	b.room = n.room
	err := n.carry(ctx, kindApply, b)
	return b.good, err
}

func (b *batch) next(to []byte) ([]byte, bool) {
	if b.sent == len(b.steps) {
		return to, false
	}
	var p part
	if b.sent > 0 {
		p.flags |= flagFollows
	}
	switch {
	case len(b.at) == 0:
	case b.want != nil:
		p.flags |= flagGuards
	default:
		p.flags |= flagTriggers
	}
	end := min(b.sent+p.fits(b.room), len(b.steps))
	p.steps = b.steps[b.sent:end]
	here, _ := slices.BinarySearch(b.at, end)
	p.at, b.at = b.at[:here], b.at[here:]
	if p.flags&flagGuards != 0 {
		p.want = b.want[b.sent:end]
	}
	to = p.append(to, b.sent)
	b.parts, b.sent = append(b.parts, len(p.steps)), end
	return to, true
}

func (b *batch) take(body []byte) (whole bool, err error) {
	steps := b.parts[0]
	b.parts = b.parts[1:]
	r := reader{rest: body}
	good := r.uint32()
	samples := r.array(good, sampleSize)
	if err := r.end(); err != nil || int(good) > steps {
		return false, cmp.Or(err, fmt.Errorf("%d samples of %d steps", good, steps))
	}
	readSamples(b.samples[b.good:][:good], samples)
	b.good += int(good)
	return int(good) == steps, nil
}
