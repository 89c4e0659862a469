package history

import (
	"iter"
	"math"
	"slices"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/transport"
)

// A comparer is the state of CompareRecordings. It holds the executions of B in one iteration.
type comparer struct {
	Summary
	tile    tile.Tile
	vectors map[string]*VectorVerdicts // in both recordings
	other   map[string]bool            // VectorsWithOtherSteps, as a set
	each    func(*Difference)

	next    func() (*report.Execution, error, bool) // reads the next execution of B
	ahead   *report.Execution                       // the latest execution read from B; nil at its end
	waiting map[string]*report.Execution            // executions of B in this iteration that A has not reached yet
}

// CompareRecordings compares two recordings and returns a summary. It calls each with the first difference of every
// pair that differs. The reference is the tile's.
func CompareRecordings(a, b *report.Recording, t tile.Tile, each func(*Difference)) (*Summary, error) {
	c := &comparer{tile: t, vectors: map[string]*VectorVerdicts{}, other: map[string]bool{}, each: each,
		waiting: map[string]*report.Execution{}}
	if err := c.names(a, b); err != nil {
		return nil, err
	}
	next, stop := iter.Pull2(b.Executions())
	defer stop()
	c.next = next
	if err := c.pull(); err != nil {
		return nil, err
	}
	iteration := 0
	for p, err := range a.Executions() {
		if err == nil && p.Iteration != iteration {
			iteration = p.Iteration
			err = c.load(iteration)
		}
		if err == nil {
			err = c.match(p)
		}
		if err != nil {
			return nil, err
		}
	}
	return &c.Summary, c.load(math.MaxInt)
}

// names finds the vectors that both recordings contain, and the vectors that only one contains.
func (c *comparer) names(a, b *report.Recording) error {
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
			c.VectorsOnlyA = append(c.VectorsOnlyA, name)
			continue
		}
		v := &VectorVerdicts{Name: name}
		c.vectors[name], c.Vectors = v, append(c.Vectors, v)
	}
	c.VectorsOnlyB = slices.DeleteFunc(namesB, func(name string) bool { return inA[name] })
	return nil
}

func names(r *report.Recording) (order []string, has map[string]bool, err error) {
	has = map[string]bool{}
	for p, err := range r.Executions() {
		if err != nil {
			return nil, nil, err
		}
		if !has[p.Vector] {
			has[p.Vector], order = true, append(order, p.Vector)
		}
	}
	return order, has, nil
}

// pull reads B's next execution of a vector that A contains, if any.
func (c *comparer) pull() error {
	for {
		p, err, more := c.next()
		if err != nil {
			return err
		}
		if c.ahead = p; !more || c.vectors[p.Vector] != nil {
			return nil
		}
	}
}

// load reads B's executions in an iteration, and drops the ones of earlier iterations.
func (c *comparer) load(iteration int) error {
	c.ExecutionsOnlyB += len(c.waiting)
	clear(c.waiting)
	held := 0
	for c.ahead != nil && c.ahead.Iteration <= iteration {
		c.Stopped = c.Stopped || c.ahead.Verdict == driver.Aborted
		if c.ahead.Iteration == iteration {
			if held += len(c.ahead.Steps); held > mostHeld {
				return failure.Usagef("an iteration has more than %d steps, which are too many to compare", mostHeld)
			}
			q := *c.ahead
			q.Steps, q.Got = slices.Clone(q.Steps), slices.Clone(q.Got)
			c.waiting[q.Vector] = &q
		} else {
			c.ExecutionsOnlyB++
		}
		if err := c.pull(); err != nil {
			return err
		}
	}
	return nil
}

// mostHeld is the maximum number of steps of an iteration of B, which is held in memory.
const mostHeld = 4_000_000

// match compares an execution of A with its counterpart of B in the same iteration, if any.
func (c *comparer) match(p *report.Execution) error {
	v := c.vectors[p.Vector]
	if v == nil {
		return nil
	}
	c.Stopped = c.Stopped || p.Verdict == driver.Aborted
	q := c.waiting[p.Vector]
	if q == nil {
		c.ExecutionsOnlyA++
		return nil
	}
	delete(c.waiting, p.Vector)
	return c.pair(v, p, q)
}

// pair compares the two executions of a vector in an iteration, as far as both have the same steps.
func (c *comparer) pair(v *VectorVerdicts, p, q *report.Execution) error {
	if p.Verdict != driver.Aborted && q.Verdict != driver.Aborted {
		v.A[p.Verdict]++
		v.B[q.Verdict]++
	}
	if len(p.Steps) == 0 || len(q.Steps) == 0 {
		return nil // it did not run, as the verdicts show
	}
	n, pairs := 0, c.DifferingPairs
	for n < min(len(p.Got), len(q.Got)) && p.Steps[n] == q.Steps[n] {
		n++
	}
	if !slices.Equal(p.Got[:n], q.Got[:n]) {
		if err := c.walk(p, q, n); err != nil {
			return err
		}
	}
	// after a difference the bench may release uio, so that only one execution drives it from there on
	switch same := slices.Equal(p.Steps, q.Steps); {
	case !same && c.DifferingPairs == pairs:
		if !c.other[p.Vector] {
			c.other[p.Vector], c.VectorsWithOtherSteps = true, append(c.VectorsWithOtherSteps, p.Vector)
		}
	case len(p.Got)+len(q.Got) > 0:
		c.ComparedPairs, c.ComparedSteps = c.ComparedPairs+1, c.ComparedSteps+n
		if !same || len(p.Got) != len(q.Got) {
			c.IncompletePairs++
		}
	}
	return nil
}

// walk compares the first n steps of a pair of executions if their samples differ. Errors come from the reference.
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
		// An unknown bit differs from a known one, and equals another unknown one.
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
