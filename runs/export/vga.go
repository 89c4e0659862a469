package export

import (
	"fmt"
	"slices"
	"sort"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// MaxPictureClocks is the maximum number of clocks of a VGA: 40 frames of 800 by 525.
const MaxPictureClocks = 1 << 24

// uo lines of Tiny Tapeout's VGA Pmod (tinytapeout.com/specs/pinouts), from uo0: R1 G1 B1 vsync R0 G0 B0 hsync
const (
	vsync uint8 = 1 << 3
	hsync uint8 = 1 << 7
)

// shown holds uo at a clock: the actual and the expected sample, each with its unknown bits.
type shown struct{ got, gotX, want, wantX uint8 }

func (s shown) wrong() uint8 { return (s.got ^ s.want | s.gotX) &^ s.wantX }

// A VGA collects samples of uo for a picture.
type VGA struct{ clocks []shown }

// PictureOutputs are the output lines of a picture.
const PictureOutputs transport.Outputs = 0xFF

// AddClock adds the sample after a clock, and the expected sample. It ignores clocks beyond MaxPictureClocks.
func (v *VGA) AddClock(got, want transport.Sample) {
	if len(v.clocks) < MaxPictureClocks {
		v.clocks = append(v.clocks, shown{got.Out, got.OutX, want.Out &^ want.OutX, want.OutX})
	}
}

// A mode is the timing of a common VGA mode: its total size, and the offset of the visible part from the syncs.
type mode struct {
	name          string
	clocks, lines int
	left, top     int
	width, height int
}

var modes = []mode{
	{"640x480", 800, 525, 144, 35, 640, 480},
	{"800x600", 1056, 628, 216, 27, 800, 600},
	{"1024x768", 1344, 806, 296, 35, 1024, 768},
}

// A Raster is a picture's geometry, inferred from its syncs: a row begins with hsync, a frame with the row of a vsync.
type Raster struct {
	vga    *VGA
	mode   mode
	per    int   // number of clocks per pixel
	rows   []int // the clock at which each row begins, extrapolated back to before the first hsync
	frames []int // the first row of each frame, likewise extrapolated
}

// Raster infers the geometry from the syncs that the chip has sent.
func (v *VGA) Raster() (*Raster, error) {
	rows, frames := v.pulses(hsync), v.pulses(vsync)
	r := &Raster{vga: v, per: 1}
	const need = "no picture: %s begins %d times, and it takes 2: more --clocks are needed, or these are not the " +
		"pins of Tiny VGA"
	switch {
	case len(rows) < 2:
		return nil, failure.Usagef(need, "hsync (uo7)", len(rows))
	case len(frames) < 2:
		return nil, failure.Usagef(need, "vsync (uo3)", len(frames))
	}
	clocks := usual(rows)
	r.rows = backTo0(rows, clocks)
	for i, at := range frames {
		frames[i] = r.row(at)
	}
	lines := usual(frames)
	if lines < 1 || lines*clocks > len(v.clocks) {
		return nil, failure.Usagef("no picture: hsync (uo7) and vsync (uo3) are irregular, so these are hardly the " +
			"pins of Tiny VGA")
	}
	r.frames = backTo0(frames, lines)
	r.mode = mode{clocks: clocks, lines: lines, width: clocks, height: lines}
	for _, m := range modes {
		if lines == m.lines && clocks%m.clocks == 0 {
			r.mode, r.per = m, clocks/m.clocks
		}
	}
	return r, nil
}

// pulses returns the clocks at which a line takes its rarer level. An unknown level counts as unchanged.
func (v *VGA) pulses(line uint8) (starts []int) {
	high, last := 0, false
	levels := make([]bool, len(v.clocks))
	for i, s := range v.clocks {
		if s.gotX&line == 0 {
			last = s.got&line != 0
		}
		if levels[i] = last; last {
			high++
		}
	}
	pulse := 2*high < len(levels)
	for i := 1; i < len(levels); i++ {
		if levels[i] == pulse && levels[i-1] != pulse {
			starts = append(starts, i)
		}
	}
	return starts
}

// backTo0 prepends numbers at a fixed distance, down to the first one that is not positive.
func backTo0(numbers []int, distance int) (all []int) {
	for at := numbers[0]; at > 0; {
		at -= distance
		all = append(all, at)
	}
	slices.Reverse(all)
	return append(all, numbers...)
}

// usual returns the most frequent distance between successive numbers.
func usual(of []int) (most int) {
	count := map[int]int{}
	for i := range of[1:] {
		d := of[i+1] - of[i]
		if count[d]++; count[d] > count[most] {
			most = d
		}
	}
	return most
}

func (r *Raster) row(clock int) int { return sort.SearchInts(r.rows, clock+1) - 1 }

// String describes the geometry.
func (r *Raster) String() string {
	text := fmt.Sprintf("%d clocks a line, %d lines a frame", r.mode.clocks*r.per, r.mode.lines)
	if r.mode.name == "" {
		return text + ", shown whole since it is no usual mode"
	}
	return r.mode.name + ": " + text
}

// A Place is the position of a clock in the picture. X and Y count from 0.
type Place struct {
	Frame   int // from 1; the first frame may be incomplete
	X, Y    int
	Blanked bool // outside of the visible part; X and Y then count from the beginning of the syncs
}

// Place returns the place of a clock. Clocks count from 0.
func (r *Raster) Place(clock int) Place {
	row := r.row(clock)
	frame := sort.SearchInts(r.frames, row+1) - 1
	p := Place{Frame: frame + 1, X: (clock - r.rows[row]) / r.per, Y: row - r.frames[frame]}
	x, y := p.X-r.mode.left, p.Y-r.mode.top
	if x < 0 || y < 0 || x >= r.mode.width || y >= r.mode.height {
		p.Blanked = true
		return p
	}
	p.X, p.Y = x, y
	return p
}

func (p Place) String() string {
	where := ""
	if p.Blanked {
		where = ", counted from the syncs, outside of the picture"
	}
	return fmt.Sprintf("frame %d, line %d, pixel %d%s", p.Frame, p.Y, p.X, where)
}
