// Package speed measures how fast a chip can be asked, and where the time goes: in batches of several sizes ([Measure.Batch]), with
// steps that the far end makes itself ([Measure.Signed]), and in a run ([Measure.Run]).
package speed

import (
	"context"
	"time"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/model"
	"utfbench/transport"
)

// A Measure applies the steps of the suite chip again and again.
type Measure struct {
	chip     transport.Transport
	revision model.Revision
	each     time.Duration
	jobs     []driver.Job
	steps    []transport.Step
	samples  []transport.Sample
	at       int
}

// New measures a chip of a revision, each time for as long as each and once, at least.
func New(chip transport.Transport, revision model.Revision, each time.Duration) (*Measure, error) {
	suite, err := golden.LoadFile(golden.FS(), "chip.vec")
	if err != nil {
		return nil, err
	}
	m := &Measure{chip: chip, revision: revision, each: each, samples: make([]transport.Sample, driver.BatchSteps)}
	var q driver.Sequence
	for i := range suite.Vectors {
		v := &suite.Vectors[i]
		q.Compile(v)
		m.jobs, m.steps = append(m.jobs, driver.Job{Vector: v, File: suite.File}), append(m.steps, q.Steps...)
	}
	return m, nil
}

// Steps is how many different ones are applied.
func (m *Measure) Steps() int { return len(m.steps) }

// A Batch is what a step costs in batches of one size.
type Batch struct {
	Step           time.Duration
	Sent, Received float64 // bytes a step; 0 where they are not counted
}

// Batch applies the steps n at a time, from 1 to driver.BatchSteps.
func (m *Measure) Batch(ctx context.Context, n int) (b Batch, err error) {
	meter, counts := m.chip.(transport.Meter)
	var sent, received int
	if counts {
		sent, received = meter.Traffic()
	}
	applied, began := 0, time.Now()
	for applied == 0 || time.Since(began) < m.each {
		if m.at+n > len(m.steps) {
			m.at = 0
		}
		if _, err := transport.Apply(ctx, m.chip, m.steps[m.at:m.at+n], m.samples); err != nil {
			return b, err
		}
		m.at, applied = m.at+n, applied+n
	}
	b.Step = time.Since(began) / time.Duration(applied)
	if counts {
		s, r := meter.Traffic()
		b.Sent, b.Received = float64(s-sent)/float64(applied), float64(r-received)/float64(applied)
	}
	return b, nil
}

// Signed is how long a step takes that the far end makes itself; can is false where it cannot.
func (m *Measure) Signed(ctx context.Context) (step time.Duration, can bool, err error) {
	signer, can := m.chip.(transport.Signer)
	if !can {
		return 0, false, nil
	}
	run, steps := m.signed()
	made, began := 0, time.Now()
	for made == 0 || time.Since(began) < m.each {
		if _, err := signer.Sign(ctx, []transport.Run{run}); err != nil {
			return 0, true, err
		}
		made += steps
	}
	return time.Since(began) / time.Duration(made), true, nil
}

// signed writes each value below 400 hex as UTF-32 and reads it back.
func (m *Measure) signed() (r transport.Run, steps int) {
	var q driver.Sequence
	q.Clear()
	q.Reset()
	q.Write(golden.UTF32, 0, 0, 0, 0)
	for _, form := range golden.Forms {
		q.Read(form, 4)
	}
	r = transport.Run{Steps: q.Steps, Count: 0x400, Fields: []transport.Field{{Step: 3, Shift: 8, Mask: 0xFF}, {Step: 4, Mask: 0xFF}}}
	var all []transport.Step
	for i := range r.Count {
		all = r.Append(all, i)
	}
	r.Want = make([]transport.Sample, len(all))
	model.New(m.revision).Run(all, r.Want)
	return r, len(all)
}

// A Share is how a run divides the time of a step.
type Share struct {
	Step      time.Duration // all of it
	Transport time.Duration
	Own       time.Duration // of the bench: compile, lint, model, compare
}

// Run runs the vectors.
func (m *Measure) Run(ctx context.Context) (s Share, err error) {
	timed := &stopwatch{Transport: m.chip}
	r := driver.Runner{Transport: timed, Revision: m.revision}
	steps, began := 0, time.Now()
	for first := true; first || time.Since(began) < m.each; first = false {
		tally, err := r.Run(ctx, m.jobs)
		if err != nil {
			return s, err
		}
		steps += tally.Steps
	}
	whole, n := time.Since(began), time.Duration(max(1, steps)) // none is judged when all of them are ERROR
	return Share{whole / n, timed.took / n, (whole - timed.took) / n}, nil
}

// A stopwatch measures how long a transport takes.
type stopwatch struct {
	transport.Transport
	took time.Duration
}

func (s *stopwatch) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	began := time.Now()
	n, err := s.Transport.Apply(ctx, steps, samples)
	s.took += time.Since(began)
	return n, err
}
