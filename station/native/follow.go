package native

import (
	"sync/atomic"

	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/transport/lab"
)

// Followed returns the reporters that tell those who look on in a lab how far a run is; none for every other chip.
func Followed(c *station.Chip) report.All {
	p := new(report.Progress)
	if !Follow(c, func() lab.Run { return Standing(p.Now()) }) {
		return nil
	}
	return report.All{p}
}

// Standing returns how far a run is, for those who look on.
func Standing(now report.Stand) lab.Run {
	run := lab.Run{Done: now.Done, Of: now.Of, Verdicts: now.Verdicts, First: now.First}
	if now.Around != nil {
		if text, err := now.Around.Pack(); err == nil && len(text) <= lab.MaxRun/2 {
			run.Around, run.Drawn = text, true
		}
	}
	return run
}

// Counted has those who look on in a lab told how far something is that is no run: at says so many of a unit are done,
// of so many (0 is not known), and what came of them in words.
func Counted(c *station.Chip, unit string) (at func(done, of int, words string)) {
	var now atomic.Pointer[lab.Run]
	at = func(done, of int, words string) { now.Store(&lab.Run{Done: done, Of: of, Unit: unit, Verdicts: words}) }
	at(0, 0, "")
	Follow(c, func() lab.Run { return *now.Load() })
	return at
}
