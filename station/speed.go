package station

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"utfbench/cause/timing"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A Speed is a timing in the user's words; see transport.Timing.
type Speed struct {
	Clock  string // the clock as a frequency or period, or AuthorsClock; "" is step by step
	Sample string // time from the rising edge to the sample; "" means when clk falls
	Lead   string // time from a change of the inputs to the rising edge; "" means half a period
}

// AuthorsClock selects the clock that the tile's author states.
const AuthorsClock = "author"

// timing parses s for a tile. at.Period is 0 for step by step.
func (s *Speed) timing(t tile.Tile) (at transport.Timing, err error) {
	if s.Clock == "" {
		if s.Sample != "" || s.Lead != "" {
			return at, failure.Usagef("the times of sample and lead are of a chip at speed: give its clock, as in " +
				"--at 20MHz")
		}
		return at, nil
	}
	if s.Clock == AuthorsClock {
		about := gates.ProjectOf(t)
		if about == nil || about.ClockHz == 0 {
			return at, failure.Usagef("--at %s: the author of %s states no clock: give one, as in --at 20MHz", s.Clock,
				t.Name())
		}
		at = transport.TimingAtFrequency(float64(about.ClockHz))
	} else if at, err = transport.ParseClock(s.Clock); err != nil {
		return at, failure.Usagef("--at: %w", err)
	}
	for _, f := range []struct {
		flag, text string
		to         *time.Duration
	}{{"sample", s.Sample, &at.Sample}, {"lead", s.Lead, &at.Lead}} {
		if f.text == "" {
			continue
		}
		if *f.to, err = time.ParseDuration(f.text); err != nil || *f.to < 0 {
			return at, failure.Usagef("--%s %q: a time from 0, such as 20ns", f.flag, f.text)
		}
	}
	return at, nil
}

// aLot is a number of periods above any limit.
const aLot = 1 << 20

// hurry makes the chip's transport play bursts, unless at is step by step.
func (c *Chip) hurry(ctx context.Context, at transport.Timing) error {
	if at.Period == 0 {
		return nil
	}
	p, err := transport.NewPlayer(ctx, c.Transport, at)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("at speed: %w", err)
	}
	took, hertz := p.Timing(), p.Grid().Frequency(p.Timing())
	if took.Sample >= took.HoldTime() && !c.insist {
		return failure.Usagef("a sample %s after the edge: the inputs of the next step change %s after the edge, and "+
			"a right chip may show what follows from them by then: take a longer period, a shorter --lead or an "+
			"earlier sample; --insist overrides this, for lines that are known to be late", took.Sample,
			took.HoldTime())
	}
	c.Transport = p
	c.MeasuredTags = c.MeasuredTags.With(SpeedTags(&took))
	note := fmt.Sprintf("at speed: %s, which is %s", took, transport.FormatFrequency(hertz, 4))
	if off := hertz/at.Hertz - 1; at.Hertz > 0 && math.Abs(off) > 1e-3 {
		note += fmt.Sprintf(", the nearest to %s (%+.1f %%)", transport.FormatFrequency(at.Hertz, -1), 100*off)
	}
	if g := p.Grid(); g.Periods < aLot {
		note += fmt.Sprintf(", in bursts of %d periods at most", g.Periods)
	}
	c.Notes = append(c.Notes, note)
	return nil
}

// SpeedTags returns the tags that the bench adds to a run with this timing. It returns none for nil (step by step).
func SpeedTags(t *transport.Timing) files.Tags {
	if t == nil {
		return nil
	}
	return files.Tags{"period": t.Period.String(), "sample": t.Sample.String(), "lead": t.Lead.String()}
}

// fewBursts is the number of vectors with which bursts are checked.
const fewBursts = 3

// CheckBursts checks that a good chip passes the vectors at speed and, with a few of them, that the board plays bursts
// correctly. A later FAIL is therefore the chip's fault.
func (c *Chip) CheckBursts(ctx context.Context, jobs []driver.Job) error {
	p, fast := c.Transport.(*transport.Player)
	if _, silent := c.Tile.New().(tile.SilentReference); !fast || silent || c.BrokenWires != nil {
		return nil
	}
	if err := c.checkReference(ctx, jobs); err != nil || !c.HasWires {
		return err
	}
	if err := timing.CheckBursts(ctx, p, c.Tile, c.clocked(ctx, jobs)); err != nil {
		return fmt.Errorf("%s: %w", p.Transport, err)
	}
	return nil
}

