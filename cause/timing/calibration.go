package timing

import (
	"net/url"
	"path/filepath"
	"time"
)

// # Calibrations
//
// What is measured at the bench's end has the board in it: its pads, its mux, the cable. The factory test is on every
// shuttle and has next to nothing between clk and its outputs, so what it takes is the board's share. It is kept by
// device, as another Report, and subtracted line by line.

// Lasting is how long a calibration is valid. Board and cable stay; the carrier may be changed.
const Lasting = 180 * 24 * time.Hour

// Until returns when a report expires as a calibration.
func (r *Report) Until() time.Time { return r.Made.Add(Lasting) }

// CalibrationFile returns the path of a device's calibration, below a data folder.
func CalibrationFile(folder, device string) string {
	return filepath.Join(folder, "calibrations", url.PathEscape(device)+".json")
}
