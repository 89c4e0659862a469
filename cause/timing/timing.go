// Package timing measures the timing of a chip, line by line, on a transport that plays vectors at speed.
//
// # Words
//
//   - The clock-to-output delay of a line is the time from a rising edge of clk until the bench's end of the wire shows
//     the edge's effect.
//   - The set-up of an input is the time before the edge at which it must have its level. If the level comes later, the
//     chip samples the previous one.
//   - The limit is the highest clock at which all vectors pass. The bench's limit also depends on the delays of pads
//     and cable, since the sample must precede the inputs' change for the next edge. The chip's own limit does not,
//     since each line is sampled on arrival, even after the next edge.
//
// Each value is found by bisection on the transport's grid. The result is two adjacent ticks: the chip fails at one and
// passes at the other. Every setting is repeated, and a tick fails if any repetition fails, so with jitter the passing
// tick is reliable. For a clock-to-output delay, the failing tick is the latest time at which the line is wrong after
// every edge that changes it.
//
// # Shmoos
//
//   - A shmoo is a grid of cells over one or two axes. An axis is a knob of the transport (transport.Knob) with its
//     values.
//   - A cell is PASS if all vectors always passed, FAIL if some vector always failed, and FLAKY if vectors failed only
//     sometimes. It is ERROR if the bench could not judge a vector, which says nothing about the chip.
//
// The measurement proceeds from the safe corner, with the longest times, to the unsafe one. If the chip stops
// responding, most cells are measured by then.
package timing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/transport"
)

// A Runner measures the timing of a chip.
type Runner struct {
	Player *transport.Player
	Tile   tile.Tile
	Jobs   []driver.Job
	Count  int // number of runs of each vector at each setting, at least 1

	Progress func(settings int) // called with the number of settings tried so far; may be nil

	grid   transport.Grid
	probes map[transport.Timing]*probe // by timing
}

// safe is a period at which nearly every chip passes.
const safe = time.Microsecond

// ErrFailsStepByStep means that the chip also fails step by step, so that its timing cannot be measured.
var ErrFailsStepByStep = failure.Newf(failure.Chip, "it also fails step by step, so times at speed cannot be "+
	"measured: see bench run, or bench shmoo -x pulse=200ns..8us -y settle=200ns..8us for a line slower than a step")

// ErrBurstsFail means that the vectors pass step by step but fail in bursts with the longest period. Most likely the
// bench does not play the bursts correctly, so the chip has no verdict.
var ErrBurstsFail = errors.New("the vectors pass step by step, and fail in bursts with the longest period too: " +
	"either the bench does not play bursts well here, or something inverts clk (bench doctor --first tells), or the " +
	"chip is slower yet, so nothing at speed is judged")

// ErrFlaky means that the chip fails at random, so that its timing has no limit.
var ErrFlaky = failure.Newf(failure.Chip, "it is wrong now and then, at any clock, so no time can be measured: "+
	"see bench run --count")

// ErrNoVector means that no vector applies to the chip.
var ErrNoVector = failure.Newf(failure.Nothing, "no vector applies to this chip")

// Measure measures the complete timing. The error reports bad input, comes from the transport or ctx, is one of this
// package's Err variables, or names a vector that the bench could not judge.
func (r *Runner) Measure(ctx context.Context) (*Report, error) {
	m := r.measurement(ctx)
	if err := m.begin(); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(m.Lines, func(l Line) bool { return l.Edges > 0 }) {
		return nil, m.whyStill()
	}
	return m.all(m.delays, m.setup, m.hold, m.limit, m.own)
}

// whyStill returns the error for vectors in which no edge of clk changes an output. It suggests bench explore.
func (m *measurement) whyStill() error {
	if t := new(driver.Evidence).Tally(m.Runner.Tile); t.Outputs&^t.TiedLines() == 0 {
		return failure.Newf(failure.Nothing, "all outputs of the design are constant, so it has no timing")
	}
	return failure.Newf(failure.Nothing, "no edge of clk changes an output in these vectors, so they show no timing; "+
		"bench explore makes others")
}

func (r *Runner) measurement(ctx context.Context) *measurement {
	r.grid, r.probes = r.Player.Grid(), map[transport.Timing]*probe{}
	return &measurement{Runner: r, ctx: ctx, Report: &Report{Tick: r.grid.Tick(), Count: r.Count}}
}

