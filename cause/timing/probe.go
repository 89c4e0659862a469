package timing

import (
	"cmp"
	"context"
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

// inputs lists the indices in fault.Lines of all inputs except clk.
var inputs = []int{0, 1, 2, 3, 4, 5, 6, 7, fault.UIO, fault.UIO + 1, fault.UIO + 2, fault.UIO + 3, fault.UIO + 4,
	fault.UIO + 5, fault.UIO + 6, fault.UIO + 7, fault.Rst}

// A probe holds the samples of all vectors at one timing.
type probe struct {
	wrong   [16]int  // wrong samples of each output, over all repeats
	repeats []mask   // outputs that were wrong, for each repeat
	failed  []string // vectors that failed in any repeat, in order
	judged  []driver.Job
	answers [][]transport.Sample // samples of all judged vectors, for each repeat
	sure    bool                 // repeated often enough to show rare failures
}

// probe plays all vectors at a timing, or returns the result of an earlier probe.
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

// certainly is the number of further rounds, of Count repeats each, before a timing is reported as passing.
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

// count counts a trace's wrong samples of each output, and returns the outputs that have some.
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

// onceRight reports whether all given outputs were right in at least one repeat.
func (p *probe) onceRight(lines mask) bool {
	return slices.ContainsFunc(p.repeats, func(wrong mask) bool { return wrong&lines == 0 })
}

// ever returns the outputs that were wrong in some repeat.
func (p *probe) ever() mask { return p.atLeast([16]int{}) }

// atLeast returns the outputs with any wrong sample and, on average, at least least[line] wrong samples per repeat.
func (p *probe) atLeast(least [16]int) (lines mask) {
	for line, n := range p.wrong {
		if n > 0 && n >= least[line]*len(p.answers) {
			lines |= 1 << line
		}
	}
	return lines
}

// edges returns, by the reference, how often the last edge of clk before a sample changes each output in a vector. A
// sample cannot show that an output is late after an earlier edge of the step.
func edges(t tile.Tile, v *golden.Vector) (count [16]int, err error) {
	var apart []transport.Step // each step without its last edge, then a step with that edge
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

// tries is the number of attempts after which bursts are considered wrong, since a chip may also fail at random.
const tries = 3

// CheckBursts returns ErrBurstsFail if vectors pass step by step but fail in bursts with the longest period: a FAIL at
// speed would then prove nothing about the chip. Other errors come from the transport or ctx.
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
