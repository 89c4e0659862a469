package wave

import (
	"io"

	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/transport"
)

// Options control how a waveform is read.
type Options struct {
	Scope   string // scope of the tile's ports; "" is the innermost one that contains all of them
	Rule    *Rule  // rule to apply; nil selects the one that fits
	Release bool   // no step lingers
}

// maxPieces is the maximum number of steps in a vector without its reset: see package golden.
const maxPieces = 2_099_999

// Read cuts a VCD into steps.
func Read(in io.Reader, o Options) (*Wave, error) {
	r, err := newReader(in, o.Scope)
	if err != nil {
		return nil, err
	}
	c := &cutter{wave: &Wave{Scope: r.scope, unit: r.unit}, Options: o}
	if err := r.each(c.see); err != nil {
		return nil, err
	}
	if end := max(c.time, r.end); c.open && end-c.time < c.settle {
		c.open, c.wave.Oddities.LateEdges = false, 1
		if c.rise {
			c.wave.Clocks--
		}
	}
	c.flush()
	if len(c.wave.Pieces[AfterEdge]) == 0 {
		return nil, failure.Usagef("nothing changes at the ports of %s", r.scope)
	}
	return c.wave, nil
}

// A cutter cuts a waveform at each rising clk and each change of an input, and expects the outputs before the next cut.
type cutter struct {
	Options
	wave *Wave

	open       bool // whether a cut has not ended yet
	rise, ins  bool // whether clk rises at the cut, and whether inputs change
	time       uint64
	old, final state // before the cut, and now

	rose, period uint64 // time of the previous rising edge, and the usual period
	settle       uint64 // the longest time from a cut to a change of an output
}

func (c *cutter) see(time uint64, before, after *state) error {
	rise := before[clk] == (signal{}) && after[clk] == (signal{level: 1})
	ins := before[rstN] != after[rstN] || before[uiIn] != after[uiIn] || before[uioIn] != after[uioIn]
	if rise || ins {
		c.flush()
		c.open, c.rise, c.ins, c.old, c.time = true, rise, ins, *before, time
		c.odd(time, before, after)
	} else if c.open && before[clk] == after[clk] {
		c.settle = max(c.settle, time-c.time)
	}
	c.final = *after
	if len(c.wave.Pieces[AfterEdge]) > maxPieces-2 {
		return failure.Usagef("more than %d steps: cut it into several waveforms, or stop it sooner", maxPieces)
	}
	return nil
}

func (c *cutter) odd(time uint64, before, after *state) {
	o := &c.wave.Oddities
	if c.ins && (after[uiIn].unknown|after[uioIn].unknown|after[rstN].unknown) != 0 {
		o.UnknownChanges++
	}
	falls := before[clk].level == 1 && after[clk] == (signal{})
	switch {
	case !c.ins, before[clk].unknown != 0: // clk changes from unknown only at the beginning
	case c.rise:
		o.EdgeChanges++
	case falls:
	case after[clk].level == 1:
		o.HighChanges++
	default:
		o.LowChanges++
	}
	if !c.rise {
		return
	}
	c.wave.Clocks++
	switch p := time - c.rose; {
	case c.wave.Clocks == 1:
	case c.wave.Clocks == 2:
		c.period = p
	case p != c.period:
		o.IrregularPeriods++
	}
	c.rose = time
}

func (c *cutter) flush() {
	if !c.open {
		return
	}
	c.open = false
	for rule := range c.wave.Pieces {
		switch {
		case c.rise && c.ins && Rule(rule) == AfterEdge:
			c.add(rule, Piece{Step: step(&c.old, 1)})
			c.add(rule, shown(&c.final, step(&c.final, 0)))
		case c.rise:
			c.add(rule, shown(&c.final, step(&c.final, 1)))
		default:
			c.add(rule, shown(&c.final, step(&c.final, 0)))
		}
	}
}

// add appends a piece, or merges it into the last one if that differs only in its number of clocks. The first clock
// after a change of outputs stays a step of its own, so that vectors check when outputs change.
func (c *cutter) add(rule int, p Piece) {
	all := c.wave.Pieces[rule]
	n := len(all)
	if p.Clocks == 1 && n > 1 && all[n-1].Clocks > 0 && all[n-1].Clocks < 255 &&
		(all[n-1].Clocks > 1 || all[n-2].Out == p.Out && all[n-2].IO == p.IO) {
		last := all[n-1]
		last.Clocks = 1
		if last == p {
			all[n-1].Clocks++
			c.wave.times[rule][n-1] = c.time
			if rule == int(AfterEdge) {
				c.wave.Oddities.MergedClocks++
			}
			return
		}
	}
	c.wave.Pieces[rule] = append(all, p)
	c.wave.times[rule] = append(c.wave.times[rule], c.time)
}

// step converts a state's inputs to a step that drives all known levels of the test on uio, even where the tile drives.
// Suite decides which lines the bench may drive.
func step(of *state, clocks uint8) transport.Step {
	return transport.Step{In: of[uiIn].level, Reset: of[rstN].level == 0, Clocks: clocks, IO: of[uioIn].level,
		Drive: ^of[uioIn].unknown}
}

// shown returns the piece of a step, with the simulation's outputs after it.
func shown(of *state, s transport.Step) Piece {
	known := of[uioOE].level &^ (of[uioOut].unknown | of[uioOE].unknown)
	return Piece{Step: s, Out: golden.Bits{Mask: ^of[uoOut].unknown, Level: of[uoOut].level},
		IO:       golden.Bits{Mask: known, Level: of[uioOut].level & known},
		Undriven: ^(of[uioOE].level | of[uioOE].unknown)}
}
