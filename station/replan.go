package station

import (
	"fmt"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/tile"
)

// PlanAgain returns a plan that repeats a recorded run: the same vectors, as many times. It uses only the tile from s.
func PlanAgain(s *plan.Selection, rec *report.Recording) (plan.Plan, error) {
	start := &rec.Start
	if start.Invocation == nil {
		return plan.Plan{}, failure.Usagef("it does not state how its vectors were selected, since it is a part " +
			"of another recording: it can be judged again, with -t replay, but not run again")
	}
	if start.Count < 1 {
		return plan.Plan{}, failure.Usagef("it has %d iterations, which no bench records", start.Count)
	}
	if start.Invocation.Capture != nil {
		return planCapture(s, start.Invocation)
	}
	suites, digest, err := suitesOf(rec, s.Tile)
	if err != nil {
		return plan.Plan{}, err
	}
	if digest != start.Digest {
		return plan.Plan{}, failure.Usagef("its vectors differ from this bench's: use bench %s, which recorded it",
			start.Bench)
	}
	s.Suites, s.Match = start.Invocation.Suites, start.Invocation.Match
	jobs, err := s.JobsOf(suites)
	return plan.Plan{Vectors: len(jobs), Count: start.Count, Iterations: driver.Iterations(jobs, start.Count),
		Digest: digest, Suites: ownSuites(rec, suites), Invocation: start.Invocation}, err
}

// A replayPlan is a plan that judges a recording again: the selected executions, in order.
type replayPlan struct {
	plan.Plan
	keep func(*report.Execution) bool // selects executions
	note string                       // for the user, or ""
}

func planReplay(s *plan.Selection, rec *report.Recording) (*replayPlan, error) {
	if len(s.Files) > 0 {
		return nil, failure.Usagef("--file does not go with replay: the recording determines the vectors")
	}
	if asked := rec.Start.Invocation; asked != nil && asked.Capture != nil {
		return captured(s, rec)
	}
	suites, digest, err := suitesOf(rec, s.Tile)
	if err != nil {
		return nil, err
	}
	jobs, err := byName(s, suites)
	if err != nil {
		return nil, err
	}
	r := &replayPlan{Plan: plan.Plan{Count: rec.Start.Count, Digest: digest, Suites: ownSuites(rec, suites),
		Iterations: rec.Iterations(jobs, s.Tile), AcceptedList: s.AcceptWeak}}
	if len(s.Suites) == 0 && s.Match == "" { // all executions, as in the recorded run
		r.Invocation = rec.Start.Invocation
	}
	if digest != rec.Start.Digest {
		r.note = "the recording has other vectors than this bench: changed ones are an ERROR, removed ones are omitted"
	}
	r.keep = func(p *report.Execution) bool {
		j, ok := jobs[p.Vector]
		return ok && j.Vector.AppliesTo(s.Tile.Revision())
	}
	for n := range r.Iterations {
		if n > 1 {
			break
		}
		r.Vectors++
	}
	return r, nil
}

func suitesOf(rec *report.Recording, t tile.Tile) (suites []*golden.Suite, digest string, err error) {
	if suites, err = rec.Suites(t); err != nil {
		return nil, "", err
	}
	if len(suites) == 0 {
		suites, err = tile.Suites(t)
	}
	return suites, golden.Digest(suites), err
}

func ownSuites(rec *report.Recording, suites []*golden.Suite) []*golden.Suite {
	if len(rec.SuiteFiles) == 0 {
		return nil
	}
	return suites
}

func byName(s *plan.Selection, suites []*golden.Suite) (map[string]driver.Job, error) {
	all, err := s.JobsOf(suites)
	jobs := map[string]driver.Job{}
	for _, j := range all {
		jobs[j.Vector.Name] = j
	}
	return jobs, err
}

func planCapture(s *plan.Selection, asked *driver.Invocation) (plan.Plan, error) {
	s.Capture = asked.Capture
	p, err := s.Plan(1)
	p.Invocation = asked
	return p, err
}

// captured returns the plan that judges a recorded capture again, with only the captured clocks.
func captured(s *plan.Selection, rec *report.Recording) (*replayPlan, error) {
	p, err := planCapture(s, rec.Start.Invocation)
	p.AcceptedList = s.AcceptWeak
	if err != nil {
		return nil, fmt.Errorf("%s: %w", rec.Path, err)
	}
	p.Stream.Recorded = true
	jobs := map[string]driver.Job{}
	for _, job := range p.Iterations {
		jobs[job.Vector.Name] = job
	}
	p.Iterations = rec.Iterations(jobs, s.Tile)
	return &replayPlan{Plan: p, keep: func(e *report.Execution) bool { return jobs[e.Vector].Vector != nil }}, nil
}
