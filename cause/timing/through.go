package timing

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/fault"
	"utfbench/golden"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/transport"
)

// # Outputs that follow an input
//
// An output may follow an input without a clock. Vectors are made for that: each ends with steps without clocks, which
// change one input to and fro. Such a step is sampled when its lead and the sample time have passed since the change,
// so the delay is the sum of both.

// A InputToOutput is the delay of an output that follows inputs without a clock. It exceeds Least and does not exceed
// Most.
type InputToOutput struct {
	Inputs []string      `json:"inputs"`
	Edges  int           `json:"edges"` // of inputs that changed the output
	Most   time.Duration `json:"input_to_output_ns"`
	Least  time.Duration `json:"above_ns"`
}

// toAndFro is the number of times that a made vector changes its input to and fro.
const toAndFro = 3

// A flipping holds made vectors.
type flipping struct {
	jobs  []driver.Job
	from  map[*golden.Vector]int // their first steps without a clock
	edges [16][17]int            // by output and input
}

// flips makes vectors of others until each input changed each output that follows it often enough.
func flips(t tile.Tile, jobs []driver.Job) (*flipping, error) {
	f := &flipping{from: map[*golden.Vector]int{}}
	for _, job := range jobs {
		for input := range inputs {
			if err := f.add(t, job, input); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// add makes a vector, if its input changes outputs that it did not change often enough.
func (f *flipping) add(t tile.Tile, job driver.Job, input int) error {
	line := inputs[input]
	from := len(job.Vector.Steps)
	if from == 0 {
		return nil
	}
	held := job.Vector.Steps[from-1]
	held.Clocks, held.Linger = 0, false
	flipped, bit := held, uint8(1)<<(line%8)
	switch {
	case line == fault.Rst:
		flipped.Reset = !flipped.Reset
	case line < 8:
		flipped.In ^= bit
	case held.Drive&bit == 0:
		return nil
	default:
		flipped.IO ^= bit
	}
	v := *job.Vector
	v.Steps = slices.Concat(v.Steps, slices.Repeat([]transport.Step{flipped, held}, toAndFro))
	if t.Lint(v.Steps) != nil {
		return nil
	}
	want := make([]transport.Sample, len(v.Steps))
	if err := tile.Expect(t, v.Steps, want); err != nil {
		return err
	}
	var moved [16]int
	useful := false
	for i := from; i < len(want); i++ {
		before, after := &want[i-1], &want[i]
		lines := (before.Levels() ^ after.Levels()) &^ (before.Unknown() | after.Unknown() |
			transport.Outputs(held.Drive)<<8)
		for out := range moved {
			moved[out] += int(lines >> out & 1)
			useful = useful || lines>>out&1 != 0 && f.edges[out][input] < enough
		}
	}
	if !useful {
		return nil
	}
	f.jobs, f.from[&v] = append(f.jobs, driver.Job{Vector: &v, File: job.File}), from
	for out, n := range moved {
		f.edges[out][input] += n
	}
	return nil
}

// through returns how often an output was changed, and by which inputs often enough.
func (f *flipping) through(out int) (t InputToOutput) {
	for input, n := range f.edges[out] {
		if t.Edges += n; n >= enough {
			t.Inputs = append(t.Inputs, transport.Lines[inputs[input]])
		}
	}
	return t
}

// throughs measures the delays from inputs to outputs that follow them without a clock.
func (m *measurement) throughs() error {
	f, err := flips(m.Runner.Tile, m.judged)
	if err != nil || len(f.jobs) == 0 {
		return err
	}
	made := &measurement{Runner: &Runner{Player: m.Player, Tile: m.Runner.Tile, Jobs: f.jobs, Count: m.Runner.Count,
		grid: m.grid, probes: map[transport.Timing]*probe{}}, ctx: m.ctx, from: f.from, Report: new(Report)}
	at, lead := m.slowly(), m.grid.Time(m.lead())
	if !m.clocked() {
		lead = m.grid.Time(1)
	}
	moments := m.moments(at)
	last := len(moments) - 1
	sampled := func(i int) transport.Timing {
		return transport.Timing{Period: at.Period, Sample: moments[i], Lead: lead}
	}
	if p, err := made.probe(sampled(last)); err != nil || p.ever() != 0 {
		return err // which a run of such vectors would show
	}
	right, err := made.borders(0, last, sampled, (*probe).ever)
	if err != nil {
		return err
	}
	var changed [16]int
	for i := range changed {
		changed[i] = f.through(i).Edges
	}
	wrong, err := made.borders(0, last, sampled, func(p *probe) mask { return p.atLeast(changed) })
	if err != nil {
		return err
	}
	for i := range m.Lines {
		to := f.through(i)
		if to.Inputs == nil {
			continue
		}
		if to.Most = m.since(sampled(right[i])); right[i] > 0 {
			to.Least = min(to.Most, m.since(sampled(max(wrong[i], 1)-1)))
		}
		m.Lines[i].InputToOutput = &to
	}
	return nil
}

// since returns the time from a change of the inputs to the sample of a step without clocks, for the available timing
// nearest to one.
func (m *measurement) since(at transport.Timing) time.Duration {
	took, _ := m.grid.Round(at)
	return took.Lead + took.Sample
}

// Delay formats the delay.
func (t *InputToOutput) Delay() string {
	if t.Least == 0 {
		return fmt.Sprintf("%s or less", t.Most)
	}
	return fmt.Sprintf("%s to %s", t.Least, t.Most)
}

// writeThroughs lists the outputs that follow inputs.
func (r *Report) writeThroughs(b *strings.Builder) {
	t := printable.NewTable()
	for _, l := range r.Lines {
		if l.InputToOutput != nil {
			t.Row("  "+l.Name, l.InputToOutput.Delay(), "from "+transport.AbbreviateLines(l.InputToOutput.Inputs))
		}
	}
	_ = t.Write(b, "\ninput to output, without a clock\n")
}
