package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"utfbench/cause/timing"
	"utfbench/internal/files"
	"utfbench/runs/history"
)

// noReference is what --reference takes for none, and factoryTile the design that a board is calibrated by.
const noReference, factoryTile = "none", "factory"

// now returns the time of a measurement.
func now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// dataFolder returns the folder for data other than runs, beside the history.
func dataFolder() (string, error) {
	file, err := history.File()
	return filepath.Dir(file), err
}

// keep writes a calibration.
func keep(out *files.Set, path string, r *timing.Report) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("--calibrate: %w", err)
	}
	file, err := out.Create("--calibrate", path, 0)
	if err != nil {
		return err
	}
	if err := r.JSON(file); err != nil {
		return benchFault(err)
	}
	return nil
}

// calibration reads an existing, recent calibration, and notes its use.
func calibration(w io.Writer, path string, now time.Time) (*timing.Report, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	r, err := readTiming("reference", path)
	if err != nil {
		return nil, fmt.Errorf("the calibration of this device: %w; measure it again with --tile factory "+
			"--calibrate, or go on with --reference none", err)
	}
	if now.After(r.Until()) {
		fmt.Fprintf(w, "the calibration of this device is of %s, which is too old: measure it again with bench timing "+
			"--tile factory --calibrate\n", r.Made.Format(time.DateOnly))
		return nil, nil
	}
	return r, nil
}

// readTiming reads a file of bench timing --json; nil without one.
func readTiming(flag, path string) (*timing.Report, error) {
	if path == "" {
		return nil, nil
	}
	f, err := files.Timing.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	defer f.Close()
	r, err := timing.ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("--%s %s: %w", flag, path, err)
	}
	return r, nil
}
