package compare

import (
	"slices"

	"utfbench/model"
	"utfbench/record"
	"utfbench/transport"
)

// pair compares a pass of A with its pass of B.
func (c *comparer) pair(p, q *record.Pass) {
	if len(p.Steps) == 0 || len(q.Steps) == 0 {
		return // not asked: the verdicts tell
	}
	if !slices.Equal(p.Steps, q.Steps) {
		if !c.other[p.Vector] {
			c.other[p.Vector], c.OtherSteps = true, append(c.OtherSteps, p.Vector)
		}
		return
	}
	c.Pairs++
	if len(p.Got) != len(q.Got) {
		c.Cut++
	}
	if n := min(len(p.Got), len(q.Got)); !slices.Equal(p.Got[:n], q.Got[:n]) {
		c.walk(p, q, n)
	}
}

// walk goes through the first n steps of a pair that is not alike.
func (c *comparer) walk(p, q *record.Pass, n int) {
	var first *Difference
	chip := model.New(c.revision)
	for i := range n {
		step, a, b := p.Steps[i], p.Got[i], q.Got[i]
		want := chip.Step(step)
		if a == b {
			continue
		}
		out, io := (a.Out^b.Out|a.OutX^b.OutX)&^want.OutX, (a.IO^b.IO|a.IOX^b.IOX)&^want.IOX
		switch {
		case out|io == 0:
			c.Open++
			continue
		case first == nil:
			first = &Difference{Vector: p.Vector, Iteration: p.Iteration, Index: i, Steps: len(p.Steps), Step: step, A: a, B: b, Want: want, OutDiff: out, IODiff: io}
		default:
			first.More++
		}
		c.count(uint16(io)<<8|uint16(out), wrong(a, want), wrong(b, want))
	}
	if first != nil {
		c.Differ++
		c.each(first)
	}
}

// wrong are the lines, uio above uo, that do not show what the model says.
func wrong(got, want transport.Sample) uint16 {
	out, io := (got.Out^want.Out|got.OutX)&^want.OutX, (got.IO^want.IO|got.IOX)&^want.IOX
	return uint16(io)<<8 | uint16(out)
}

func (c *comparer) count(differ, a, b uint16) {
	for i := range c.Lines {
		if differ>>i&1 == 0 {
			continue
		}
		c.Lines[i].Steps++
		c.Lines[i].WrongA += int(a >> i & 1)
		c.Lines[i].WrongB += int(b >> i & 1)
	}
}
