package diagnose

import (
	"slices"

	"utfbench/cause/search"
	"utfbench/transport"
)

// A part holds the steps and samples of one run. A diagnosis may combine several runs of a chip, at several speeds.
type part struct {
	speed      *transport.Timing // nil for step by step
	run        int               // its number
	added      [2]added          // counts of passed and failed executions
	steps      []transport.Step
	got        []transport.Sample
	executions []span
	dropped    bool // the last execution was dropped
}

// added counts executions, their steps, and the kept steps.
type added struct {
	executions, steps, kept int
	work                    int // work of simulating the kept ones
}

func (p *part) of(failed bool) *added {
	if failed {
		return &p.added[1]
	}
	return &p.added[0]
}

func (p *part) total() int { return p.added[0].steps + p.added[1].steps }

// A span is the range of an execution's steps.
type span struct {
	from, to int
	failed   bool
	gap      bool // the execution before it was dropped
}

// work returns the work of simulating steps, in units of a step with few clocks.
func work(steps []transport.Step) (n int) {
	const fewClocks = 4
	for _, s := range steps {
		n += max(1, int(s.Clocks)/fewClocks)
	}
	return n
}

// keep counts an execution, and copies it unless the kept passed ones, or the failed ones, would exceed the limit.
func (p *part) keep(steps []transport.Step, got []transport.Sample, s span, limit int) {
	more, all := work(steps), p.of(s.failed)
	all.executions, all.steps = all.executions+1, all.steps+len(steps)
	if all.work > 0 && all.work+more > limit {
		p.dropped = true
		return
	}
	if len(steps) == 0 {
		return
	}
	all.work, all.kept = all.work+more, all.kept+len(steps)
	s.gap, p.dropped = p.dropped, false
	s.from = len(p.steps)
	p.steps, p.got = append(p.steps, steps...), append(p.got, got...)
	s.to = len(p.steps)
	p.executions = append(p.executions, s)
}

func (p *part) between(from, to int) search.Execution {
	return search.Execution{Steps: p.steps[from:to], Got: p.got[from:to], Speed: p.speed, RunIndex: p.run}
}

func (p *part) execution(s span) search.Execution {
	e := p.between(s.from, s.to)
	i, _ := slices.BinarySearchFunc(p.executions, s.from, func(s span, from int) int { return s.from - from })
	if i > 0 && !s.gap {
		e.PrecedingSteps = p.steps[p.executions[i-1].from:s.from]
	}
	return e
}

// sample returns up to n failing or passing executions, spread over the run, with a work of about limit.
func (p *part) sample(failed bool, n, limit int) (executions []search.Execution) {
	of := slices.DeleteFunc(slices.Clone(p.executions), func(s span) bool { return s.failed != failed })
	for i := range min(n, len(of)) {
		s := of[i*len(of)/min(n, len(of))]
		if limit -= work(p.steps[s.from:s.to]); limit < 0 && i > 0 {
			break
		}
		executions = append(executions, p.execution(s))
	}
	return executions
}

func (p *part) gapAfter(n int) int {
	next := slices.IndexFunc(p.executions[min(n+1, len(p.executions)):], func(s span) bool { return s.gap })
	if next < 0 {
		return len(p.executions)
	}
	return n + 1 + next
}

// stretches returns the kept steps as executions that begin at the gaps, after which the chip's state is unknown.
func (p *part) stretches() (all []search.Execution) {
	for n := 0; n < len(p.executions); {
		next := p.gapAfter(n)
		all = append(all, p.between(p.executions[n].from, p.executions[next-1].to))
		n = next
	}
	return all
}

// aroundFirstFailure returns the steps around the first failing execution, if there is one, as a single execution.
func (p *part) aroundFirstFailure() []search.Execution {
	first := slices.IndexFunc(p.executions, func(s span) bool { return s.failed })
	if first < 0 {
		return nil
	}
	n := first
	for n > max(0, first-4) && !p.executions[n].gap {
		n--
	}
	from, to := p.executions[n].from, p.executions[p.gapAfter(first)-1].to
	return []search.Execution{p.between(from, min(to, from+window))}
}
