package explain

import (
	"context"
	"slices"

	"utfbench/tile"
	"utfbench/transport"
)

// runOnce applies a sequence after a reset. It returns the index of the first step that diverges, or -1.
func (s *minimiser) runOnce(ctx context.Context, steps []transport.Step) (int, error) {
	firsts, err := s.apply(ctx, [][]transport.Step{steps})
	if err != nil {
		return -1, err
	}
	return firsts[0], nil
}

// apply applies candidates in one batch. For each it returns the index of the first step that diverges, or -1.
func (s *minimiser) apply(ctx context.Context, candidates [][]transport.Step) ([]int, error) {
	s.steps = s.steps[:0]
	for _, c := range candidates {
		s.steps = append(append(s.steps, tile.ResetStep(s.Tile)), c...)
	}
	s.got = slices.Grow(s.got[:0], len(s.steps))[:len(s.steps)]
	good, err := transport.Apply(ctx, s.Transport, s.steps, s.got)
	s.applied += good
	if err != nil {
		return nil, err
	}
	firsts := make([]int, len(candidates))
	at := 0
	for i, c := range candidates {
		first, err := s.diverges(at, len(c)+1)
		if err != nil {
			return nil, err
		}
		firsts[i] = first - 1
		at += len(c) + 1
	}
	return firsts, nil
}

// diverges returns the first of the n steps from at that differs from the reference, relative to at, or 0. It ignores
// the leading reset, since a sequence that fails at a reset contains its own.
func (s *minimiser) diverges(at, n int) (int, error) {
	s.expected = slices.Grow(s.expected[:0], n)[:n]
	if err := tile.Expect(s.Tile, s.steps[at:at+n], s.expected); err != nil {
		return 0, err
	}
	if !transport.IsFourState(s.Transport) {
		tile.Deduce(s.Tile, s.steps[at:at+n], s.got[at:at+n], s.expected)
	}
	for i := 1; i < n; i++ {
		if s.got[at+i].Differ(s.expected[i]) != 0 {
			return i, nil
		}
	}
	return 0, nil
}

// take tries candidates in order. It keeps the first that fails, cut after its divergence, and returns its index.
func (s *minimiser) take(ctx context.Context, candidates [][]transport.Step) (int, error) {
	for from := 0; from < len(candidates); {
		to, n := from, 0
		for to < len(candidates) && (to == from || n+len(candidates[to]) < batch) {
			n += len(candidates[to]) + 1
			to++
		}
		i, err := s.tryAll(ctx, candidates[from:to], max(1, batch/n))
		if i >= 0 || err != nil {
			return from + i, err
		}
		from = to
	}
	return -1, nil
}

// tryAll tries each candidate up to s.tries times, in batches with the given number of tries of each.
func (s *minimiser) tryAll(ctx context.Context, candidates [][]transport.Step, times int) (int, error) {
	failed, first := make([]int, len(candidates)), make([]int, len(candidates))
	for done := 0; done < s.tries; done += times {
		times = min(times, s.tries-done)
		firsts, err := s.apply(ctx, slices.Repeat(candidates, times))
		if err != nil {
			return -1, err
		}
		for i, at := range firsts {
			if at >= 0 {
				failed[i%len(candidates)]++
				first[i%len(candidates)] = max(first[i%len(candidates)], at)
			}
		}
		for i, c := range candidates {
			if failed[i] < s.needed {
				continue
			}
			last, err := s.steady(ctx, c)
			if err != nil {
				return -1, err
			}
			if last >= 0 {
				s.better(c[:max(first[i], last)+1])
				return i, nil
			}
		}
	}
	return -1, nil
}

// steady repeats a candidate that has failed. It returns the latest of the first divergences, or -1 if the candidate
// ever passes, so that its failure was noise. On an intermittent device it repeats nothing.
func (s *minimiser) steady(ctx context.Context, candidate []transport.Step) (int, error) {
	if s.needed > 1 {
		return 0, nil
	}
	firsts, err := s.apply(ctx, slices.Repeat([][]transport.Step{candidate}, again))
	if err != nil || slices.Min(firsts) < 0 {
		return -1, err
	}
	return slices.Max(firsts), nil
}

func (s *minimiser) better(steps []transport.Step) {
	s.best = slices.Clone(steps)
	if s.Progress != nil {
		s.Progress(len(s.best), s.applied)
	}
}

func (s *minimiser) legal(steps []transport.Step) bool {
	return len(steps) > 0 && s.Tile.Lint(steps) == nil
}
