package timing

import (
	"net/url"
	"path/filepath"
	"time"
)

// # Calibrations
//
// What is measured at the bench's end has the board in it: its pads, the shuttle's mux, the cable. The factory test is
// on every shuttle and has next to nothing between clk and its outputs. What it takes is kept by device, as another
// Report. It is not the share of another tile to a nanosecond, since the mux gives each tile a route of its own: so a
// tile's delay is known only within Route on either side.

// Route is the longest route of a tile through the mux, in and out: 5 ns and 12.5 ns (Tiny Tapeout's constraints,
// signoff.sdc of tt-multiplexer), to the next nanosecond. The shortest is taken for 0.
const Route = 18 * time.Nanosecond

// Lasting is how long a calibration is valid. Board and cable stay; the carrier may be changed.
const Lasting = 180 * 24 * time.Hour

// Until returns when a report expires as a calibration.
func (r *Report) Until() time.Time { return r.Made.Add(Lasting) }

// CalibrationFile returns the path of a device's calibration, below a data folder.
func CalibrationFile(folder, device string) string {
	return filepath.Join(folder, "calibrations", url.PathEscape(device)+".json")
}

// band returns the limits of a line's delay in the tile alone, by the factory test on this device; ok is false unless
// both were measured.
func (r *Report) band(l *Line) (least, most time.Duration, ok bool) {
	o, ok := r.referenceOf(l)
	if !ok || !r.Calibrated {
		return 0, 0, false
	}
	return max(0, l.Least-o.Most-Route), max(0, l.Most-o.Least+Route), true
}
