package main

import (
	"context"
	"fmt"
	"iter"
	"time"

	"utfbench/boards"
	"utfbench/driver"
	"utfbench/golden"
	"utfbench/model"
	"utfbench/record"
	"utfbench/transport"
	"utfbench/transport/replay"
)

// openReplay answers from the recording of the run WHERE, whose board and revision are the defaults.
func (t *target) openReplay(_ context.Context, where string, c *chip) (transport.Transport, error) {
	if where == "" {
		return nil, fmt.Errorf("--transport replay: after replay: comes a recording, which bench run --record wrote, or the number of a run in the history")
	}
	path, err := t.runs.find(where)
	if err != nil {
		return nil, fmt.Errorf("--transport replay: %w", err)
	}
	rec, err := record.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--transport replay: %w", err)
	}
	start := rec.Start
	if t.revision == "" {
		var ok bool
		if c.revision, ok = model.ParseRevision(start.Revision); !ok {
			rec.Close()
			return nil, fmt.Errorf("%s was compared with the revision %q, which this bench does not know: give --revision", where, start.Revision)
		}
	}
	c.recording, c.asked, c.target, c.seed, c.firmware = rec, start.Chip, start.Target, start.Seed, start.Firmware
	c.board = &boards.Board{Name: start.Board}
	if b, err := boards.Open(start.Board); err == nil {
		c.board = b
	}
	c.notes = append(c.notes, fmt.Sprintf("recorded at %s by bench %s from %s", start.Time.Format(time.RFC3339), start.Bench, start.Transport))
	c.notes = append(c.notes, start.Notes...)
	return replay.Open(rec, func(*record.Pass) bool { return true }), nil
}

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
	rec := c.recording
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
		c.notes = append(c.notes, "the recording asked other vectors than this bench has: those that changed are an ERROR, those that are gone are left out")
	}
	c.Transport = replay.Open(rec, func(p *record.Pass) bool {
		j, ok := jobs[p.Vector]
		return ok && applies(j.Vector, c.revision)
	})
	p := plan{count: rec.Start.Count, digest: digest, suites: rec.Suites, rounds: rounds(rec, jobs, c.revision)}
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
