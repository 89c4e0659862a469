package station

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/runs/stream"
	"utfbench/runs/waveform"
	"utfbench/tile"
	"utfbench/transport"
)

// A Capture is a stream of a chip's outputs with held inputs after a reset, compared with the reference and decoded.
// Fill in the first fields, and call Run.
type Capture struct {
	Chip     *Chip
	Inputs   Inputs
	Skip     int // clocks before the first captured one
	Clocks   int
	Accepted transport.Outputs // see driver.Runner
	Decoders []stream.Decoder
	Progress func(clock int) // called after each batch; may be nil

	First *driver.Result    // with the first wrong clock, as a step; nil without one
	Wave  *waveform.Excerpt // around it
	Wrong int               // number of wrong clocks
	Blind int               // clocks at which a line of a decoder, or without decoders every line, was not compared
	lines transport.Outputs // of the decoders
	runs  int               // free runs of clk, each before a window
	why   string            // of a batch that is ERROR
	tally *driver.Tally
}

// Inputs are held levels. Only lines in Set are given by the user.
type Inputs struct{ In, InSet, IO, IOSet uint8 }

// ParseInputs parses held levels, such as ui=0x10,uio3=1, or none.
func ParseInputs(list string) (in Inputs, err error) {
	if list == "" {
		return in, nil
	}
	for item := range strings.SplitSeq(list, ",") {
		name, text, _ := strings.Cut(strings.TrimSpace(item), "=")
		bus, levels, set := strings.TrimRight(name, "01234567"), &in.In, &in.InSet
		if bus == "uio" {
			levels, set = &in.IO, &in.IOSet
		}
		value, verr := strconv.ParseUint(text, 0, 8)
		lines, shift := uint8(0xFF), 0
		if digit := strings.TrimPrefix(name, bus); len(digit) == 1 {
			shift = int(digit[0] - '0')
			lines = 1 << shift
		} else if digit != "" {
			bus = ""
		}
		if bus != "ui" && bus != "uio" || verr != nil || uint8(value)<<shift&^lines != 0 || value<<shift > 0xFF {
			return in, failure.Usagef("%q: want levels of ui or uio, or of a line of these, as in ui=0x10,uio3=1", item)
		}
		*levels, *set = *levels&^lines|uint8(value)<<shift, *set|lines
	}
	return in, nil
}

// stream returns the steps, in which the bench drives all lines of uio that the tile never does.
func (c *Capture) stream() (s driver.Stream, err error) {
	t, in := c.Chip.Tile, c.Inputs
	s = driver.Stream{Reset: tile.Reset(t), Held: transport.Step{Clocks: 1}, Skip: c.Skip, Steps: c.Clocks}
	s.Held.In = t.Idle()&^in.InSet | in.In
	s.Held.Reset = !s.Reset.Reset
	s.Reset.In = s.Held.In
	drives := t.Drives(s.Reset) | t.Drives(s.Held)
	if both := drives & in.IOSet; both != 0 {
		return s, failure.Usagef("--input: the tile may drive %s, so the bench must not", transport.Outputs(both)<<8)
	}
	s.Held.Drive, s.Held.IO = ^drives, in.IO
	s.Reset.Drive, s.Reset.IO = s.Held.Drive, s.Held.IO
	if p, fast := c.Chip.Transport.(*transport.Player); fast && p.RunsFree() {
		s.Window = min(p.Grid().Room(false), p.Grid().Steps)
		s.Free = func(ctx context.Context, held transport.Step, clocks int) error {
			c.runs++
			return p.FreeRun(ctx, held, clocks)
		}
	}
	return s, nil
}

// Run captures. The error says why there is no verdict.
func (c *Capture) Run(ctx context.Context) error {
	s, err := c.stream()
	if err != nil {
		return err
	}
	for _, d := range c.Decoders {
		c.lines |= d.Lines()
	}
	r := driver.Runner{Transport: c.Chip.Transport, Tile: c.Chip.Tile, Doubt: c.Chip.Doubt(), Accepted: c.Accepted,
		Own: c.Chip.simulatesReference(), Report: c.result}
	c.tally, err = r.RunStream(ctx, s)
	if illegal, is := errors.AsType[*tile.Illegal](err); is {
		return failure.Usagef("--input: %s", illegal.Why)
	}
	if err != nil {
		return Asking(ctx, err)
	}
	return nil
}

