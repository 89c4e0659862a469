package history

import (
	"errors"
	"fmt"

	"utfbench/driver"
	"utfbench/runs/report"
)

// runOf returns a run's row and its vectors that did not pass, without mismatches, from its recording. Verdict,
// counts and vectors come from the executions, not from the recording's end. The error says why it is not a complete
// run.
func runOf(rec *report.Recording) (*Run, []*Vector, error) {
	switch {
	case rec.Cut != "":
		return nil, nil, fmt.Errorf("the recording is incomplete: %s", rec.Cut)
	case rec.End == nil || rec.End.Verdict == "":
		return nil, nil, errors.New("the run did not end")
	}
	counted, err := rec.Count()
	if err != nil {
		return nil, nil, fmt.Errorf("the recording cannot be counted: %w", err)
	}
	r := &Run{Start: rec.Start, End: rec.End}
	r.trim()
	if err := r.recount(&counted.Tally, rec.Start.Wires != nil); err != nil {
		return nil, nil, err
	}
	return r, badVectors(counted.Bad), nil
}

// recount replaces the counts at the end of a run. A graver verdict than the executions' stands, since a bench also
// knows of bad wires and lost transports; a better or unknown verdict is an error.
func (r *Run) recount(t *driver.Tally, badWires bool) error {
	counted := ofExecutions(t.Verdict())
	was, known := driver.ParseVerdict(r.End.Verdict)
	switch {
	case !known || was == driver.Unjudged:
		return fmt.Errorf("its end has the unknown verdict %q", r.End.Verdict)
	case ofExecutions(was) < counted:
		return fmt.Errorf("its end states %s, but its executions are %s: the recording was changed", r.End.Verdict,
			counted)
	case badWires && was == driver.Pass:
		return errors.New("its end states PASS, but the chip was wrong before the first vector: the recording was " +
			"changed")
	}
	r.End.Counts = driver.ByName(t.Verdicts)
	r.End.Steps = max(0, min(r.End.Steps, t.Steps))
	return nil
}

// ofExecutions returns PASS for WEAK: executions do not show which of their bits were compared.
func ofExecutions(v driver.Verdict) driver.Verdict {
	if v == driver.Weak {
		return driver.Pass
	}
	return v
}

// badVectors converts counted vectors into those of a Writer.
func badVectors(counted []*report.Bad) (all []*Vector) {
	for _, b := range counted {
		v := &Vector{Name: b.Vector, Verdict: driver.Fail.String(), Failed: b.Failed + b.Broken, Executions: b.Last}
		if b.Failed > 0 {
			v.Executions = b.Failed + b.Passed
		}
		switch {
		case b.Broken > 0:
			v.Verdict = driver.Error.String()
		case b.Passed > 0:
			v.Verdict = driver.Flaky.String()
		}
		all = append(all, v)
	}
	return all
}
