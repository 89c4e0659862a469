package timing

import (
	"slices"

	"utfbench/driver"
	"utfbench/fault"
	"utfbench/golden"
	"utfbench/tile"
	"utfbench/transport"
)

// # Inputs that matter
//
// A late level at an edge of clk shows only if the chip samples the input at that edge and the sampled level affects a
// compared output. So for each input, this file counts the edges at which the previous level would have been detected.
// An input with fewer than enough such edges was not exercised, and its measurement is meaningless.

// An InputEdges counts the edges at which a late level of an input would be detected.
type InputEdges struct {
	Name  string `json:"line"`
	Edges int    `json:"edges"` // counted up to enough
}

// Measured reports whether the input was exercised often enough.
func (e InputEdges) Measured() bool { return e.Edges >= enough }

// limits of the search: attempts for an input in a vector, and consecutive vectors without a detection
const (
	mostTries  = 8
	mostMisses = 600
)

// late counts the edges of a vector at which the previous level of each wanted input would be detected.
func late(t tile.Tile, v *golden.Vector, wanted mask) (count [17]int, err error) {
	right := make([]transport.Sample, len(v.Steps))
	if err := tile.Expect(t, v.Steps, right); err != nil || !varied(v.Steps, right) {
		return count, err
	}
	for i, line := range inputs {
		if wanted>>i&1 == 0 {
			continue
		}
		tries := 0
		for s := 1; s < len(v.Steps) && tries < mostTries; s++ {
			steps, moved := lateAt(v.Steps, s, line)
			if !moved {
				continue
			}
			tries++
			seen, err := differs(t, steps, right, s)
			if err != nil {
				return count, err
			}
			if seen {
				count[i]++
			}
		}
	}
	return count, nil
}

// varied reports whether any output that the chip drives shows both levels.
func varied(steps []transport.Step, shown []transport.Sample) bool {
	var low, high transport.Outputs
	for i := range shown {
		known := ^(shown[i].Unknown() | transport.Outputs(steps[i].Drive)<<8)
		low, high = low|known&^shown[i].Levels(), high|known&shown[i].Levels()
	}
	return low&high != 0
}

// lateAt returns the steps as they would be if a line still had its previous level at the first edge of step s. moved
// is false if the line does not change there or the step has no edge, or begins to drive and so rests before its edge.
func lateAt(steps []transport.Step, s, line int) (all []transport.Step, moved bool) {
	before, now := &steps[s-1], steps[s]
	first := now
	first.Clocks = 1
	bit := uint8(1) << (line % 8)
	switch {
	case now.Clocks == 0, now.StartsDriving(before.Drive):
		return nil, false
	case line == fault.Rst:
		first.Reset = before.Reset
	case line >= fault.UIO:
		if before.Drive&now.Drive&bit == 0 {
			return nil, false
		}
		first.IO = now.IO&^bit | before.IO&bit
	default:
		first.In = now.In&^bit | before.In&bit
	}
	if first.In == now.In && first.IO == now.IO && first.Reset == now.Reset {
		return nil, false
	}
	now.Clocks--
	return slices.Concat(steps[:s], []transport.Step{first, now}, steps[s+1:]), true
}

// differs reports whether inserting step s changes a good chip's later samples. right holds the samples without it.
func differs(t tile.Tile, steps []transport.Step, right []transport.Sample, s int) (bool, error) {
	got := make([]transport.Sample, len(steps))
	if err := tile.Expect(t, steps, got); err != nil {
		return false, err
	}
	for i, want := range right[s:] {
		g := got[s+1+i]
		if g.Differ(want)&^g.Unknown() != 0 {
			return true, nil
		}
	}
	return false, nil
}

// exercising counts the edges that exercise each input, over all vectors.
type exercising struct {
	tile   tile.Tile
	have   [17]int
	misses [17]int
}

// wanted returns the inputs that need more edges and may still get them.
func (e *exercising) wanted() (lines mask) {
	for i, n := range e.have {
		if n < enough && e.misses[i] < mostMisses {
			lines |= 1 << i
		}
	}
	return lines
}

// add counts a vector's edges, and reports whether the vector exercises a wanted input.
func (e *exercising) add(v *golden.Vector) (useful bool, err error) {
	wanted := e.wanted()
	if wanted == 0 {
		return false, nil
	}
	n, err := late(e.tile, v, wanted)
	for i := range n {
		if wanted>>i&1 == 0 {
			continue
		}
		if e.misses[i]++; n[i] > 0 {
			useful, e.misses[i] = true, 0
		}
		e.have[i] = min(e.have[i]+n[i], enough)
	}
	return useful, err
}

func exercised(t tile.Tile, jobs []driver.Job) (all []InputEdges, err error) {
	e := &exercising{tile: t}
	for _, job := range jobs {
		if _, err := e.add(job.Vector); err != nil {
			return nil, err
		}
	}
	for i, line := range inputs {
		all = append(all, InputEdges{transport.Lines[line], e.have[i]})
	}
	return all, nil
}
