package native

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"utfbench/cause/timing"
	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/station"
	"utfbench/transport"
)

// now returns the current time with the precision of measurement documents.
func now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// MeasureTiming measures a chip's timing at speed. It runs the vectors (only a choice of them if all is set) count
// times at each setting, and calls progress with the number of settings so far. bench is the version of the bench.
func MeasureTiming(ctx context.Context, c *station.Chip, bench string, jobs []driver.Job, all bool, count int,
	progress func(settings int)) (r *timing.Report, err error) {
	if all {
		if jobs, err = timing.ChooseJobs(ctx, c.Tile, jobs); err != nil {
			return nil, cmp.Or(ctx.Err(), failure.New(failure.Bench, err))
		}
	}
	if err := c.CheckBursts(ctx, jobs); err != nil {
		return nil, err
	}
	m := timing.Runner{Player: c.Transport.(*transport.Player), Tile: c.Tile, Jobs: jobs, Count: count,
		Progress: progress}
	if r, err = m.Measure(ctx); err != nil {
		return nil, err
	}
	r.Bench, r.Transport, r.Board = bench, c.StepTransport().String(), c.Board.Name
	r.Tile, r.Revision = c.Tile.Name(), c.Tile.Revision()
	r.Device, r.HasNoPads, r.Time = cmp.Or(c.Info.Device, c.Info.Kind), c.Info.Chipless(), now()
	return r, nil
}

// MeasureShmoo measures a shmoo on a chip, closes the chip, and completes the description of the grid with the version
// of the bench and the knobs of bursts that the user has set, or the one of pulse and settle that is held. begun
// reports whether the measurement began.
func MeasureShmoo(ctx context.Context, c *station.Chip, r *timing.ShmooRunner, grid *timing.Grid, bench string,
	said files.Tags, set func(knob string) bool) (begun bool, err error) {
	r.Transport, r.Tile = c.Transport, c.Tile
	if err := r.Check(grid); err != nil {
		return false, err
	}
	if err := c.CheckBursts(ctx, r.Jobs); err != nil {
		return false, err
	}
	grid.About = r.About(bench, c.Board.Name)
	a := &grid.About
	a.Tile, a.Device, a.NoChip, a.Time = c.Tile.Name(), c.Info.Device, c.Info.Chipless(), now()
	a.Transport, a.Tags = c.StepTransport().String(), c.MeasuredTags.With(said)
	for _, knob := range []string{transport.PeriodKnob, transport.SampleKnob, transport.LeadKnob} {
		if !set(knob) || knob == grid.X.Knob || knob == grid.Y.Knob { // it is the knob of an axis or depends on one
			delete(a.Tags, knob)
		}
	}
	held := map[string]string{"pulse": "settle", "settle": "pulse"}[grid.X.Knob]
	for _, k := range r.Knobs.Knobs() {
		if k.Name == held && held != grid.Y.Knob {
			a.Tags = a.Tags.With(files.Tags{held: k.Default.String()})
		}
	}
	err = r.Measure(ctx, grid)
	if cerr := c.Close(); cerr != nil && err == nil {
		err = fmt.Errorf("parking the chip: %w", cerr)
	}
	if trouble := grid.FirstBenchError(); err == nil && trouble != "" {
		err = fmt.Errorf("ERROR cells say nothing about the chip: %s", trouble)
	}
	return !errors.Is(err, timing.ErrNoVector), err
}