// result decodes a batch, and keeps the first wrong clock.
func (c *Capture) result(r *driver.Result) {
	if r.Verdict == driver.Error && c.why == "" {
		c.why = fmt.Sprintf("in the batch from clock %d: %s", r.Vector.Line, r.Reason)
	}
	if r.Trace == nil {
		return
	}
	if r.First != nil {
		c.Wrong += 1 + r.SameLines + r.OtherLines
	}
	if r.First != nil && c.First == nil {
		c.keep(r)
	}
	for i, got := range r.Trace.Got {
		if r.Vector.Line+i == 0 && c.Skip > 0 {
			continue // the reset, which the next captured clock does not follow
		}
		want := r.Trace.Want[i]
		if lines := want.Unknown(); lines&c.lines != 0 || ^(lines|transport.Outputs(r.Trace.Steps[i].Drive)<<8) == 0 {
			c.Blind++
		}
		for _, d := range c.Decoders {
			d.Clock(got, want)
		}
	}
	if c.Progress != nil {
		c.Progress(r.Vector.Line + len(r.Trace.Got) - 1 - c.Skip)
	}
}

// around is the number of clocks of a waveform before and after the first wrong one.
const around = 200

// keep keeps the first wrong clock, numbered as in the stream.
func (c *Capture) keep(r *driver.Result) {
	c.Wave = waveform.Near(r, around, around)
	c.Wave.First += r.Vector.Line - 1
	c.Wave.Of, c.Wave.Vector = c.Skip+c.Clocks, r.Vector.Name
	c.Wave.Where = "inputs held after a reset; step n is clock n"
	first := *r
	m := *r.First
	m.Index += r.Vector.Line - 1
	first.First, first.Steps, first.SameLines, first.OtherLines, first.Trace = &m, c.Skip+c.Clocks, 0, 0, nil
	c.First = &first
}

// Clock returns the first wrong clock, from 1; 0 is the reset.
func (c *Capture) Clock() int { return c.First.First.Index + 1 }

// Head describes the capture in a line.
func (c *Capture) Head() string {
	identity := c.Chip.Identity("")
	text := fmt.Sprintf("%s, board %s, compared with %s: %s after a reset", c.Chip, c.Chip.Board.Name,
		identity.Reference(), printable.Count(c.Clocks, "clock"))
	if c.Skip > 0 {
		text += " and " + printable.Count(c.Skip, "clock")
	}
	return text
}

// Explain describes the windows of a capture at speed, and the first wrong clock.
func (c *Capture) Explain() (said []string) {
	if c.runs > 0 {
		said = append(said, fmt.Sprintf("windows after a reset and a free run of clk: %d", c.runs))
	}
	if c.First == nil {
		return said
	}
	said = append(said, fmt.Sprintf("clock %d differs:", c.Clock()))
	for _, line := range report.Explain(c.First) {
		said = append(said, "        "+line)
	}
	return said
}

// decoded returns the place of a clock among the decoded ones.
func (c *Capture) decoded(clock int) (n int, is bool) {
	if c.Skip == 0 {
		return clock, true
	}
	return clock - c.Skip - 1, clock > c.Skip
}

// Verdict returns the verdict and its reason.
func (c *Capture) Verdict() (driver.Verdict, string) {
	asked, v, clocks := &c.Chip.Asked, c.tally.Verdict(), printable.Count(c.Clocks, "clock")
	never := c.tally.Gap().String()
	if never != "" {
		never = "; never compared: " + never
	}
	if c.Blind > 0 {
		never += "; not compared at " + printable.Count(c.Blind, "clock")
	}
	if c.Skip > 0 {
		never += fmt.Sprintf("; not sampled at the first %d clocks", c.Skip)
	}
	switch v {
	case driver.Pass:
		return v, fmt.Sprintf("%s answered %s as the reference does%s%s", asked.Answerer(), clocks, never,
			asked.Unasked())
	case driver.Weak:
		return v, fmt.Sprintf("%s shows no difference in %s, but this is no PASS: %s; --input holds other levels%s",
			asked.Answerer(), clocks, c.tally.Weakness(), asked.Unasked())
	case driver.Fail:
		return v, fmt.Sprintf("%s is at fault: clock %d is the first of %d that differ%s", asked.Culprit(), c.Clock(),
			c.Wrong, asked.Unasked())
	case driver.Skipped:
		return v, "nothing was compared: the reference knows no output at any clock" + asked.Unasked()
	}
	return v, c.why
}
