package server

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"utfbench/internal/printable"
	"utfbench/transport/lab"
)

// An Event is something that people want to know of a lab.
type Event struct {
	Number uint64 // from 1
	At     time.Time
	Host   string // "" for the server itself
	Board  string // "" for the whole host
	What   string // as in "is free"
}

// String is a line.
func (e Event) String() string { return strings.TrimSpace(e.Of() + "  " + e.Words()) }

// Of is what it is about; "" for the server itself.
func (e Event) Of() string {
	if e.Board != "" {
		return printable.Text(e.Host + "/" + e.Board)
	}
	return printable.Text(e.Host)
}

// Words are what happened.
func (e Event) Words() string { return printable.Text(e.What) }

// heard is what is new in what a host says.
func heard(old *seat, now *lab.Report) (events []Event) {
	switch here := !now.Left; {
	case here && (old.left() || old.silent || old.report.Instance != now.Instance):
		events = append(events, Event{Host: now.Host, What: fmt.Sprintf("is here: boards %d, machine %s, bench %s",
			len(now.Boards), now.Machine, now.Bench)})
	case !here && !old.left():
		return []Event{{Host: now.Host, What: "left"}}
	}
	before := map[string]*lab.Board{}
	for i := range old.report.Boards {
		before[old.report.Boards[i].Name] = &old.report.Boards[i]
	}
	for i := range now.Boards {
		b := &now.Boards[i]
		if was := before[b.Name]; was == nil || old.silent || differs(was, b) {
			events = append(events, Event{Host: b.Host, Board: b.Name, What: "is " + Standing(b)})
		}
		delete(before, b.Name)
	}
	for i := range old.report.Boards {
		if name := old.report.Boards[i].Name; before[name] != nil {
			events = append(events, Event{Host: now.Host, Board: name, What: "is offered no more"})
		}
	}
	return events
}

// differs says whether a board is free, gone or somebody's, and was not before.
func differs(a, b *lab.Board) bool {
	return a.State != b.State || a.Reason != b.Reason || b.State == lab.Taken && holder(a) != holder(b)
}

func holder(b *lab.Board) lab.Holder {
	if b.Holder == nil {
		return lab.Holder{}
	}
	return *b.Holder
}

// Standing is the state of a board in words, with who has it, why it is gone, or what was wrong with it.
func Standing(b *lab.Board) string {
	text := string(b.State)
	switch {
	case b.State == lab.Taken && b.Holder != nil:
		text += ": " + b.Holder.String()
	case b.Reason != "":
		text += ": " + b.Reason
	}
	if b.Queue > 0 {
		text += fmt.Sprintf(", waiting: %d", b.Queue)
	}
	return text
}

// seldom is for what may come again and again, and is told now and then.
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
