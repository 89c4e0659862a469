package driver

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/transport"
)

// A Measure measures throughput with the steps of a tile's first suite: in batches of several sizes ([Measure.Batch]),
// as steps generated at the far end ([Measure.Signed]), and in a run ([Measure.Run]).
type Measure struct {
	chip    transport.Transport
	tile    tile.Tile
	each    time.Duration
	jobs    []Job
	steps   []transport.Step
	samples []transport.Sample
	at      int
}

// NewMeasure returns a Measure of a chip of a tile. Each measurement runs at least once and for at least each.
func NewMeasure(chip transport.Transport, t tile.Tile, each time.Duration) (*Measure, error) {
	suites, err := tile.Suites(t)
	if err != nil || len(suites) == 0 {
		return nil, cmp.Or(err, failure.Usagef("a %s has no vectors to measure with", t.Name()))
	}
	suite := suites[0]
	m := &Measure{chip: chip, tile: t, each: each, samples: make([]transport.Sample, BatchSteps)}
	for i := range suite.Vectors {
		v := &suite.Vectors[i]
		m.jobs, m.steps = append(m.jobs, Job{Vector: v, File: suite.File}), append(m.steps, v.Steps...)
	}
	return m, nil
}

// Steps returns the number of distinct steps.
func (m *Measure) Steps() int { return len(m.steps) }

// A Batch holds the cost of a step in batches of one size.
type Batch struct {
	Size     int           `json:"steps"`
	Step     time.Duration `json:"step_ns"`
	Sent     float64       `json:"sent_bytes_per_step"` // 0 if the transport does not count
	Received float64       `json:"received_bytes_per_step"`
}

// Batch applies the steps n at a time, from 1 to driver.BatchSteps.
func (m *Measure) Batch(ctx context.Context, n int) (b Batch, err error) {
	b.Size = n
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

// Signed returns the time of a step generated at the far end; can is false if it generates none or the tile has no
// space with cases that follow a counter.
func (m *Measure) Signed(ctx context.Context) (step time.Duration, can bool, err error) {
	signer, can := m.chip.(transport.Signer)
	series, steps := m.signed()
	if !can || len(series) == 0 {
		return 0, false, nil
	}
	made, began := 0, time.Now()
	for made == 0 || time.Since(began) < m.each {
		if _, err := signer.Sign(ctx, series); err != nil {
			return 0, true, err
		}
		made += steps
	}
	return time.Since(began) / time.Duration(made), true, nil
}

// signed returns the first block of the tile's first space, in series.
func (m *Measure) signed() (series []transport.Series, steps int) {
	swept, ok := m.tile.(tile.Swept)
	if !ok {
		return nil, 0
	}
	space, err := swept.Space(tile.Scope{Space: swept.Spaces()[0], Revision: m.tile.Revision()})
	counted, ok := space.(tile.Counted)
	if err != nil || !ok {
		return nil, 0
	}
	for _, s := range counted.Stretches(0) {
		r := s.Series
		var all []transport.Step
		for i := range r.Count {
			all = r.Append(all, i)
		}
		r.Want = make([]transport.Sample, len(all))
		if err := tile.Expect(m.tile, all, r.Want); err != nil {
			return nil, 0
		}
		series, steps = append(series, r), steps+len(all)
	}
	return series, steps
}

// A Share divides the time of a step in a run.
type Share struct {
	Step      time.Duration `json:"step_ns"` // total
	Transport time.Duration `json:"transport_ns"`
	Own       time.Duration `json:"bench_ns"` // in the bench: compile, lint, model, compare
}

// Run measures a run of the vectors.
func (m *Measure) Run(ctx context.Context) (s Share, err error) {
	timed := &stopwatch{Transport: m.chip}
	r := Runner{Transport: timed, Tile: m.tile}
	steps, began := 0, time.Now()
	for first := true; first || time.Since(began) < m.each; first = false {
		tally, err := r.Run(ctx, m.jobs)
		if err != nil {
			return s, err
		}
		steps += tally.Steps
	}
	total, n := time.Since(began), time.Duration(max(1, steps)) // no step is judged if all vectors are ERROR
	return Share{total / n, timed.took / n, (total - timed.took) / n}, nil
}

// A stopwatch measures the time spent in a transport.
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

// sizes lists the batch sizes; a run uses the last.
var sizes = []int{1, 10, 100, 1000, BatchSteps}

// A Throughput holds all measurements.
type Throughput struct {
	Batches   []Batch        `json:"batches"`         // smallest first
	RoundTrip time.Duration  `json:"round_trip_ns"`   // excess of a single step over one in a large batch
	Signed    *time.Duration `json:"far_end_step_ns"` // of a step generated at the far end; nil if it generates none
	Run       Share          `json:"run"`
}

// All makes all measurements and writes each to w when it is complete.
func (m *Measure) All(ctx context.Context, w io.Writer) (*Throughput, error) {
	var r Throughput
	if err := m.batches(ctx, w, &r); err != nil {
		return nil, err
	}
	step, can, err := m.Signed(ctx)
	if err != nil {
		return nil, err
	}
	if can {
		r.Signed = &step
		fmt.Fprintf(w, "a step generated at the far end, as in a sweep, takes %s: %.0f steps/s\n",
			step, perSecond(step))
	}
	if r.Run, err = m.Run(ctx); err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(w, "a run takes %s a step: %s in the transport, %s in the bench (compile, "+
		"lint, model, compare)\n", r.Run.Step, r.Run.Transport, r.Run.Own)
	return &r, err
}

// batches writes a line for each size, then the round trip derived from the smallest and the largest.
func (m *Measure) batches(ctx context.Context, w io.Writer, r *Throughput) error {
	fmt.Fprintf(w, "%8s %12s %14s\n", "batch", "a step", "steps/s")
	for _, n := range sizes {
		b, err := m.Batch(ctx, n)
		if err != nil {
			return err
		}
		r.Batches = append(r.Batches, b)
		fmt.Fprintf(w, "%8d %12s %14.0f\n", n, b.Step, perSecond(b.Step))
	}
	last := r.Batches[len(r.Batches)-1]
	r.RoundTrip = max(0, r.Batches[0].Step-last.Step)
	fmt.Fprintf(w, "\na round trip takes %s more than a step of a large batch\n", r.RoundTrip)
	if last.Sent+last.Received > 0 {
		fmt.Fprintf(w, "a step costs %.2f bytes out and %.2f bytes in, in large batches\n", last.Sent, last.Received)
	}
	return nil
}

func perSecond(step time.Duration) float64 { return float64(time.Second) / float64(max(1, step)) }
