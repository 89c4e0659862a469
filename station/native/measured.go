package native

import (
	"cmp"
	"path/filepath"
	"time"

	"utfbench/cause/shmoo"
	"utfbench/cause/timing"
	"utfbench/internal/tags"
	"utfbench/runs/history"
	"utfbench/station"
	"utfbench/tile/project"
	"utfbench/transport/burst"
)

// Now returns the time of a measurement.
func Now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// Timed completes a report with the chip that it is about, for a version of the bench.
func Timed(r *timing.Report, c *station.Chip, bench string) (err error) {
	r.Bench, r.Transport, r.Board = bench, c.Slow().String(), c.Board.Name
	r.Tile, r.Revision = c.Tile.Name(), c.Tile.Revision()
	r.Device, r.Made = cmp.Or(c.Asked.Device, c.Asked.Kind), Now()
	if about := project.Of(c.Tile); about != nil {
		r.Predicted, err = about.Prediction()
	}
	return err
}

// CalibrationFile returns the file of a device's calibration.
func CalibrationFile(device string) (string, error) {
	of, err := history.File()
	return timing.CalibrationFile(filepath.Dir(of), device), err
}

// Drawn completes the description of a shmoo with the chip that it is about, and with the user's tags; knobs are the
// times of bursts that the user has set, and no axis.
func Drawn(a *shmoo.About, c *station.Chip, said tags.Set, set func(knob string) bool) {
	a.Tile, a.Device, a.Made = c.Tile.Name(), c.Asked.Device, Now()
	a.Transport, a.Tags = c.Slow().String(), c.Measured.With(said)
	for _, knob := range []string{burst.Period, burst.Sample, burst.Lead} {
		if !set(knob) { // it is an axis, or follows from one
			delete(a.Tags, knob)
		}
	}
}
