package diagnose

import (
	"cmp"
	"context"
	"slices"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// countedBits returns the compared bits of each execution's samples.
func countedBits(t tile.Tile, executions []Execution) (all [][]transport.Sample) {
	for _, p := range executions {
		masks := make([]transport.Sample, len(p.Steps))
		must(tile.Expect(t, p.Steps, masks))
		for i, s := range p.Steps {
			want := masks[i]
			masks[i] = transport.Sample{Out: ^want.OutX, IO: ^want.IOX}
			if p.Blind {
				masks[i].IO &^= s.Drive
			}
			uo, uio := p.Loose.Bytes()
			masks[i].Out, masks[i].IO = masks[i].Out&^uo, masks[i].IO&^uio
		}
		all = append(all, masks)
	}
	return all
}

// chunk is the number of steps between checks of the cost limit.
const chunk = 16

// A simulator reuses its samples between hypotheses.
type simulator struct {
	ctx     context.Context // ends the search; nil is never
	want    []transport.Sample
	price   int // of a wrong bit
	spoiled int // maximum cost of an execution that noise may have spoiled; 0 is no limit

	chip func() fault.Chip // of a tile.Crowded, which makes one at a time

	early *early // may be nil
	near  bool   // hypotheses that shortened drops need no exact cost
}

// room allocates samples for a piece of steps and returns its length: a chunk, or all steps if later inputs affect
// earlier samples.
func (s *simulator) room(chip Simulation, steps int) (piece int) {
	piece = chunk
	if a, is := chip.(*atSpeed); is {
		piece = a.piece(steps)
	}
	s.want = slices.Grow(s.want[:0], piece)[:piece]
	return piece
}

// run simulates the next steps, unless the search has ended.
func (s *simulator) run(chip Simulation, steps []transport.Step) {
	must(s.ended())
	must(chip.Run(steps, s.want))
}

// ended returns an error once the search's context is done.
func (s *simulator) ended() error {
	if s.ctx == nil {
		return nil
	}
	return s.ctx.Err()
}

// simulate stops once the cost exceeds the limit; the returned cost is then too low. A floating line without a pull
// may be unknown, low or high.
func (s *simulator) simulate(h Hypothesis, executions []Execution, masks [][]transport.Sample, limit int) Ranked {
	best := s.assuming(transport.PullNone, h, executions, masks, limit)
	if best.Unsaid == 0 {
		return best // no visible line floats
	}
	for _, p := range executions {
		if p.Pull != transport.PullNone {
			return best
		}
	}
	for _, pull := range []transport.Pull{transport.PullDown, transport.PullUp} {
		if r := s.assuming(pull, h, executions, masks, min(limit, best.Cost())); r.Cost() < best.Cost() {
			best = r
		}
	}
	return best
}

func (s *simulator) assuming(pull transport.Pull, h Hypothesis, executions []Execution, masks [][]transport.Sample,
	limit int) Ranked {
	r := Ranked{Hypothesis: h, price: s.price, pull: pull}
	for n, p := range executions {
		before, stop := r.Cost(), limit
		if s.spoiled > 0 {
			stop = min(limit, before+s.spoiled)
		}
		s.execution(h.Simulate(Setting{cmp.Or(p.Pull, pull), p.Speed, s.chip}), p, masks[n], stop, &r)
		if over := r.Cost() - before - s.spoiled; s.spoiled > 0 && over > 0 {
			r.spared += over
		}
		if r.Cost() > limit {
			break
		}
	}
	return r
}

// execution adds the cost of one execution.
func (s *simulator) execution(chip Simulation, p Execution, masks []transport.Sample, limit int, r *Ranked) {
	defer tile.Done(chip)
	piece := s.room(chip, len(p.Steps))
	if s.spoiled > 0 && carriesOver(r.Hypothesis) {
		for before := range slices.Chunk(p.before, piece) {
			s.run(chip, before)
		}
	}
	for at := 0; at < len(p.Steps) && r.Cost() <= limit; at += piece {
		end := min(at+piece, len(p.Steps))
		s.run(chip, p.Steps[at:end])
		for i := range p.Steps[at:end] {
			r.compare(p.Got[at+i], s.want[i], masks[at+i])
		}
	}
}

func (r *Ranked) compare(got, want, counts transport.Sample) {
	wrong, unsaid := compare(got, want, counts)
	r.Wrong += wrong.Count()
	r.Unsaid += unsaid.Count()
}

// compare returns the bits predicted wrongly, and those sampled but not predicted.
func compare(got, want, counts transport.Sample) (wrong, unsaid transport.Outputs) {
	return got.Differ(want) & counts.Levels(), want.Unknown() &^ got.Unknown() & counts.Levels()
}
