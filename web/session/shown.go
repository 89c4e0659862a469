package session

import (
	"bytes"
	"time"

	"utfbench/driver"
	"utfbench/runs/report"
	"utfbench/runs/waveform"
	"utfbench/station"
)

// showEvery is the interval of progress events; ten per second look smooth.
const showEvery = 100 * time.Millisecond

// A shown sends the events of a run to the page.
type shown struct {
	station.Progress
	session *Session
	chip    *station.Chip
	run     report.Run
	told    time.Time // time of the last progress event
	failed  bool      // the first failure was sent
}

func (s *shown) Start(r report.Run) error {
	s.run = r
	s.session.Send(Event{Kind: "opened", Value: &OpenedEvent{Chip: r.Transport, Board: s.chip.Board.Name,
		Firmware: r.Firmware, Reference: r.Reference(), Vectors: r.Vectors, Count: r.Count,
		Notes: append([]string{}, r.Notes...)}})
	return s.Progress.Start(r)
}

func (s *shown) Result(r *driver.Result) error {
	err := s.Progress.Result(r)
	if !s.failed && (r.Verdict == driver.Fail || r.Verdict == driver.Error) {
		s.failed = true
		s.failure()
	}
	if now := time.Now(); now.Sub(s.told) >= showEvery {
		s.told = now
		s.progress()
	}
	return err
}

func (s *shown) End(o report.Outcome) error {
	value := judged(&s.run, o)
	s.session.Send(Event{Kind: "judged", Value: &value})
	s.progress()
	return nil
}

func (s *shown) progress() {
	now := s.Snapshot()
	s.session.Send(Event{Kind: "progress",
		Value: &ProgressEvent{Done: now.Done, Of: now.Of, Steps: now.Steps, Verdicts: now.Verdicts}})
	if s.session.Pause != nil {
		s.session.Pause()
	}
}

// failure sends the first failure, with a waveform if a step differs.
func (s *shown) failure() {
	now := s.Snapshot()
	e := Event{Kind: "failure", Value: &FailureEvent{Text: now.First}}
	var svg bytes.Buffer
	if now.Around != nil && waveform.SVG(&svg, now.Around) == nil {
		e.Files = []File{{"waveform.svg", "image/svg+xml", svg.Bytes()}}
	}
	s.session.Send(e)
}
