package station

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/stream"
	"utfbench/tile"
	"utfbench/tile/project"
	"utfbench/transport"
)

// MostClocks is the maximum of Capture.Clocks and Skip.
const MostClocks = 1 << 30

// A Decoding selects the outputs of a stream; an empty field omits its output.
type Decoding struct {
	VGA, WAV string // files
	Line     string // for WAV
	UART     string // LINE:BAUD
	Clk      string // a frequency; "" is the author's

	vga     *stream.VGA
	pdm     *stream.PDM
	uart    *stream.UART
	picture *stream.Picture
}

// Decoders returns the decoders for a stream of a tile. The error is bad input.
func (d *Decoding) Decoders(t tile.Tile, clocks int) (all []stream.Decoder, err error) {
	if d.VGA != "" {
		if clocks > stream.MostPictured {
			return nil, failure.Usagef("--vga: a picture is of %d clocks at most, and --clocks is %d",
				stream.MostPictured, clocks)
		}
		d.vga = new(stream.VGA)
		all = append(all, d.vga)
	}
	if d.WAV != "" {
		line, known := transport.OutputNamed(d.Line)
		if !known {
			return nil, noOutput(t, "--line", d.Line)
		}
		clk, err := d.clk(t)
		if err != nil {
			return nil, err
		}
		if d.pdm, err = stream.NewPDM(line, clk); err != nil {
			return nil, fmt.Errorf("--wav: %w", err)
		}
		all = append(all, d.pdm)
	}
	if d.UART != "" {
		if err := d.serial(t); err != nil {
			return nil, err
		}
		all = append(all, d.uart)
	}
	return all, nil
}

// noOutput returns an error that names the tile's outputs with the author's name, if any, instead of a line.
func noOutput(t tile.Tile, flag, name string) error {
	hint := ""
	if about := project.Of(t); about != nil {
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
	if d.uart, err = stream.NewUART(line, clk, float64(baud)); err != nil {
		return fmt.Errorf("--uart: %w", err)
	}
	return nil
}

// clk returns the frequency of clk in hertz.
func (d *Decoding) clk(t tile.Tile) (float64, error) {
	about := project.Of(t)
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
	return files.Begin(out,
		files.Output[*Decoding]{Flag: "--vga", Path: d.VGA,
			Write: func(d *Decoding, w io.Writer) error { return d.picture.Write(w) }},
		files.Output[*Decoding]{Flag: "--wav", Path: d.WAV,
			Write: func(d *Decoding, w io.Writer) error { return d.pdm.Write(w) }})
}

// Tell describes the pictures, sounds and texts of a capture, and its first wrong clock. The error says why the
// outputs are no picture.
func (d *Decoding) Tell(c *Capture) (said []string, err error) {
	said = c.Explain()
	if d.vga != nil {
		raster, err := d.vga.Raster()
		if err != nil {
			return said, fmt.Errorf("--vga: %w", err)
		}
		if c.First != nil {
			if at, is := c.decoded(c.Clock()); is {
				said = append(said, "        "+raster.Place(at).String())
			}
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
	return said, nil
}
