package main

import (
	"sync/atomic"

	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/transport/lab"
)

// followed are the reporters that tell those who look on in a lab how far a run is; none for every other chip.
func followed(c *station.Chip) report.All {
	p := new(report.Progress)
	if !native.Follow(c, func() lab.Run { return standing(p.Now()) }) {
		return nil
	}
	return report.All{p}
}

// standing is how far a run is, for those who look on.
func standing(now report.Stand) lab.Run {
	run := lab.Run{Done: now.Done, Of: now.Of, Verdicts: now.Verdicts, First: now.First}
	if now.Around != nil {
		if text, err := now.Around.Pack(); err == nil && len(text) <= lab.MaxRun/2 {
			run.Around, run.Drawn = text, true
		}
	}
	return run
}

// counted has those who look on in a lab told how far something is that is no run: at says so many of a unit are done,
// of so many (0 is not known), and what came of them in words.
func counted(c *station.Chip, unit string) (at func(done, of int, words string)) {
	var now atomic.Pointer[lab.Run]
	at = func(done, of int, words string) { now.Store(&lab.Run{Done: done, Of: of, Unit: unit, Verdicts: words}) }
	at(0, 0, "")
	native.Follow(c, func() lab.Run { return *now.Load() })
	return at
}
