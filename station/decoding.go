package station

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/runs/waveform"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
)

// MostClocks is the maximum number of clocks of a capture, and of skipped ones.
const MostClocks = 1 << 30

// A Decoding decodes outputs of a capture; an empty field omits one. It is a report.Reporter of the capture's run.
type Decoding struct {
	VGA, WAV string // files
	Line     string // for WAV
	UART     string // LINE:BAUD
	Clk      string // a frequency; "" is the author's

	Tell func(said []string) // called at the end with the pictures, sounds and texts

	Bad  error             // after the end: why the outputs are no picture
	Wave *waveform.Excerpt // around the first wrong clock; nil without one

	all     []waveform.Decoder
	capture *report.Capture
	vga     *waveform.VGA
	pdm     *waveform.PDM
	uart    *waveform.UART
	picture *waveform.Picture
}

// Prepare makes the decoders for a capture of a tile, and sets its lines. The error is bad input.
func (d *Decoding) Prepare(t tile.Tile, c *report.Capture) error {
	if d.VGA != "" {
		if c.Clocks > waveform.MostPictured {
			return failure.Usagef("--vga: a picture is of %d clocks at most, and --clocks is %d",
				waveform.MostPictured, c.Clocks)
		}
		d.vga = new(waveform.VGA)
		d.all = append(d.all, d.vga)
	}
	if d.WAV != "" {
		line, known := transport.OutputNamed(d.Line)
		if !known {
			return noOutput(t, "--line", d.Line)
		}
		clk, err := d.clk(t)
		if err != nil {
			return err
		}
		if d.pdm, err = waveform.NewPDM(line, clk); err != nil {
			return fmt.Errorf("--wav: %w", err)
		}
		d.all = append(d.all, d.pdm)
	}
	if d.UART != "" {
		if err := d.serial(t); err != nil {
			return err
		}
		d.all = append(d.all, d.uart)
	}
	var lines transport.Outputs
	for _, one := range d.all {
		lines |= one.Lines()
	}
	c.Lines = strings.Join(lines.Names(), ",")
	return nil
}

// noOutput returns an error that names the tile's outputs with the author's name, if any, instead of a line.
func noOutput(t tile.Tile, flag, name string) error {
	hint := ""
	if about := gates.ProjectOf(t); about != nil {
		if lines := about.OutputsNamed(name); lines != nil {
			hint = fmt.Sprintf(" (did you mean %s?)", strings.Join(lines, " or "))
		}
	}
	return failure.Usagef("%s: %q is no output%s: want uo0 to uo7 or uio0 to uio7", flag, name, hint)
}

// serial makes the decoder of UART.
func (d *Decoding) serial(t tile.Tile) error {
	name, text, _ := strings.Cut(d.UART, ":")
	line, known := transport.OutputNamed(name)
	if !known {
		return noOutput(t, "--uart", name)
	}
	baud, err := strconv.ParseUint(text, 10, 32)
	if err != nil || baud == 0 {
		return failure.Usagef("--uart %s: want LINE:BAUD, as in uo4:115200", d.UART)
	}
	clk, err := d.clk(t)
	if err != nil {
		return err
	}
	if d.uart, err = waveform.NewUART(line, clk, float64(baud)); err != nil {
		return fmt.Errorf("--uart: %w", err)
	}
	return nil
}

// clk returns the frequency of clk in hertz.
func (d *Decoding) clk(t tile.Tile) (float64, error) {
	about := gates.ProjectOf(t)
	hz, ok := transport.ParseFrequency(d.Clk)
	switch {
	case d.Clk == "" && about != nil && about.ClockHz > 0:
		return float64(about.ClockHz), nil
	case d.Clk == "":
		return 0, failure.Usagef("the author of %s states no clock: give --clk, as in --clk 25.175MHz", t.Name())
	case !ok || hz > 1e9:
		return 0, failure.Usagef("--clk %q: want a frequency of at most 1 GHz, as in 25.175MHz", d.Clk)
	}
	return hz, nil
}

// Begin creates the files, and returns a function that writes them, after Tell.
func (d *Decoding) Begin(out *files.Set) (func(*Decoding) error, error) {
	return files.Begin(out, files.Output[*Decoding]{Flag: "--vga", Path: d.VGA,
		Write: func(d *Decoding, w io.Writer) error { return d.picture.Write(w) }},
		files.Output[*Decoding]{Flag: "--wav", Path: d.WAV,
			Write: func(d *Decoding, w io.Writer) error { return d.pdm.Write(w) }})
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
		d.Wave = waveform.Near(r, around, around)
		d.Wave.First += r.Vector.Line - 1
		d.Wave.Of = d.capture.Skip + d.capture.Clocks
		d.Wave.Where = "inputs held after a reset; step n is clock n"
	}
	if r.Vector.Line == 0 && d.capture.Skip > 0 { // the next captured clock does not follow the reset
		return nil
	}
	for i, got := range r.Trace.Got {
		for _, one := range d.all {
			one.Clock(got, r.Trace.Want[i])
		}
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
	if d.pdm != nil {
		said = append(said, fmt.Sprintf("%s: %s", d.WAV, d.pdm))
	}
	if d.uart != nil {
		said = append(said, "text: "+d.uart.String())
		for line := range strings.Lines(string(d.uart.Text)) {
			said = append(said, "  "+printable.Text(strings.TrimRight(line, "\r\n")))
		}
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
