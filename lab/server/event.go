package server

import (
	"fmt"
	"sync"
	"time"

	"utfbench/transport/lab"
)

// heard returns the news in a host's report.
func heard(old *seat, now *lab.Report) (events []lab.Event) {
	switch here := !now.Left; {
	case here && (old.left() || old.silent || old.report.Instance != now.Instance):
		events = append(events, lab.Event{Host: now.Host, What: fmt.Sprintf("is here: boards %d, machine %s, bench %s",
			len(now.Boards), now.Machine, now.Bench)})
	case !here && !old.left():
		return []lab.Event{{Host: now.Host, What: "left"}}
	}
	before := map[string]*lab.Board{}
	for i := range old.report.Boards {
		before[old.report.Boards[i].Name] = &old.report.Boards[i]
	}
	for i := range now.Boards {
		b := &now.Boards[i]
		if was := before[b.Name]; was == nil || old.silent || differs(was, b) {
			events = append(events, lab.Event{Host: b.Host, Board: b.Name, What: "is " + lab.Standing(b)})
		}
		delete(before, b.Name)
	}
	for i := range old.report.Boards {
		if name := old.report.Boards[i].Name; before[name] != nil {
			events = append(events, lab.Event{Host: now.Host, Board: name, What: "is no longer offered"})
		}
	}
	return events
}

// differs reports whether a board's state or holder has changed.
func differs(a, b *lab.Board) bool {
	return a.State != b.State || a.Reason != b.Reason || b.State == lab.Taken && holder(a) != holder(b)
}

func holder(b *lab.Board) lab.Holder {
	if b.Holder == nil {
		return lab.Holder{}
	}
	return *b.Holder
}

// seldom limits the rate of a recurring event.
type seldom struct {
	every time.Duration
	mu    sync.Mutex
	last  time.Time
}

func (s *seldom) now() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.last.IsZero() && time.Since(s.last) < s.every {
		return false
	}
	s.last = time.Now()
	return true
}
