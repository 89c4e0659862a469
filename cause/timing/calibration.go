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

// Lasting is for how long a calibration is used. Board and cable stay what they are; the carrier may have been changed.
const Lasting = 180 * 24 * time.Hour

// Until is when a report is too old to calibrate by.
func (r *Report) Until() time.Time { return r.Made.Add(Lasting) }

// CalibrationFile is where that of a device is, below a folder for data.
func CalibrationFile(folder, device string) string {
	return filepath.Join(folder, "calibrations", url.PathEscape(device)+".json")
}
