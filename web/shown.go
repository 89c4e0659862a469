package web

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/runs/export"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile"
)

// showEvery is the interval of progress events. Ten per second look smooth.
const showEvery = 100 * time.Millisecond

// shown is a reporter that sends the events of a run to the page.
type shown struct {
	session  *Session
	chip     *station.Chip
	run      report.Run
	done     ProgressEvent
	verdicts driver.Counts
	told     time.Time // when the last progress event was sent
	failed   bool      // the first failure was sent
}

func (s *shown) Start(r report.Run) error {
	s.run, s.done.Of = r, r.Vectors*max(1, r.Iterations)
	s.session.Send(Event{Kind: "opened", Value: &OpenedEvent{Chip: r.Transport, Board: s.chip.Board.Name,
		Firmware: r.Firmware, Reference: r.Reference(), Vectors: r.Vectors, Count: r.Iterations,
		Notes: append([]string{}, r.Notes...)}})
	return nil
}

func (s *shown) Result(r *driver.Result) error {
	s.done.Done++
	s.done.Steps += uint64(r.Steps)
	s.verdicts[r.Verdict]++
	if !s.failed && r.Verdict.Row().Detailed {
		s.failed = true
		s.failure(r)
	}
	if now := time.Now(); now.Sub(s.told) >= showEvery {
		s.told = now
		s.progress()
	}
	return nil
}

func (s *shown) End(o report.Outcome) error {
	value := judged(&s.run, o)
	s.session.Send(Event{Kind: "judged", Value: &value})
	s.progress()
	return nil
}

func (s *shown) progress() {
	now, counts := s.done, []string(nil)
	for _, v := range s.verdicts.Columns() {
		counts = append(counts, fmt.Sprintf("%s %d", v, s.verdicts[v]))
	}
	now.Verdicts = strings.Join(counts, ", ")
	s.session.Send(Event{Kind: "progress", Value: &now})
	if s.session.Pause != nil {
		s.session.Pause()
	}
}

// failure sends the first failure, with a waveform if a step differs.
func (s *shown) failure(r *driver.Result) {
	if r.FirstMismatch == nil {
		s.session.Send(Event{Kind: "failure", Value: &FailureEvent{Text: r.Vector.Name + ": " + r.Reason}})
		return
	}
	e := Event{Kind: "failure", Value: &FailureEvent{Text: fmt.Sprintf("%s, step %d, %s: %s", r.Vector.Name,
		r.FirstMismatch.Index+1, tile.Describe(r.Tile, r.FirstMismatch.Step), report.DescribeDivergence(r))}}
	var svg bytes.Buffer
	if r.Trace != nil && export.WriteSVG(&svg, export.AroundDivergence(r)) == nil {
		e.Files = []File{{"waveform.svg", "image/svg+xml", svg.Bytes()}}
	}
	s.session.Send(e)
}
