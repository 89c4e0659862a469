package driver

import (
	"context"

	"utfbench/tile"
	"utfbench/transport"
)

// applyGuarded applies the batch. The uio directions of a tile.Turner depend on its state, which is unknown after a
// difference. So applyGuarded guards each step at which the bench starts to drive one of the tile's lines, and releases
// these lines after a difference.
func (r *run) applyGuarded(ctx context.Context) (good int, err error) {
	turner, turns := r.Tile.(tile.Turner)
	if !turns || turner.DrivenLines() == 0 {
		return transport.Apply(ctx, r.Transport, r.steps, r.got)
	}
	lines := turner.DrivenLines()
	for good < len(r.steps) {
		n, err := transport.ApplyGuarded(ctx, r.Transport, r.steps[good:], r.got[good:],
			transport.Guard{Want: r.want[good:], Indices: r.turnarounds(good, lines)})
		good += n
		if err != nil {
			return good, err
		}
		r.release(good, lines)
	}
	return good, nil
}

// turnarounds returns the steps, counted from index from, at which the bench starts to drive one of the lines.
func (r *run) turnarounds(from int, lines uint8) []int {
	r.guards = r.guards[:0]
	for _, p := range r.pending {
		for i := max(p.step, from) + 1; i < p.step+p.steps; i++ {
			if r.steps[i].Drive&^r.steps[i-1].Drive&lines != 0 {
				r.guards = append(r.guards, i-from)
			}
		}
	}
	return r.guards
}

// release releases the lines for the rest of the vector in which the batch stopped, if that vector is wrong.
func (r *run) release(good int, lines uint8) {
	for _, p := range r.pending {
		end := p.step + p.steps
		if p.step < good && good < end && transport.Differ(r.got[p.step:good], r.want[p.step:good]) != 0 {
			ReleaseLines(r.steps[good:end], lines)
			r.released = true
		}
	}
}

// expectReleased recomputes the expected samples of vectors with released lines, and drops the checkpoints after a
// release, since they presume driven levels.
func (r *run) expectReleased(ctx context.Context) error {
	if !r.released {
		return nil
	}
	r.released = false
	for i := range r.pending {
		p := &r.pending[i]
		steps, own := r.steps[p.step:p.step+p.steps], p.result.Vector.Steps
		at := 0
		for at < len(steps) && steps[at] == own[at] {
			at++
		}
		if at == len(steps) {
			continue
		}
		for p.ends > p.check && r.checks[p.ends-1].Step >= at {
			p.ends--
		}
		want := r.want[p.step : p.step+p.steps]
		if r.following != nil { // a stream's reference has advanced already
			for k := at; k < len(want); k++ {
				want[k].SetUnknown(transport.Outputs(own[k].Drive&^steps[k].Drive) << 8)
			}
			continue
		}
		if err := r.expectOf(ctx, *p, steps, want); err != nil {
			return err
		}
	}
	return nil
}

// TurnaroundSteps returns the steps, except the first, at which the bench starts to drive one of the lines.
func TurnaroundSteps(steps []transport.Step, lines uint8) (at []int) {
	for i := 1; i < len(steps); i++ {
		if steps[i].Drive&^steps[i-1].Drive&lines != 0 {
			at = append(at, i)
		}
	}
	return at
}

// ReleaseLines makes the bench release the lines in all steps.
func ReleaseLines(steps []transport.Step, lines uint8) {
	for i := range steps {
		steps[i].Drive &^= lines
		steps[i].IO &= steps[i].Drive
	}
}
