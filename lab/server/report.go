package server

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"utfbench/internal/printable"
	"utfbench/transport/lab"
)

// Limits of a host's texts: as much as people can read.
const (
	maxBoards = 1000 // of a host
	maxWords  = 400  // bytes of a text
	maxWord   = 80   // bytes of a name or a version
	maxCause  = 200  // bytes of a last verdict's cause, so that a list of all boards fits in a message
	maxQueue  = 10_000
)

// readReport reads a host's report, which is foreign: names must be valid, texts printable and short. It rejects
// whatever would break the list of all boards.
func readReport(host string, text []byte) (*lab.Report, error) {
	var r lab.Report
	if err := printable.Decode(text, &r); err != nil {
		return nil, fmt.Errorf("host %s sent an invalid report: %s", host, printable.Text(err.Error()))
	}
	if err := lab.CheckProtocol("host "+host, r.Protocol, short(r.Bench, maxWord)); err != nil {
		return nil, err
	}
	if err := checkReport(host, &r); err != nil {
		return nil, fmt.Errorf("host %s: %w", host, err)
	}
	return &r, nil
}

func checkReport(host string, r *lab.Report) error {
	switch {
	case r.Host != host:
		return fmt.Errorf("it calls itself %q, but a host must have the name of its key", short(r.Host, maxWord))
	case r.Instance == "" || len(r.Instance) > maxWord:
		return fmt.Errorf("its instance has %d bytes: 1 to %d are allowed", len(r.Instance), maxWord)
	case len(r.Boards) > maxBoards:
		return fmt.Errorf("it has %d boards: at most %d are allowed", len(r.Boards), maxBoards)
	}
	if r.Left {
		r.Boards = nil
	}
	r.Bench, r.Machine = short(r.Bench, maxWord), short(r.Machine, maxWord)
	seen := map[string]bool{}
	for i := range r.Boards {
		b := &r.Boards[i]
		if err := checkBoard(host, b); err != nil {
			return err
		}
		if seen[b.Name] {
			return fmt.Errorf("it has two boards called %s", b.Name)
		}
		seen[b.Name] = true
	}
	return nil
}

func checkBoard(host string, b *lab.Board) error {
	if err := lab.CheckName("the board", short(b.Name, maxWord)); err != nil {
		return err
	}
	switch {
	case b.Host != "" && b.Host != host:
		return fmt.Errorf("its board %s claims to be another host's", b.Name)
	case b.State != lab.Free && b.State != lab.Taken && b.State != lab.Gone:
		return fmt.Errorf("its board %s is %q: allowed are %s, %s and %s", b.Name, short(string(b.State), maxWord),
			lab.Free, lab.Taken, lab.Gone)
	case b.Queue < 0 || b.Queue > maxQueue:
		return fmt.Errorf("%d wait for its board %s: 0 to %d are allowed", b.Queue, b.Name, maxQueue)
	}
	b.Host, b.Last = host, nil // only the server knows the latter
	b.Kind, b.What, b.Reason = short(b.Kind, maxWord), short(b.What, maxWords), short(b.Reason, maxWords)
	if b.State != lab.Taken {
		b.Progress = nil
	}
	if p := b.Progress; p != nil && p.Run != nil {
		p.Run.Done, p.Run.Of, p.Run.Around = max(0, p.Run.Done), max(0, p.Run.Of), nil
		p.Run.Verdicts, p.Run.First = short(p.Run.Verdicts, maxWords), short(p.Run.First, maxWords)
		p.Run.Unit = short(p.Run.Unit, maxWord)
	}
	if h := b.Holder; h != nil {
		h.Key, h.Who, h.Does = short(h.Key, maxWord), short(h.Who, maxWord), short(h.Does, maxWords)
		return checkTime(h)
	}
	return nil
}

// checkTime rejects a time that can be decoded but not encoded.
func checkTime(h *lab.Holder) error {
	h.Since = h.Since.UTC().Round(0)
	if y := h.Since.Year(); y < 1 || y > 9998 { // time.Local may add a day
		return errors.New("a board is taken since an invalid time")
	}
	h.Since = h.Since.Truncate(time.Millisecond)
	return nil
}

// short cuts a text to a length in bytes.
func short(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	const more = "…"
	return strings.ToValidUTF8(text[:limit-len(more)], "") + more
}
