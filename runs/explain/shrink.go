package explain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/transport"
)

// shortenEnd finds a short failing suffix by doubling the length with each attempt.
func (s *minimiser) shortenEnd(ctx context.Context) error {
	var ends [][]transport.Step
	for n := 1; n < len(s.best); n *= 2 {
		if end := s.best[len(s.best)-n:]; s.legal(end) {
			ends = append(ends, end)
		}
	}
	_, err := s.take(ctx, ends)
	return err
}

// leaveOut removes parts by delta debugging, from halves down to single steps, until none can be removed.
func (s *minimiser) leaveOut(ctx context.Context) error {
	for parts := 2; len(s.best) > 1; {
		parts = min(parts, len(s.best))
		at, err := s.take(ctx, s.without(s.best, parts))
		switch {
		case err != nil:
			return err
		case at >= 0:
			parts = max(parts-1, 2)
		case parts == len(s.best):
			return nil
		default:
			parts *= 2
		}
	}
	return nil
}

// without returns, for each part from first to last, the steps without that part. The first parts matter least.
func (s *minimiser) without(steps []transport.Step, parts int) (all [][]transport.Step) {
	for i := range parts {
		from, to := i*len(steps)/parts, (i+1)*len(steps)/parts
		if c := slices.Concat(steps[:from], steps[to:]); s.legal(c) {
			all = append(all, c)
		}
	}
	return all
}

// simplify simplifies steps, one after another, until none can be simplified.
func (s *minimiser) simplify(ctx context.Context) error {
	for i := 0; i < len(s.best); {
		at, err := s.take(ctx, s.simpler(i))
		if err != nil {
			return err
		}
		if at < 0 {
			i++
		}
	}
	return nil
}

// simpler returns variants of the sequence with step i simplified, the simplest first.
func (s *minimiser) simpler(i int) (all [][]transport.Step) {
	for _, step := range s.simplerSteps(s.best[i]) {
		c := slices.Clone(s.best)
		if c[i] = step; s.legal(c) {
			all = append(all, c)
		}
	}
	return all
}

// simplerSteps returns simpler forms of a step: no reset, fewer clocks, a released bus, fewer bits, idle levels.
func (s *minimiser) simplerSteps(step transport.Step) (all []transport.Step) {
	add := func(change func(*transport.Step)) {
		c := step
		if change(&c); c != step {
			all = append(all, c)
		}
	}
	idle := s.Tile.Idle()
	add(func(c *transport.Step) { *c = transport.Step{In: idle} })
	add(func(c *transport.Step) { c.Reset = false })
	for _, n := range []uint8{0, 1, step.Clocks / 2, step.Clocks - 1} {
		if n < step.Clocks {
			add(func(c *transport.Step) { c.Clocks = n })
		}
	}
	var others []transport.Step // forms that do not change the bus
	for bit := range 8 {
		c := step
		c.In = step.In&^(1<<bit) | idle&(1<<bit)
		if s.Tile.Drives(c) == s.Tile.Drives(step) {
			others = append(others, c)
			continue
		}
		c.Drive &^= s.Tile.Drives(c)
		c.IO &= c.Drive
		add(func(to *transport.Step) { *to = c })
	}
	add(func(c *transport.Step) { c.IO = 0 })
	for bit := range 8 {
		add(func(c *transport.Step) { c.IO &^= 1 << bit })
	}
	for _, o := range others {
		add(func(c *transport.Step) { *c = o })
	}
	return all
}

// runWithin minimises the first of starts that fails again, within limit, which is positive. The error says why the
// search ended and whether it found a shorter sequence; errPasses and errIntermittent are returned unchanged.
func (s *minimiser) runWithin(ctx context.Context, limit time.Duration, starts []report.Execution) (
	from *report.Execution, r *MinimisedSequence, err error) {
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for i := range starts {
		from = &starts[i]
		if r, err = s.run(timed, from.Steps); !errors.Is(err, errPasses) {
			break
		}
	}
	known := "nothing shorter is known"
	if r != nil {
		known = "the shortest so far was written, and may not be minimal"
	}
	switch {
	case err == nil, errors.Is(err, errPasses), errors.Is(err, errIntermittent), r != nil && r.Minimal:
		return from, r, err
	case ctx.Err() != nil:
		return from, r, failure.Newf(failure.Interrupted, "stopped: %s", known)
	case timed.Err() != nil:
		return from, r, fmt.Errorf("%s are over: %s; a longer --timeout gives more", limit, known)
	}
	return from, r, fmt.Errorf("%w (%s)", err, known)
}

// suite returns the result as the text of a suite with one vector, for bench run --file. from is the source of the
// steps; on is the device. The vector expects only the reference's levels, since deduced levels depend on the power-up
// state; a run deduces them again.
func (r *MinimisedSequence) suite(from, on string, t tile.Tile) string {
	clean := strings.NewReplacer(`"`, "'", "\n", " ")
	from, on = printable.Text(clean.Replace(from)), printable.Text(clean.Replace(on))
	name, what := "minimal", "A minimal sequence"
	switch {
	case r.Rate.Wrong < r.Rate.Steps:
		name, what = "intermittent", "A sequence"
	case !r.Minimal:
		what = "A sequence that may not be minimal, and"
	}
	times := fmt.Sprintf("%d of %d times", r.Rate.Wrong, r.Rate.Steps)
	if r.Rate.Steps == 0 {
		times = "and was not repeated"
	}
	bare, want := "", want(t, r.Steps)
	if want.OutX&want.IOX == 0xFF {
		bare = "  expects reference\n"
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# %s that differs %s, of %s on %s.\nsuite minimised\n\ndocument minimised\n"+
		"section \"%s\"\n\nvector %s \"%s\"\n%s%s", what, times, from, on, from, name, on, restricted(t), bare)
	for i, s := range r.Steps {
		var out, io golden.Bits
		if i == len(r.Steps)-1 {
			out = golden.Bits{Mask: ^want.OutX, Level: want.Out}
			io = golden.Bits{Mask: ^want.IOX, Level: want.IO}
		}
		fmt.Fprintf(&text, "  # %s\n  %s\n", tile.Describe(t, s), golden.StepText(s, out, io))
	}
	return text.String()
}

// restricted returns the line that restricts a vector to a tile's revision, or "" if the tile has only one.
func restricted(t tile.Tile) string {
	if len(t.Others()) == 0 {
		return ""
	}
	return "  revision " + t.Revision() + "\n"
}
