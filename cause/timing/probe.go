package timing

import (
	"cmp"
	"fmt"
	"slices"

	"utfbench/driver"
	"utfbench/fault"
	"utfbench/golden"
	"utfbench/tile"
	"utfbench/transport"
)

// A mask is a set of lines: outputs numbered as in transport.Outputs, or inputs by their index in inputs.
type mask uint32

// inputs lists the input lines except clk, by their numbers in fault.Lines.
var inputs = []int{0, 1, 2, 3, 4, 5, 6, 7, fault.UIO, fault.UIO + 1, fault.UIO + 2, fault.UIO + 3, fault.UIO + 4,
	fault.UIO + 5, fault.UIO + 6, fault.UIO + 7, fault.Rst}

// A probe holds the samples of all vectors at one timing.
type probe struct {
	wrong   [16]int  // wrong samples of each output, over all repeats
	repeats []mask   // outputs that were wrong, for each repeat
	failed  []string // vectors that failed in any repeat, in order
	judged  []driver.Job
	answers [][]transport.Sample // of all judged vectors, for each repeat
	sure    bool                 // repeated often enough to show a rare failure
}

// probe plays all vectors at a timing, or returns the earlier result.
func (m *measurement) probe(at transport.Timing) (*probe, error) {
	took, err := m.Player.SetTiming(at)
	if err != nil {
		return nil, err
	}
	p, times := m.probes[took], 0
	if p == nil {
		p, times = &probe{}, max(1, m.Runner.Count)
		m.probes[took] = p
	}
	if m.sure && !p.sure {
		p.sure, times = true, times+certainly*max(1, m.Runner.Count)
	}
	for range times {
		if err := m.play(p); err != nil {
			return nil, err
		}
	}
	if m.TriedSettings = len(m.probes); m.Progress != nil {
		m.Progress(m.TriedSettings)
	}
	return p, nil
}

// certainly multiplies the tries of a timing before the chip is reported to pass at it.
const certainly = 5

func (m *measurement) play(p *probe) error {
	var answers []transport.Sample
	trouble, wrong := "", mask(0)
	p.judged = p.judged[:0]
	r := driver.Runner{Transport: m.Player, Tile: m.Runner.Tile, Report: func(res *driver.Result) {
		switch res.Verdict {
		case driver.Error:
			trouble = cmp.Or(trouble, res.Reason)
		case driver.Fail:
			wrong |= p.count(res.Trace)
			if !slices.Contains(p.failed, res.Vector.Name) {
				p.failed = append(p.failed, res.Vector.Name)
			}
			fallthrough
		case driver.Pass:
			p.judged = append(p.judged, driver.Job{Vector: res.Vector, File: res.File})
			answers = append(answers, res.Trace.Got...)
		}
	}}
	if _, err := r.Run(m.ctx, m.Jobs); err != nil {
		return err
	}
	if trouble != "" {
		return fmt.Errorf("the bench could not judge: %s", trouble)
	}
	p.answers, p.repeats = append(p.answers, answers), append(p.repeats, wrong)
	return nil
}

// count counts the wrong samples of each output, and returns the outputs.
func (p *probe) count(t *driver.Trace) (lines mask) {
	for i := range t.Got {
		differ := t.Got[i].Differ(t.Want[i])
		lines |= mask(differ)
		for line := range p.wrong {
			p.wrong[line] += int(differ >> line & 1)
		}
	}
	return lines
}

// onceRight reports whether these outputs were right in a repeat.
func (p *probe) onceRight(lines mask) bool {
	return slices.ContainsFunc(p.repeats, func(wrong mask) bool { return wrong&lines == 0 })
}

// ever returns the outputs that were wrong in some repeat.
func (p *probe) ever() mask { return p.atLeast([16]int{}) }

// atLeast returns the outputs that are wrong in at least this many samples of each repeat.
func (p *probe) atLeast(least [16]int) (lines mask) {
	for line, n := range p.wrong {
		if n > 0 && n >= least[line]*len(p.answers) {
			lines |= 1 << line
		}
	}
	return lines
}

// edges returns how often the clk edge before a sample changes each output in a vector, by the reference. After an
// earlier edge of the step no sample shows an output late.
func edges(t tile.Tile, v *golden.Vector) (count [16]int, err error) {
	var apart []transport.Step // each step up to its last edge, then that edge
	for _, s := range v.Steps {
		earlier := s
		earlier.Clocks, s.Clocks = max(s.Clocks, 1)-1, min(s.Clocks, 1)
		apart = append(apart, earlier, s)
	}
	shown := make([]transport.Sample, len(apart))
	if err := tile.Expect(t, apart, shown); err != nil {
		return count, err
	}
	for i := 0; i < len(shown); i += 2 {
		before, after := shown[i], shown[i+1]
		moved := mask((before.Levels() ^ after.Levels()) &^ (before.Unknown() | after.Unknown()))
		moved &^= mask(apart[i].Drive) << 8
		for line := range count {
			count[line] += int(moved >> line & 1)
		}
	}
	return count, nil
}

// enough is the minimum number of edges that change an output, or detect a late input, for a valid measurement.
const enough = 20