func (m *measurement) all(measures ...func() error) (*Report, error) {
	for _, measure := range measures {
		if err := measure(); err != nil {
			return nil, err
		}
	}
	return m.Report, nil
}

// A measurement is the state of Runner.Measure.
type measurement struct {
	*Runner
	ctx    context.Context
	slow   time.Duration // a period at which all vectors pass
	judged []driver.Job  // the vectors that apply to the chip
	sure   bool          // try each setting more often
	*Report
}

// begin searches for a period at which all vectors pass: safe, or a longer one for a slower chip.
func (m *measurement) begin() error {
	for m.slow = min(safe, m.grid.MaxPeriod); ; m.slow = min(4*m.slow, m.grid.MaxPeriod) {
		p, err := m.probe(m.slowly())
		switch {
		case err != nil:
			return err
		case len(p.judged) == 0:
			return ErrNoVector
		case p.ever() == 0:
			m.judged = slices.Clone(p.judged)
			m.Vectors = len(m.judged)
			return m.count()
		case m.slow == m.grid.MaxPeriod && p.onceRight(allOutputs):
			return ErrFlaky
		case m.slow == m.grid.MaxPeriod:
			return fmt.Errorf("%s: %w", m.Player.Transport, m.whyNever())
		}
	}
}

// count counts the edges that change each output, and the edges at which each late input would be detected.
func (m *measurement) count() (err error) {
	m.Lines = make([]Line, 16)
	for i, name := range transport.Lines[fault.UO:fault.Clk] {
		m.Lines[i].Name = name
	}
	for _, job := range m.judged {
		n, err := edges(m.Runner.Tile, job.Vector)
		if err != nil {
			return err
		}
		for line := range n {
			m.Lines[line].Edges += n[line]
		}
	}
	m.InputEdges, err = exercised(m.Runner.Tile, m.judged)
	return err
}

// whyNever runs the vectors step by step, and returns why they fail at any speed: the chip, or badly played bursts.
func (m *measurement) whyNever() error {
	right, err := passes(m.ctx, m.Player.Transport, m.Runner.Tile, m.Jobs)
	switch {
	case err != nil:
		return err
	case !right:
		return ErrFailsStepByStep
	}
	return ErrBurstsFail
}

// slowly returns a timing with ample margin for the chip.
func (m *measurement) slowly() transport.Timing {
	t, _ := m.grid.Round(transport.Timing{Period: m.slow, Sample: transport.SampleAtFall})
	return t
}

// moments returns the possible sample times up to the timing's. They are a tick apart, or closer with some clocks.
func (m *measurement) moments(at transport.Timing) (all []time.Duration) {
	if len(m.grid.Clocks) == 0 {
		for ticks := range m.grid.Ticks(at.Sample) + 1 {
			all = append(all, m.grid.Time(ticks))
		}
		return all
	}
	for d := range at.Sample + 1 {
		took, err := m.grid.Round(transport.Timing{Period: at.Period, Sample: d})
		if err == nil && took.Sample == d {
			all = append(all, d)
		}
	}
	return all
}

// latest returns the first tick at which all lines show the effect of the edge.
func (m *measurement) latest() time.Duration { return m.tick(m.Report.latest()) }

// tick returns the first tick of the transport's clock at or after a time.
func (m *measurement) tick(moment time.Duration) time.Duration {
	if ticks := m.grid.Ticks(moment); m.grid.Time(ticks) < moment {
		return m.grid.Time(ticks + 1)
	}
	return m.grid.Time(m.grid.Ticks(moment))
}

func (m *measurement) delays() error {
	at := m.slowly()
	moments := m.moments(at)
	last := len(moments) - 1
	sampled := func(i int) transport.Timing { return transport.Timing{Period: at.Period, Sample: moments[i]} }
	var changed [16]int
	for line := range changed {
		changed[line] = m.Lines[line].Edges
	}
	right, err := m.borders(0, last, sampled, (*probe).ever)
	if err != nil {
		return err
	}
	wrong, err := m.borders(0, last, sampled, func(p *probe) mask { return p.atLeast(changed) })
	if err != nil {
		return err
	}
	for i := range m.Lines {
		if l := &m.Lines[i]; l.Edges > 0 {
			l.MaxDelay, l.MinDelay = moments[max(right[i], 1)], moments[max(wrong[i], 1)-1]
		}
	}
	return nil
}
