// Package compare holds two recordings against each other, pass by pass and step by step.
//
// # Words
//
//   - A pair is what both recordings have of one vector in one iteration.
//   - A pair differs when a line showed different levels in them at a step where the model says what it has to show. Where the
//     model leaves a line open, two good chips may differ.
//
// The passes are read side by side. Of what the two have in different order, as much is kept in memory as one iteration
// holds; of what they have in the same order, nothing.
package compare

import (
	"fmt"
	"iter"
	"slices"

	"utfbench/driver"
	"utfbench/model"
	"utfbench/record"
	"utfbench/transport"
)

// A Difference is the first step at which a pair differs.
type Difference struct {
	Vector          string
	Iteration       int
	Index, Steps    int // of the step in the vector, from 0; how many it has
	Step            transport.Step
	A, B, Want      transport.Sample // Want is the model's
	OutDiff, IODiff uint8            // bits in which A and B differ
	More            int              // later steps at which the pair differs
}

// A Line counts the steps at which one line differed.
type Line struct {
	Steps  int
	WrongA int // of them, at which A did not show what the model says
	WrongB int
}

// A Vector is what became of a vector in both runs.
type Vector struct {
	Name string
	A, B Verdicts
}

// Verdicts counts a vector's iterations.
type Verdicts [len(driver.Verdicts)]int

// Verdict is that of a vector over all its iterations.
func (v Verdicts) Verdict() driver.Verdict {
	if v[driver.Fail] > 0 && v[driver.Pass] > 0 && v[driver.Error] == 0 {
		return driver.Flaky
	}
	for _, grave := range []driver.Verdict{driver.Error, driver.Fail, driver.Aborted, driver.Pass} {
		if v[grave] > 0 {
			return grave
		}
	}
	return driver.Skipped
}

func (v Verdicts) String() string {
	text := v.Verdict().String()
	if v.Verdict() == driver.Flaky {
		text += fmt.Sprintf(" %d of %d", v[driver.Fail], v[driver.Fail]+v[driver.Pass])
	}
	return text
}

// A Summary is what came out of a comparison.
type Summary struct {
	Vectors      []*Vector // of both, in A's order
	OnlyA, OnlyB []string  // vectors that the other does not have
	PassesA      int       // of vectors of both, in iterations that B does not have
	PassesB      int
	OtherSteps   []string // vectors that were put to the chips as different steps, and so were not compared
	Pairs        int      // that were compared step by step
	Differ       int      // of them
	Cut          int      // of them, in which one was not answered to its end
	Open         int      // steps that differ only where the model leaves the lines open
	Lines        [16]Line // of uo (0 to 7) and uio (8 to 15)
}

// Changed are the vectors whose verdicts differ.
func (s *Summary) Changed() (all []*Vector) {
	for _, v := range s.Vectors {
		if v.A.Verdict() != v.B.Verdict() {
			all = append(all, v)
		}
	}
	return all
}

// Same says whether nothing differs.
func (s *Summary) Same() bool {
	return s.Differ+s.Cut+s.PassesA+s.PassesB+len(s.OtherSteps)+len(s.OnlyA)+len(s.OnlyB)+len(s.Changed()) == 0
}

// A comparer holds the state of Recordings.
type comparer struct {
	Summary
	revision model.Revision
	vectors  map[string]*Vector // that both have
	other    map[string]bool    // OtherSteps
	each     func(*Difference)

	next    func() (*record.Pass, error, bool) // of B
	ahead   *record.Pass                       // of B, taken already; nil if none, or at the end
	waiting map[string]*record.Pass            // of B, of one iteration, that A had not when they came
}

// Recordings compares b with a, tells each of the first differences of the pairs, and sums up. The model is that of the revision.
func Recordings(a, b *record.Recording, revision model.Revision, each func(*Difference)) (*Summary, error) {
	c := &comparer{revision: revision, vectors: map[string]*Vector{}, other: map[string]bool{}, each: each, waiting: map[string]*record.Pass{}}
	if err := c.names(a, b); err != nil {
		return nil, err
	}
	next, stop := iter.Pull2(b.Passes())
	defer stop()
	c.next = next
	if err := c.pull(); err != nil {
		return nil, err
	}
	iteration := 0
	for p, err := range a.Passes() {
		if err != nil {
			return nil, err
		}
		if p.Iteration != iteration {
			c.forget()
			iteration = p.Iteration
		}
		if err := c.meet(p); err != nil {
			return nil, err
		}
	}
	return &c.Summary, c.drain()
}

// names finds out which vectors the recordings have.
func (c *comparer) names(a, b *record.Recording) error {
	namesA, inA, err := names(a)
	if err != nil {
		return err
	}
	namesB, inB, err := names(b)
	if err != nil {
		return err
	}
	for _, name := range namesA {
		if !inB[name] {
			c.OnlyA = append(c.OnlyA, name)
			continue
		}
		v := &Vector{Name: name}
		c.vectors[name], c.Vectors = v, append(c.Vectors, v)
	}
	c.OnlyB = slices.DeleteFunc(namesB, func(name string) bool { return inA[name] })
	return nil
}

func names(r *record.Recording) (order []string, has map[string]bool, err error) {
	has = map[string]bool{}
	for p, err := range r.Passes() {
		if err != nil {
			return nil, nil, err
		}
		if !has[p.Vector] {
			has[p.Vector], order = true, append(order, p.Vector)
		}
	}
	return order, has, nil
}

// pull takes the next pass of B whose vector A has too.
func (c *comparer) pull() error {
	for {
		p, err, more := c.next()
		if err != nil {
			return err
		}
		c.ahead = p
		if !more {
			return nil
		}
		if v := c.vectors[p.Vector]; v != nil {
			v.B[p.Verdict]++
			return nil
		}
	}
}

// meet finds the pass of B that belongs to one of A, and compares them.
func (c *comparer) meet(p *record.Pass) error {
	v := c.vectors[p.Vector]
	if v == nil {
		return nil
	}
	v.A[p.Verdict]++
	if q := c.waiting[p.Vector]; q != nil && q.Iteration == p.Iteration {
		delete(c.waiting, p.Vector)
		c.pair(p, q)
		return nil
	}
	for c.ahead != nil && c.ahead.Iteration <= p.Iteration {
		if c.ahead.Vector == p.Vector && c.ahead.Iteration == p.Iteration {
			c.pair(p, c.ahead)
			return c.pull()
		}
		c.hold(p.Iteration)
		if err := c.pull(); err != nil {
			return err
		}
	}
	c.PassesA++
	return nil
}

// hold keeps the pass of B that is ahead, if A can still come to it.
func (c *comparer) hold(iteration int) {
	if c.ahead.Iteration < iteration {
		c.PassesB++
		return
	}
	q := *c.ahead
	q.Steps, q.Got = slices.Clone(q.Steps), slices.Clone(q.Got)
	c.waiting[q.Vector] = &q
}

// forget drops the passes that A did not come to in their iteration.
func (c *comparer) forget() {
	c.PassesB += len(c.waiting)
	clear(c.waiting)
}

// drain counts what is left of B after the end of A.
func (c *comparer) drain() error {
	c.forget()
	for c.ahead != nil {
		c.PassesB++
		if err := c.pull(); err != nil {
			return err
		}
	}
	return nil
}

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
