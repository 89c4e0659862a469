package report

import (
	"fmt"

	"utfbench/driver"
	"utfbench/golden"
)

// mostCounted limits the bytes that Count unpacks: ten thousand runs of all vectors.
const mostCounted = 32 << 30

// A Count is the sum of a recording's executions, independent of its end block.
type Count struct {
	driver.Tally
	Bad []*Bad // vectors that were FAIL or ERROR at least once, in order of occurrence
}

// A Bad vector was FAIL or ERROR at least once.
type Bad struct {
	Vector         string
	Passed, Failed int // iterations
	Broken         int // iterations that were ERROR
	Last           int // the last iteration that was FAIL or ERROR
}

// Count counts the executions of a recording. It counts all steps that were sent.
func (r *Recording) Count() (*Count, error) {
	c, passed, bad, bytes := &Count{}, map[string]int{}, map[string]*Bad{}, int64(0)
	for e, err := range r.Executions() {
		if err != nil {
			return nil, err
		}
		c.Verdicts[e.Verdict]++
		c.Steps += len(e.Steps)
		if bytes += e.size(); bytes > mostCounted {
			return nil, fmt.Errorf("it has more than %d bytes of executions", int64(mostCounted))
		}
		switch b := bad[e.Vector]; {
		case e.Verdict == driver.Pass && b == nil:
			passed[e.Vector]++
		case e.Verdict == driver.Pass:
			b.Passed++
		case e.Verdict == driver.Fail, e.Verdict == driver.Error:
			if b == nil {
				b = &Bad{Vector: e.Vector, Passed: passed[e.Vector]}
				bad[e.Vector], c.Bad = b, append(c.Bad, b)
			}
			b.add(e)
		}
	}
	for _, b := range c.Bad {
		if b.Failed > 0 {
			c.Repeats = append(c.Repeats, &driver.Repeat{Vector: &golden.Vector{Name: b.Vector},
				Executions: b.Passed + b.Failed, Failed: b.Failed})
		}
	}
	return c, nil
}

func (b *Bad) add(e *Execution) {
	b.Last = e.Iteration
	if e.Verdict == driver.Fail {
		b.Failed++
	} else {
		b.Broken++
	}
}

// size estimates the size of an execution in its block, in bytes.
func (e *Execution) size() int64 {
	return int64(len(e.Vector) + len(e.Reason) + len(stepColumns)*len(e.Steps) + len(sampleColumns)*len(e.Got) + 8)
}
