package station

import (
	"context"
	"fmt"
	"io"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/runs/waveform"
	"utfbench/transport"
)

// MostClocks is the maximum number of clocks of a capture, and of skipped ones.
const MostClocks = 1 << 30

// A Decoding draws the outputs of a capture. It is a report.Reporter of the capture's run.
type Decoding struct {
	VGA string // the picture's file; "" is none

	Tell func(said []string) // called at the end with the picture

	Bad  error             // after the end: why the outputs are no picture
	Wave *waveform.Excerpt // around the first wrong clock; nil without one

	capture *report.Capture
	vga     *waveform.VGA // nil without a picture
	picture *waveform.Picture
}

// Prepare makes the decoder for a capture, and sets its lines. The error is bad input.
func (d *Decoding) Prepare(c *report.Capture) error {
	if d.VGA == "" {
		return nil
	}
	if c.Clocks > waveform.MaxPictureClocks {
		return failure.Usagef("--vga: a picture is of %d clocks at most, and --clocks is %d", waveform.MaxPictureClocks,
			c.Clocks)
	}
	d.vga, c.Lines = new(waveform.VGA), waveform.PictureOutputs.String()
	return nil
}

// Begin creates the file, and returns a function that writes it, after Tell.
func (d *Decoding) Begin(out *files.Set) (func(*Decoding) error, error) {
	return files.Begin(out, files.Output[*Decoding]{Flag: "--vga", Path: d.VGA,
		Write: func(d *Decoding, w io.Writer) error { return d.picture.Write(w) }})
}

// Start implements report.Reporter.
func (d *Decoding) Start(r report.Run) error {
	d.capture = r.Asked.Capture
	return nil
}

// around is the number of clocks of a waveform before and after the first wrong one.
const around = 200

// Result implements report.Reporter: it decodes a batch, and keeps the first wrong clock.
func (d *Decoding) Result(r *driver.Result) error {
	if r.Trace == nil {
		return nil
	}
	if r.First != nil && d.Wave == nil {
		d.Wave = waveform.StepsAroundDivergence(r, around, around)
		d.Wave.First += r.Vector.Line - 1
		d.Wave.Of = d.capture.Skip + d.capture.Clocks
		d.Wave.Where = "inputs held after a reset; step n is clock n"
	}
	if d.vga == nil || r.Vector.Line == 0 && d.capture.Skip > 0 { // the next captured clock does not follow the reset
		return nil
	}
	for i, got := range r.Trace.Got {
		d.vga.Clock(got, r.Trace.Want[i])
	}
	return nil
}

// End implements report.Reporter.
func (d *Decoding) End(o report.Outcome) error {
	var said []string
	if d.vga != nil {
		raster, err := d.vga.Raster()
		if err != nil {
			d.Bad = fmt.Errorf("--vga: %w", err)
			return nil
		}
		if at, is := d.decoded(o.Tally.Stream.First); is {
			said = append(said, "        "+raster.Place(at).String())
		}
		d.picture = raster.Picture()
		said = append(said, raster.String(), fmt.Sprintf("%s: %s", d.VGA, d.picture))
	}
	d.Tell(said)
	return nil
}

// decoded returns the place of a clock among the decoded ones.
func (d *Decoding) decoded(clock int) (at int, is bool) {
	if d.capture.Skip == 0 {
		return clock, clock >= 0
	}
	return clock - d.capture.Skip - 1, clock > d.capture.Skip
}

// capture plans the capture for the opened chip. At speed clocks are captured in windows of a burst: before each the
// chip is reset, and clk runs free to it, if it can.
func (r *Run) capture() (err error) {
	c, captured := r.Chip, *r.Asked.Asked.Capture
	p, free := c.Transport.(*transport.Player)
	if free = free && p.RunsFree(); free {
		captured.Batch = min(p.Grid().Room(false), p.Grid().Steps) - 1 // with the last clock of a free run
	}
	r.Vectors.Tile, r.Vectors.Capture = c.Tile, &captured
	asked := *r.Asked.Asked
	if r.Asked, err = r.Vectors.Plan(1); err != nil {
		return err
	}
	asked.Capture, r.Asked.Asked = r.Asked.Asked.Capture, &asked
	if s := r.Asked.Stream; free {
		c.Notes = append(c.Notes, fmt.Sprintf("windows after a reset and a free run of clk: %d", s.Batches()-1))
		s.Lead = func(ctx context.Context, clocks int) error {
			var sample [1]transport.Sample
			if _, err := transport.Apply(ctx, p, []transport.Step{s.Reset}, sample[:]); err != nil {
				return err
			}
			return p.FreeRun(ctx, s.Held, clocks)
		}
	}
	return nil
}
