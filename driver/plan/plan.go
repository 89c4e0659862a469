package plan

import (
	"errors"
	"fmt"
	"iter"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/model"
	"utfbench/record"
)

// A Plan is what a run asks.
type Plan struct {
	Vectors, Count int                        // how many are asked, and how often
	Rounds         iter.Seq2[int, driver.Job] // for driver.Runner.RunRounds
	Digest         string                     // of the vectors, see golden.Digest
	Suites         []*golden.Suite            // of which no bench brings the text along
}

// Plan is that of a run of what is selected; count is 1 or more.
func (s *Selection) Plan(count int) (Plan, error) {
	if _, err := s.match(); err != nil {
		return Plan{}, err
	}
	suites, err := s.load()
	if err != nil {
		return Plan{}, err
	}
	jobs, err := s.jobsOf(suites)
	p := Plan{Vectors: len(jobs), Count: count, Rounds: driver.Rounds(jobs, count), Digest: golden.Digest(suites)}
	if len(s.Files) > 0 {
		p.Suites = suites
	}
	return p, err
}

// A Replay is the plan of judging a recording again: its passes in their order, as far as they are selected.
type Replay struct {
	Plan
	Keep func(*record.Pass) bool // says which passes of the recording it asks for
	Note string                  // what a user should know of it; may be empty
}

// Replay plans to judge a recording again, which is compared with rev.
func (s *Selection) Replay(rec *record.Recording, rev model.Revision) (*Replay, error) {
	if len(s.Files) > 0 {
		return nil, errors.New("--file does not go with replay: the recording says which vectors it asked")
	}
	jobs, digest, err := s.recorded(rec)
	if err != nil {
		return nil, err
	}
	r := &Replay{Plan: Plan{Count: rec.Start.Count, Digest: digest, Suites: rec.Suites, Rounds: rounds(rec, jobs, rev)}}
	if digest != rec.Start.Digest {
		r.Note = "the recording asked other vectors than this bench has: those that changed are an ERROR, those that are gone are left out"
	}
	r.Keep = func(p *record.Pass) bool {
		j, ok := jobs[p.Vector]
		return ok && applies(j.Vector, rev)
	}
	for n := range r.Rounds {
		if n > 1 {
			break
		}
		r.Vectors++
	}
	return r, nil
}

// recorded are the selected vectors of a recording by name, and the digest of all that it may have asked.
func (s *Selection) recorded(rec *record.Recording) (jobs map[string]driver.Job, digest string, err error) {
	if err := Judgeable(rec); err != nil {
		return nil, "", err
	}
	suites := rec.Suites
	if len(suites) == 0 {
		if suites, err = golden.Load(golden.FS()); err != nil {
			return nil, "", err
		}
	}
	all, err := s.jobsOf(suites)
	if err != nil {
		return nil, "", err
	}
	jobs = map[string]driver.Job{}
	for _, j := range all {
		jobs[j.Vector.Name] = j
	}
	return jobs, golden.Digest(suites), nil
}

// Judgeable is an error for a recording of which only the steps can be looked at.
func Judgeable(rec *record.Recording) error {
	if rec.Unread == nil {
		return nil
	}
	return fmt.Errorf("%s: the vectors in it cannot be read by this bench: %w; take bench %s, which recorded it", rec.Path, rec.Unread,
		rec.Start.Bench)
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
