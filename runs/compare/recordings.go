package compare

import (
	"iter"
	"slices"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/report"
	"utfbench/tile"
)

// A comparer holds the state of Recordings.
type comparer struct {
	Summary
	tile    tile.Tile
	vectors map[string]*VectorVerdicts // in both recordings
	other   map[string]bool            // OtherSteps
	each    func(*Difference)

	next    func() (*report.Execution, error, bool) // reads the next execution of B
	ahead   *report.Execution                       // the last one read from B, or nil
	waiting map[string]*report.Execution            // executions of B in this iteration that A has not reached
	held    int                                     // total steps held in this iteration
	a, b    string                                  // paths
}

// CompareRecordings compares two recordings, calls each with the first difference of every differing pair, and returns
// a summary. The tile provides the reference.
func CompareRecordings(a, b *report.Recording, t tile.Tile, each func(*Difference)) (*Summary, error) {
	c := &comparer{tile: t, vectors: map[string]*VectorVerdicts{}, other: map[string]bool{}, each: each,
		waiting: map[string]*report.Execution{}, a: a.Path, b: b.Path}
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
		if err != nil {
			return nil, err
		}
		if p.Iteration != iteration {
			c.forget()
			iteration = p.Iteration
		}
		if err := c.match(p); err != nil {
			return nil, err
		}
	}
	return &c.Summary, c.drain()
}

// names determines the vectors in both recordings.
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
			c.OnlyA = append(c.OnlyA, name)
			continue
		}
		v := &VectorVerdicts{Name: name}
		c.vectors[name], c.Vectors = v, append(c.Vectors, v)
	}
	c.OnlyB = slices.DeleteFunc(namesB, func(name string) bool { return inA[name] })
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

// pull reads the next execution of B whose vector A has, too.
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
		if c.vectors[p.Vector] != nil {
			c.Stopped = c.Stopped || p.Verdict == driver.Aborted
			return nil
		}
	}
}

// match finds the execution of B that belongs to an execution of A, and compares them.
func (c *comparer) match(p *report.Execution) error {
	v := c.vectors[p.Vector]
	if v == nil {
		return nil
	}
	c.Stopped = c.Stopped || p.Verdict == driver.Aborted
	if q := c.waiting[p.Vector]; q != nil && q.Iteration == p.Iteration {
		delete(c.waiting, p.Vector)
		return c.pair(v, p, q)
	}
	for c.ahead != nil && c.ahead.Iteration <= p.Iteration {
		if c.ahead.Vector == p.Vector && c.ahead.Iteration == p.Iteration {
			if err := c.pair(v, p, c.ahead); err != nil {
				return err
			}
			return c.pull()
		}
		if err := c.hold(p.Iteration); err != nil {
			return err
		}
		if err := c.pull(); err != nil {
			return err
		}
	}
	c.ExecutionsOnlyA++
	return nil
}

// hold keeps the execution just read from B if A can still reach it.
func (c *comparer) hold(iteration int) error {
	if c.ahead.Iteration < iteration {
		c.ExecutionsOnlyB++
		return nil
	}
	if c.held += len(c.ahead.Steps); c.held > mostHeld {
		return failure.Usagef("%s and %s have their vectors in different orders, with more than %d steps of an "+
			"iteration in between", c.a, c.b, mostHeld)
	}
	q := *c.ahead
	q.Steps, q.Got = slices.Clone(q.Steps), slices.Clone(q.Got)
	c.waiting[q.Vector] = &q
	return nil
}

// mostHeld is the maximum number of steps held, many times those of all built-in vectors.
const mostHeld = 4_000_000

// forget drops the executions that A did not reach in their iteration.
func (c *comparer) forget() {
	c.ExecutionsOnlyB += len(c.waiting)
	clear(c.waiting)
	c.held = 0
}

// drain counts the rest of B after the end of A.
func (c *comparer) drain() error {
	c.forget()
	for c.ahead != nil {
		c.ExecutionsOnlyB++
		if err := c.pull(); err != nil {
			return err
		}
	}
	return nil
}
