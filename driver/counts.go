package driver

import (
	"fmt"
	"slices"
)

// Counts holds the number of executions with each verdict: of one vector over its iterations, of a suite, or of a run.
type Counts [len(Verdicts)]int

// Sum returns the number of executions.
func (c *Counts) Sum() (n int) {
	for _, of := range c {
		n += of
	}
	return n
}

// Verdict returns the verdict of a vector in all iterations: the most severe, but FLAKY for a FAIL if one passed.
func (c *Counts) Verdict() Verdict {
	if v := c.gravest(); v != Fail || c[Pass] == 0 {
		return v
	}
	return Flaky
}

func (c *Counts) gravest() Verdict {
	var all []Verdict
	for v, n := range c {
		if n > 0 {
			all = append(all, Verdict(v))
		}
	}
	return Gravest(all...)
}

// Columns returns the verdicts that a table shows: PASS and FAIL, and the others that occur.
func (c *Counts) Columns() []Verdict {
	all := []Verdict{Pass, Fail}
	for v, n := range c {
		if v := Verdict(v); n > 0 && v != Pass && v != Fail {
			all = append(all, v)
		}
	}
	return all
}

// JudgedExecutions returns the number of executions with the verdict PASS or FAIL.
func (c *Counts) JudgedExecutions() int { return c[Pass] + c[Fail] }

// String returns the verdict of one vector and, if that is FLAKY, the share of failed executions.
func (c *Counts) String() string {
	if v := c.Verdict(); v != Flaky {
		return v.String()
	}
	return fmt.Sprintf("%s %d of %d", Flaky, c[Fail], c.JudgedExecutions())
}

// ByName maps verdict names to counts, as in documents. It includes UNJUDGED only if its count is not zero.
func (c *Counts) ByName() map[string]int {
	named := map[string]int{}
	for v, n := range c {
		if v := Verdict(v); v != Unjudged || n > 0 {
			named[v.String()] = n
		}
	}
	return named
}

// Gravest returns the most severe of several verdicts, or SKIPPED for none. It treats UNJUDGED, a bug, as ERROR.
func Gravest(all ...Verdict) Verdict {
	if slices.Contains(all, Unjudged) {
		return Error
	}
	return slices.Max(append(all, Skipped))
}
