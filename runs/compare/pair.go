package compare

import (
	"slices"

	"utfbench/driver"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/transport"
)

// pair compares the two executions of a vector in an iteration.
func (c *comparer) pair(v *VectorVerdicts, p, q *report.Execution) error {
	if p.Verdict != driver.Aborted && q.Verdict != driver.Aborted {
		v.A[p.Verdict]++
		v.B[q.Verdict]++
	}
	if len(p.Steps) == 0 || len(q.Steps) == 0 {
		return nil // not run: the verdicts show it
	}
	if !slices.Equal(p.Steps, q.Steps) {
		if !c.other[p.Vector] {
			c.other[p.Vector], c.OtherSteps = true, append(c.OtherSteps, p.Vector)
		}
		return nil
	}
	if len(p.Got)+len(q.Got) == 0 {
		return nil
	}
	c.Pairs++
	if len(p.Got) != len(q.Got) {
		c.IncompletePairs++
	}
	if n := min(len(p.Got), len(q.Got)); !slices.Equal(p.Got[:n], q.Got[:n]) {
		return c.walk(p, q, n)
	}
	return nil
}

// walk compares the first n steps of a pair that is not equal. The error is the reference's.
func (c *comparer) walk(p, q *report.Execution, n int) error {
	var first *Difference
	right := make([]transport.Sample, n)
	if err := tile.Expect(c.tile, p.Steps[:n], right); err != nil {
		return err
	}
	for i := range n {
		step, want, a, b := p.Steps[i], right[i], p.Got[i], q.Got[i]
		if a == b {
			continue
		}
		// Neither matches an unknown bit of the other, and two unknown bits are equal.
		diff := (a.Differ(b) | b.Differ(a)) &^ want.Unknown()
		out, io := diff.Bytes()
		switch {
		case diff == 0:
			c.UnknownOnlySteps++
			continue
		case first == nil:
			first = &Difference{Vector: p.Vector, Iteration: p.Iteration, Index: i, Steps: len(p.Steps), Step: step,
				A: a, B: b, Want: want, OutDiff: out, IODiff: io}
		default:
			first.LaterSteps++
		}
		c.count(diff, a.Differ(want), b.Differ(want))
	}
	if first != nil {
		c.DifferingPairs++
		c.each(first)
	}
	return nil
}

func (c *comparer) count(differ, a, b transport.Outputs) {
	for i := range c.Lines {
		if differ>>i&1 == 0 {
			continue
		}
		c.Lines[i].Steps++
		c.Lines[i].WrongA += int(a >> i & 1)
		c.Lines[i].WrongB += int(b >> i & 1)
	}
}
