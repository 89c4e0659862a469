package page

import (
	"context"
	"errors"
	"sync"
	"time"

	"utfbench/runs/history"
	"utfbench/transport/lab"
)

// A Solo is a lab of one board, for a bench that shows its own run without a server or a host.
type Solo struct {
	Progress func() *lab.Progress // the run's progress; nil before it begins
	Ended    func()               // stops the run on a user's request
	Past     *history.History     // the user's; nil for none

	host    lab.Host
	key     string // of the user
	mu      sync.Mutex
	board   lab.Board
	events  []lab.Event // the newest first
	changed chan struct{}
}

var _ Lab = (*Solo)(nil)

// NewSolo returns the lab of a board in use.
func NewSolo(b lab.Board, h lab.Host) *Solo {
	h.Name, h.Boards, h.Here = b.Host, 1, true
	return &Solo{board: b, host: h, key: b.Holder.Key, changed: make(chan struct{})}
}

// Change notifies followers of progress.
func (s *Solo) Change() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notify()
}

// notify must be called with the lock held.
func (s *Solo) notify() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Tell publishes an event. At the end of the run, end, the board becomes free.
func (s *Solo) Tell(what string, end bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := lab.Event{Number: uint64(len(s.events) + 1), At: time.Now(), Host: s.board.Host, Board: s.board.Name,
		What: what}
	s.events = append([]lab.Event{e}, s.events...)
	if end {
		s.board.State, s.board.Holder, s.board.Reason = lab.Free, nil, what
	}
	s.notify()
}

// Boards implements Lab.
func (s *Solo) Boards() lab.List {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.board
	b.Progress = s.Progress()
	return lab.List{Boards: []lab.Board{b}}
}

// Hosts implements Lab.
func (s *Solo) Hosts() []lab.Host { return []lab.Host{s.host} }

// Events implements Lab.
func (s *Solo) Events() []lab.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events // never modified
}

// Changed implements Lab.
func (s *Solo) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// Key implements Lab. Only the user has a key.
func (s *Solo) Key(name string) string {
	if name == s.key {
		return name
	}
	return ""
}

// Around implements Lab.
func (s *Solo) Around(context.Context, *lab.Board) ([]byte, error) {
	if p := s.Progress(); p != nil && p.Run != nil && p.Run.Around != nil {
		return p.Run.Around, nil
	}
	return nil, errors.New("no failing run is in progress here")
}

// History implements Lab.
func (s *Solo) History() *history.History { return s.Past }

// Stop implements Lab.
func (s *Solo) Stop(_ context.Context, _ *lab.Board, by string) error {
	s.Tell("was stopped from the page by "+by, false)
	s.Ended()
	return nil
}
