package transport

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"time"
)

// A Player is an ordinary transport that runs a chip at speed: it plays steps in bursts with one timing, whose period,
// sample and lead are its knobs. Between bursts clk rests and the chip keeps its state.
type Player struct {
	Transport    // the same chip at low speed; the player does not use its Apply
	burster      Burster
	grid         Grid
	first, asked Timing
	took         Timing // the available timing nearest to asked
	drive        uint8  // uio lines that the bench drives after the last burst
	parted       int    // number of bursts that began within a vector
	closed       atomic.Bool
}

var (
	_ Transport = (*Player)(nil)
	_ Tuner     = (*Player)(nil)
)

// ErrNoBursts reports a transport that cannot play bursts.
var ErrNoBursts = usagef("it cannot run at speed, as mock and rp2040 can")

// NewPlayer returns a player with a timing, in which only the period is required. The error lists the allowed values.
func NewPlayer(ctx context.Context, tr Transport, at Timing) (*Player, error) {
	b, is := tr.(Burster)
	if !is {
		return nil, fmt.Errorf("%s: %w", tr, ErrNoBursts)
	}
	p := &Player{Transport: tr, burster: b, first: at, asked: at}
	var err error
	if p.grid, err = b.Grid(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", tr, err)
	}
	p.took, err = p.grid.Round(at)
	return p, err
}

// ParseClock parses a clock as a frequency, such as 20MHz, or a period, such as 50ns.
func ParseClock(text string) (Timing, error) {
	if hz, ok := ParseFrequency(text); ok && hz <= 1e9 && hz > 1e-3 {
		return TimingAtFrequency(hz), nil
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return Timing{Period: d, Sample: SampleAtFall}, nil
	}
	return Timing{}, usagef("%q is no clock: a frequency of up to 1GHz, such as 20MHz, or a period, such as 50ns", text)
}

// TimingAtFrequency returns the timing to request for a clock of up to 1 GHz, given in hertz.
func TimingAtFrequency(hertz float64) Timing {
	return Timing{Period: time.Duration(math.Round(1e9 / hertz)), Hertz: hertz, Sample: SampleAtFall}
}

// String names the far end and the period.
func (p *Player) String() string {
	return fmt.Sprintf("%s, clk every %s", p.Transport, p.Timing().Period)
}

// Timing returns the current timing.
func (p *Player) Timing() Timing { return p.took }

// SetTiming changes the timing from the next batch on and returns the actual one. The error lists the allowed values.
func (p *Player) SetTiming(at Timing) (Timing, error) {
	if p.closed.Load() {
		return at, ErrClosed
	}
	took, err := p.grid.Round(at)
	if err == nil {
		p.asked, p.took = at, took
	}
	return took, err
}

// WithTiming calls do with the player's timing set to at, then restores the previous one.
func (p *Player) WithTiming(at Timing, do func() error) error {
	asked, took := p.asked, p.took
	defer func() { p.asked, p.took = asked, took }()
	if _, err := p.SetTiming(at); err != nil {
		return err
	}
	return do()
}

// Grid returns the available times.
func (p *Player) Grid() Grid { return p.grid }

// SplitVectors returns the number of bursts that began within a vector because of a burst's maximum length, or because
// rst_n or uio's directions changed at a period that forbids it.
func (p *Player) SplitVectors() int { return p.parted }

func (p *Player) Apply(ctx context.Context, steps []Step, samples []Sample) (int, error) {
	if err := CheckBatch(ctx, steps, samples); err != nil {
		return 0, err
	}
	if err := RejectLinger(steps); err != nil {
		return 0, err
	}
	for done := 0; done < len(steps); {
		end, err := p.play(ctx, steps[done:], samples[done:])
		if err != nil {
			return done, err
		}
		done += end
	}
	return len(steps), nil
}

// play runs the leading steps that fit into one burst and returns their number.
func (p *Player) play(ctx context.Context, steps []Step, samples []Sample) (int, error) {
	at := p.Timing()
	n := p.fit(steps, at)
	if n < len(steps) && !begins(steps, n) {
		p.parted++
	}
	if err := p.burster.Burst(ctx, steps[:n], samples[:n], at); err != nil {
		return 0, err
	}
	p.drive = steps[n-1].Drive
	return n, nil
}

// fit returns the number of leading steps for one burst. If not all fit, the burst ends before a reset if possible.
func (p *Player) fit(steps []Step, at Timing) int {
	periods, whole, n, drive := 0, 0, 0, p.drive
	for ; n < len(steps) && n < p.grid.Steps; n++ {
		if periods += at.Periods(steps[n], drive); periods > p.grid.Periods && n > 0 {
			break
		}
		if n > 0 && begins(steps, n) {
			whole = n
		}
		if !p.grid.CanJoin(steps[n], steps[0], at) {
			return n
		}
		drive = steps[n].Drive
	}
	if n < len(steps) && whole > 0 {
		return whole
	}
	return n
}

// begins reports whether step n starts a reset, as the first step of a vector does.
func begins(steps []Step, n int) bool { return steps[n].Reset && !steps[n-1].Reset }

func (p *Player) Close() error {
	p.closed.Store(true)
	return p.Transport.Close()
}

// The names of a Player's knobs.
const (
	PeriodKnob = "period"
	SampleKnob = "sample"
	LeadKnob   = "lead"
)

// TuneAll sets several knobs by name in one call, for values that are valid only together. On an error no knob changes;
// the error lists the allowed values.
func (p *Player) TuneAll(to map[string]time.Duration) error {
	asked := p.asked
	for name, d := range to {
		switch name {
		case PeriodKnob:
			asked.Period, asked.Hertz = d, 0
		case SampleKnob:
			asked.Sample = d
		case LeadKnob:
			asked.Lead = d
		}
	}
	_, err := p.SetTiming(asked)
	return err
}

// CheckSample returns an error if even a good chip's samples would be unknown at the current timing.
func (p *Player) CheckSample() error {
	if at := p.Timing(); at.Sample >= at.HoldTime() {
		return usagef("the inputs of the next step change %s after the edge, not later than the sample", at.HoldTime())
	}
	return nil
}

func (p *Player) Knobs() []Knob {
	first, _ := p.grid.Round(p.first)
	return []Knob{
		{Name: PeriodKnob, Low: p.grid.ShortestPeriod(), High: p.grid.MaxPeriod, Default: first.Period},
		{Name: SampleKnob, Low: 0, High: p.grid.MaxSample, Default: first.Sample},
		{Name: LeadKnob, Low: 0, High: p.grid.MaxPeriod, Default: p.first.Lead},
	}
}

// Tune implements Tuner. A lead of 0 selects the default for the period.
func (p *Player) Tune(_ context.Context, name string, d time.Duration) (time.Duration, error) {
	if err := CheckKnob(p.Knobs(), name, d); err != nil {
		return 0, err
	}
	err := p.TuneAll(map[string]time.Duration{name: d})
	t := p.Timing()
	return map[string]time.Duration{PeriodKnob: t.Period, SampleKnob: t.Sample, LeadKnob: t.Lead}[name], err
}
