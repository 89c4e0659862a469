package timing

import (
	"net/url"
	"path/filepath"
	"time"
)

// # Calibrations
//
// A measurement at the bench includes the board: its pads, the shuttle's mux, the cable. The factory test is on every
// shuttle and has almost no logic between clk and its outputs, so its delays are the board's; they are kept by device,
// as another Report. The mux routes each tile differently, so a tile's delay is known only to within Route on either
// side.

// Route is the longest delay of a tile's route through the mux, in and out: 5 ns and 12.5 ns (Tiny Tapeout's
// constraints, signoff.sdc of tt-multiplexer), rounded up to a nanosecond. The shortest is taken as 0.
const Route = 18 * time.Nanosecond

// Lasting is the time for which a calibration is valid. Board and cable stay, but the carrier may be changed.
const Lasting = 180 * 24 * time.Hour

// Until returns when a report expires as a calibration.
func (r *Report) Until() time.Time { return r.Made.Add(Lasting) }

// CalibrationFile returns the path of a device's calibration, below a data folder.
func CalibrationFile(folder, device string) string {
	return filepath.Join(folder, "calibrations", url.PathEscape(device)+".json")
}

// band returns the limits of a line's delay in the tile itself, by the factory test on this device; ok is false unless
// both were measured.
func (r *Report) band(l *Line) (least, most time.Duration, ok bool) {
	o, ok := r.referenceOf(l)
	if !ok || !r.Calibrated {
		return 0, 0, false
	}
	return max(0, l.Least-o.Most-Route), max(0, l.Most-o.Least+Route), true
}
