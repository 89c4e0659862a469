package gates

import (
	"context"
	"math/rand/v2"
	"slices"

	"utfbench/fault"
	"utfbench/tile"
	"utfbench/transport"
)

// The wiring check draws random sequences of steps. It keeps the first, and each that shows a further line fault.
const (
	drawings = 5
	drawn    = 600 // steps in a sequence
	piece    = 50  // steps simulated at a time; nearly all faults show in the first steps
	maxKept  = 2   // kept sequences; each of a thousand faults is simulated on all of them

	maxDrawn = 30_000_000 // gate evaluations per sequence if each fault is simulated separately
)

// WiringSteps implements tile.WiringTester. It returns the same steps each time.
func (t *Tile) WiringSteps(ctx context.Context) ([]transport.Step, error) {
	t.drawing.Lock()
	defer t.drawing.Unlock()
	if t.cable == nil {
		steps, err := t.draw(ctx)
		if err != nil {
			return nil, err
		}
		t.cable = steps
	}
	return t.cable, nil
}

func (t *Tile) draw(ctx context.Context) (steps []transport.Step, err error) {
	n, err := t.length()
	if err != nil {
		return nil, err
	}
	hidden := stuckLines(t.UnusedLines())
	for seed, kept := uint64(1), 0; seed <= drawings && kept < maxKept && len(hidden) > 0; seed++ {
		part, err := tile.RandomSteps(t, rand.New(rand.NewPCG(seed, 1)), n)
		if err != nil {
			return nil, err
		}
		still := t.hidden(ctx, hidden, part)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if kept == 0 || len(still) < len(hidden) {
			steps, hidden = append(steps, part...), still
			kept++
		}
	}
	return steps, nil
}

// length returns the number of steps in a sequence, fewer for a slow design whose faults cannot be simulated in lanes.
func (t *Tile) length() (int, error) {
	chip := t.chip()
	if chip.bare.prog.HasSeparateVectors() {
		return drawn, nil
	}
	steps, err := tile.FixedRandomSteps(t, piece)
	fault.New(chip, nil, 0).Run(steps, make([]transport.Sample, len(steps)))
	return min(maxDrawn/(1+chip.m.Work()/piece), drawn), err
}

// stuckLines returns the stuck-at faults of all used lines, which the wiring check must detect.
func stuckLines(unused []string) (all []fault.Fault) {
	for _, line := range fault.Lines {
		if slices.Contains(unused, line) {
			continue
		}
		for _, level := range []string{"=stuck0", "=stuck1"} {
			f, err := fault.BitNames(nil).Parse(line + level)
			if err != nil {
				panic(err) // a bug in this file
			}
			all = append(all, f)
		}
	}
	return all
}

// hidden returns the faults that do not change the samples and, once ctx is done, those not tried.
func (t *Tile) hidden(ctx context.Context, faults []fault.Fault, steps []transport.Step) []fault.Fault {
	right := make([]transport.Sample, len(steps))
	fault.New(tile.WiredChip(t), nil, 0).Run(steps, right)
	return slices.DeleteFunc(slices.Clone(faults), func(f fault.Fault) bool {
		return ctx.Err() == nil && t.shows(f, steps, right)
	})
}

// shows reports whether the samples of a chip behind a faulty wire differ from a good chip's.
func (t *Tile) shows(f fault.Fault, steps []transport.Step, right []transport.Sample) bool {
	wires, samples := fault.New(tile.WiredChip(t), []fault.Fault{f}, 0), make([]transport.Sample, piece)
	for at := 0; at < len(steps); at += piece {
		end := min(at+piece, len(steps))
		wires.Run(steps[at:end], samples)
		if transport.Differ(samples[:end-at], right[at:end]) != 0 {
			return true
		}
	}
	return false
}
