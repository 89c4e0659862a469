package main

import (
	"fmt"
	"iter"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/model"
	"utfbench/record"
)

// A plan is what a run asks.
type plan struct {
	vectors, count int
	rounds         iter.Seq2[int, driver.Job]
	digest         string          // of the vectors
	suites         []*golden.Suite // of which no bench brings the text along
}

// replayed is the plan of judging a recording again: its passes in their order, as far as they are selected.
func (s *selection) replayed(c *chip) (plan, error) {
	if len(s.files) > 0 {
		return plan{}, fmt.Errorf("--file does not go with replay: the recording says which vectors it asked")
	}
	rec := c.Recording
	if err := judgeable(rec); err != nil {
		return plan{}, err
	}
	suites := rec.Suites
	if len(suites) == 0 {
		var err error
		if suites, err = golden.Load(golden.FS()); err != nil {
			return plan{}, err
		}
	}
	all, err := s.jobsOf(suites)
	if err != nil {
		return plan{}, err
	}
	jobs := map[string]driver.Job{}
	for _, j := range all {
		jobs[j.Vector.Name] = j
	}
	digest := golden.Digest(suites)
	if digest != rec.Start.Digest {
		c.Notes = append(c.Notes, "the recording asked other vectors than this bench has: those that changed are an ERROR, those that are gone are left out")
	}
	c.Replay(func(p *record.Pass) bool {
		j, ok := jobs[p.Vector]
		return ok && applies(j.Vector, c.Revision)
	})
	p := plan{count: rec.Start.Count, digest: digest, suites: rec.Suites, rounds: rounds(rec, jobs, c.Revision)}
	for n := range p.rounds {
		if n > 1 {
			break
		}
		p.vectors++
	}
	return p, nil
}

// judgeable is an error for a recording of which only the steps can be looked at.
func judgeable(rec *record.Recording) error {
	if rec.Unread == nil {
		return nil
	}
	return fmt.Errorf("%s: the vectors in it cannot be read by this bench: %w; take bench %s, which recorded it", rec.Path, rec.Unread, rec.Start.Bench)
}

// rounds are the jobs whose passes a recording can answer, and those that are not to be asked.
func rounds(rec *record.Recording, jobs map[string]driver.Job, rev model.Revision) iter.Seq2[int, driver.Job] {
	return func(yield func(int, driver.Job) bool) {
		for p, err := range rec.Passes() {
			if err != nil {
				return // the transport meets it too, and says so
			}
			job, known := jobs[p.Vector]
			asked := len(p.Steps) > 0 || p.Verdict == driver.Error
			if known && (asked || !applies(job.Vector, rev)) && !yield(p.Iteration, job) {
				return
			}
		}
	}
}

func applies(v *golden.Vector, rev model.Revision) bool {
	return v.Revision == "" || v.Revision == rev.String()
}
