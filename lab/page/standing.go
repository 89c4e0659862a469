package page

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/runs/history"
	"utfbench/transport/lab"
)

// A Standing is a board's last verdict in the lab's history. A run that judged nothing does not replace an earlier one.
type Standing struct {
	lab.Last
	Board string // HOST/NAME
	Rate  float64
}

// Bad reports whether the board needs attention.
func (s *Standing) Bad() bool {
	return s != nil && s.Verdict != driver.Pass.String() && !void(s.Verdict)
}

// void reports whether a verdict says nothing about a board: the run was aborted, or skipped everything.
func void(verdict string) bool {
	return verdict == driver.Aborted.String() || verdict == driver.Skipped.String()
}

// Standings tracks the standings of all boards. It reads only new runs of a history.
type Standings struct {
	Lab Lab

	mu   sync.Mutex
	of   *history.History
	upTo int // the latest run read
	last map[string]*Standing
}

// mostRead limits the runs read from an existing history.
const mostRead = 20_000

// Now returns the standing of each board by name. Callers must not modify it.
func (s *Standings) Now() map[string]*Standing {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.Lab.History()
	if h == nil {
		return nil
	}
	if h != s.of {
		s.of, s.upTo, s.last = h, 0, map[string]*Standing{}
	}
	runs := map[string]*history.Run{}
	upTo := s.upTo
	for r, err := range h.Runs(history.Filter{Last: mostRead}) {
		if err != nil || r.Number <= s.upTo {
			break // the rest was read; the list of runs reports read errors
		}
		upTo = max(upTo, r.Number)
		board, _ := history.Place(r.Start.Transport)
		if last := runs[board]; r.End != nil && (last == nil || void(last.End.Verdict) && !void(r.End.Verdict)) {
			runs[board] = r
		}
	}
	s.upTo, s.last = upTo, maps.Clone(s.last) // readers have the old map
	for board, r := range runs {
		if s.last[board] == nil || !void(r.End.Verdict) {
			s.last[board] = standingOf(h, r, board)
		}
	}
	return s.last
}

// Last returns the last verdict of each board by name.
func (s *Standings) Last() map[string]*lab.Last {
	all := map[string]*lab.Last{}
	for board, is := range s.Now() {
		all[board] = &is.Last
	}
	return all
}

func standingOf(h *history.History, r *history.Run, board string) *Standing {
	s := &Standing{Board: board, Last: lab.Last{Verdict: r.End.Verdict, Run: r.Number, By: r.By, Ended: r.Ended(),
		Cause: r.End.Trouble}}
	if r.End.Seconds > 0 {
		s.Rate = float64(r.End.Steps) / r.End.Seconds
	}
	if s.Cause == "" && s.Bad() {
		if wrong, err := h.Vectors(r.Number); err == nil && len(wrong) > 0 {
			s.Cause = wrong[0].Name + ": " + wrong[0].Mismatch
		}
	}
	s.Cause = printable.Text(s.Cause)
	return s
}

// Turned calls to for each board with a verdict that turned bad, until ended is closed. Initially bad boards are not
// reported.
func (s *Standings) Turned(ended <-chan struct{}, to func(*Standing)) {
	before := s.Now()
	for {
		changed := s.Lab.Changed()
		now := s.Now()
		for _, is := range turnedBad(before, now) {
			to(is)
		}
		before = now
		select {
		case <-ended:
			return
		case <-changed:
		}
	}
}

// turnedBad returns the boards that are bad now and were not before.
func turnedBad(before, now map[string]*Standing) (all []*Standing) {
	for board, is := range now {
		if is.Bad() && !before[board].Bad() {
			all = append(all, is)
		}
	}
	return all
}

// grave returns the order of boards on the page: failing, gone, others.
func grave(b *lab.Board, s *Standing) int {
	switch {
	case s.Bad():
		return 0
	case b.State == lab.Gone:
		return 1
	}
	return 2
}

// worstFirst sorts boards by gravity.
func worstFirst(boards []lab.Board, standing map[string]*Standing) {
	slices.SortStableFunc(boards, func(a, b lab.Board) int {
		return grave(&a, standing[a.String()]) - grave(&b, standing[b.String()])
	})
}

func (s *Standing) badge() string {
	if s == nil {
		return ""
	}
	return strings.ToLower(s.Verdict)
}
