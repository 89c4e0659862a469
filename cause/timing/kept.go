package timing

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"utfbench/internal/files"
)

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

// Calibration reads a calibration. It returns nil if there is none or, with a note, if it is too old.
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
