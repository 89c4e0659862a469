package timing

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"utfbench/internal/files"
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

// Keep writes a calibration.
func (r *Report) Keep(out *files.Set, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("--calibrate: %w", err)
	}
	file, err := out.Create("--calibrate", path, 0)
	if err != nil {
		return err
	}
	return r.JSON(file)
}

// Calibration reads a calibration, or returns nil without one. It notes and ignores one that is too old.
func Calibration(note io.Writer, path string, now time.Time) (*Report, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	r, err := ReadFile("reference", path)
	if err != nil {
		return nil, fmt.Errorf("the calibration of this device: %w; measure it again with --tile factory "+
			"--calibrate, or use --reference none", err)
	}
	if now.After(r.Until()) {
		fmt.Fprintf(note, "the calibration of this device, of %s, is too old: measure it again with bench "+
			"timing --tile factory --calibrate\n", r.Made.Format(time.DateOnly))
		return nil, nil
	}
	return r, nil
}

// ReadFile reads a file of bench timing --json; flag names it.
func ReadFile(flag, path string) (*Report, error) {
	f, err := files.Timing.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	defer f.Close()
	r, err := ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("--%s %s: %w", flag, path, err)
	}
	return r, nil
}
