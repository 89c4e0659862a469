package export

import (
	"fmt"
	"io"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/report"
)

// A CaptureDecoder draws the outputs of a capture. It is a report.Reporter for the capture's run.
type CaptureDecoder struct {
	PictureFile string // the picture's file; "" for none

	OnPicture func(said []string) // called at the end with a description of the picture

	PictureError error    // set by End: the reason why the outputs are not a picture
	Wave         *Excerpt // the waveform around the first wrong clock; nil if there is none

	capture *driver.Capture
	vga     *VGA // nil if no picture is drawn
	picture *Picture
}

// Prepare prepares the decoder for a capture, and sets the capture's lines of interest. The error reports bad input.
func (d *CaptureDecoder) Prepare(c *driver.Capture) error {
	if d.PictureFile == "" {
		return nil
	}
	if c.Clocks > MaxPictureClocks {
		return failure.Usagef("--vga: a picture is of %d clocks at most, and --clocks is %d", MaxPictureClocks,
			c.Clocks)
	}
	d.vga, c.Lines = new(VGA), PictureOutputs.String()
	return nil
}

// Begin creates the picture's file, and returns a function that writes it, to be called after End.
func (d *CaptureDecoder) Begin(out *files.Set) (func(*CaptureDecoder) error, error) {
	return files.CreateOutputs(out, files.Output[*CaptureDecoder]{Flag: "--vga", Path: d.PictureFile,
		Write: func(d *CaptureDecoder, w io.Writer) error { return d.picture.Write(w) }})
}

func (d *CaptureDecoder) Start(r report.Run) error {
	d.capture = r.Invocation.Capture
	return nil
}

// around is the number of clocks that a waveform shows on each side of the first wrong clock.
const around = 200

// Result implements report.Reporter: it decodes a batch of samples, and keeps the first wrong clock.
func (d *CaptureDecoder) Result(r *driver.Result) error {
	if r.Trace == nil {
		return nil
	}
	if r.FirstMismatch != nil && d.Wave == nil {
		d.Wave = StepsAroundDivergence(r, around, around)
		d.Wave.FirstStep += r.Vector.Line - 1
		d.Wave.VectorSteps = d.capture.Skip + d.capture.Clocks
		d.Wave.Origin = "inputs held after a reset; step n is clock n"
	}
	if d.vga == nil || r.Vector.Line == 0 && d.capture.Skip > 0 { // the next captured clock does not follow the reset
		return nil
	}
	for i, got := range r.Trace.Got {
		d.vga.AddClock(got, r.Trace.Want[i])
	}
	return nil
}

func (d *CaptureDecoder) End(o report.Outcome) error {
	var said []string
	if d.vga != nil {
		raster, err := d.vga.Raster()
		if err != nil {
			d.PictureError = fmt.Errorf("--vga: %w", err)
			return nil
		}
		if at, is := d.placeOf(o.Tally.Stream.FirstWrong); is {
			said = append(said, "        "+raster.Place(at).String())
		}
		d.picture = raster.Picture()
		said = append(said, raster.String(), fmt.Sprintf("%s: %s", d.PictureFile, d.picture))
	}
	d.OnPicture(said)
	return nil
}

func (d *CaptureDecoder) placeOf(clock int) (at int, is bool) {
	if d.capture.Skip == 0 {
		return clock, clock >= 0
	}
	return clock - d.capture.Skip - 1, clock > d.capture.Skip
}