// clocked returns a few of the vectors, and the first that fails if clk is inverted, a fault that single steps do not
// show. If the tile's reference cannot simulate wires, clocked returns all vectors.
func (c *Chip) clocked(ctx context.Context, jobs []driver.Job) []driver.Job {
	if _, wired := c.Tile.New().(tile.WiredReference); !wired {
		return jobs
	}
	few := slices.Clone(jobs[:min(fewBursts, len(jobs))])
	inverted := []fault.Fault{{Kind: fault.Inverted, A: transport.Clk}}
	_ = c.judgeReference(ctx, jobs, inverted, func(res *driver.Result) error {
		few = append(few, driver.Job{Vector: res.Vector})
		return nil
	})
	return few
}

// checkReference refuses vectors to which even the reference, a chip without delays, responds differently at speed: its
// outputs change after the sample, when clk falls, or depend on which input changes first.
func (c *Chip) checkReference(ctx context.Context, jobs []driver.Job) error {
	if _, wired := c.Tile.New().(tile.WiredReference); !wired || c.insist {
		return nil
	}
	return c.judgeReference(ctx, jobs, nil, func(res *driver.Result) error {
		return failure.Usagef("at speed these vectors cannot judge %s: at step %d of %s a right chip, too, "+
			"responds otherwise than step by step (%s), since an output changes when clk falls, after the "+
			"sample, or since inputs that change together race: run it step by step, or take other vectors; "+
			"--insist overrides this", c.Tile.Name(), res.FirstMismatch.Index+1, res.Vector.Name,
			report.DescribeDivergence(res))
	})
}

// judgeReference runs vectors in bursts on the reference, with faults injected. At the first FAIL it calls failed and
// returns its result. It also returns ctx's error; other errors recur when the vectors are judged.
func (c *Chip) judgeReference(ctx context.Context, jobs []driver.Job, faults []fault.Fault,
	failed func(*driver.Result) error) error {
	m := mock.Open(mock.Config{Tile: c.Tile, Faults: faults})
	defer m.Close()
	p, err := transport.NewPlayer(ctx, m, transport.Timing{Period: time.Microsecond, Sample: transport.SampleAtFall})
	if err != nil {
		return err
	}
	r := driver.Runner{Transport: p, Tile: c.Tile,
		Rules: driver.Rules{FailFast: true}, Report: func(res *driver.Result) {
			if res.Verdict == driver.Fail {
				err = failed(res)
			}
		}}
	if _, _ = r.Run(ctx, jobs); ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Speed returns the timing of the chip, or nil if it runs step by step or is a recording, whose start has the timing.
func (c *Chip) Speed() *transport.Timing {
	if p, fast := c.Transport.(*transport.Player); fast {
		at := p.Timing()
		return &at
	}
	return nil
}

// SplitNote returns a note that says why vectors had to be split into several bursts, or "".
func (c *Chip) SplitNote() string {
	p, fast := c.Transport.(*transport.Player)
	if !fast || p.SplitVectors() == 0 {
		return ""
	}
	g := p.Grid()
	if g.ForbidsTurnaround(p.Timing()) {
		return fmt.Sprintf("at periods below %s neither rst_n nor the directions of uio change within a burst: clk "+
			"rested %d times within a vector", g.MinPeriod, p.SplitVectors())
	}
	return fmt.Sprintf("a burst has %d steps and %d periods at most, and some vectors have more: clk rested %d times "+
		"within one", g.Steps, g.Periods, p.SplitVectors())
}

// StepTransport returns the transport that applies steps to the chip, even if the chip runs at speed.
func (c *Chip) StepTransport() transport.Transport {
	if p, fast := c.Transport.(*transport.Player); fast {
		return p.Transport
	}
	return c.Transport
}
