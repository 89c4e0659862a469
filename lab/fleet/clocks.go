package fleet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"utfbench/cause/timing"
	"utfbench/driver"
	"utfbench/runs/lot"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile"
	"utfbench/transport"
)

// speedyJobs selects a few vectors for measuring speed, once per revision, since the selection is slow.
type speedyJobs struct {
	from []driver.Job
	mu   sync.Mutex
	of   map[string][]driver.Job // by revision
}

func (s *speedyJobs) jobs(t tile.Tile) ([]driver.Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if jobs, is := s.of[t.Revision()]; is {
		return jobs, nil
	}
	jobs, err := timing.Choose(t, s.from)
	if err == nil {
		s.of[t.Revision()] = jobs
	}
	return jobs, err
}

// time measures the speed of a judged chip, unless it failed step by step, which speed does not explain.
func (s *speedyJobs) time(ctx context.Context, c *station.Chip, v driver.Verdict) *lot.Timing {
	switch fast := c.Speed() != nil; {
	case v == driver.Pass, fast && (v == driver.Fail || v == driver.Flaky):
	case v == driver.Fail, v == driver.Flaky:
		return &lot.Timing{Why: v.String() + " step by step, so its timing is not the cause"}
	default: // it was not judged
		return nil
	}
	began := time.Now()
	r, err := s.measure(ctx, c)
	t := &lot.Timing{Report: r, Took: time.Since(began)}
	if err != nil {
		t.Why = strings.TrimPrefix(err.Error(), fmt.Sprintf("%s: ", c.Transport))
		t.Trouble = !errors.Is(err, transport.ErrNoBursts) && !errors.Is(err, timing.ErrSlow) &&
			!errors.Is(err, timing.ErrNothing)
	}
	return t
}

// clockCount is the number of repetitions at each setting, as in bench timing.
const clockCount = 3

func (s *speedyJobs) measure(ctx context.Context, c *station.Chip) (*timing.Report, error) {
	player, fast := c.Transport.(*transport.Player)
	if !fast {
		var err error
		if player, err = transport.NewPlayer(ctx, c.Transport, transport.Timing{Period: time.Microsecond}); err != nil {
			return nil, err
		}
	}
	jobs, err := s.jobs(c.Tile)
	if err != nil {
		return nil, err
	}
	tell := native.Counted(c, "settings of the clock")
	r := timing.Runner{Player: player, Tile: c.Tile, Jobs: jobs, Count: clockCount,
		Progress: func(settings int) { tell(settings, 0, "") }}
	return r.Clocks(ctx)
}
