package native

import (
	"sync/atomic"

	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/transport/lab"
)

// Followed returns reporters that show a run's progress to observers in a lab; none for other chips.
func Followed(c *station.Chip) report.All {
	p := new(station.Progress)
	if !Follow(c, func() lab.Run { return Standing(p.Now()) }) {
		return nil
	}
	return report.All{p}
}

// Standing returns a run's progress for observers.
func Standing(now station.Stand) lab.Run {
	run := lab.Run{Done: now.Done, Of: now.Of, Verdicts: now.Verdicts, First: now.First}
	if now.Around != nil {
		if text, err := now.Around.Pack(); err == nil && len(text) <= lab.MaxRun/2 {
			run.Around, run.Drawn = text, true
		}
	}
	return run
}

// Counted shows the progress of something other than a run to observers in a lab: at reports the number done, of a
// total (0 if unknown), and the results in words.
func Counted(c *station.Chip, unit string) (at func(done, of int, words string)) {
	var now atomic.Pointer[lab.Run]
	at = func(done, of int, words string) { now.Store(&lab.Run{Done: done, Of: of, Unit: unit, Verdicts: words}) }
	at(0, 0, "")
	Follow(c, func() lab.Run { return *now.Load() })
	return at
}
