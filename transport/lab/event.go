package lab

import (
	"fmt"
	"strings"
	"time"

	"utfbench/internal/printable"
)

// An Event is a change in a lab worth reporting to people.
type Event struct {
	Number uint64 // from 1
	At     time.Time
	Host   string // "" for the server itself
	Board  string // "" for the whole host
	What   string // as in "is free"
	Run    int    // in the lab's history, or 0
}

// String formats the event as one line.
func (e Event) String() string { return strings.TrimSpace(e.Of() + "  " + e.Words()) }

// Of returns the event's subject; "" for the server itself.
func (e Event) Of() string {
	if e.Board != "" {
		return printable.Text(e.Host + "/" + e.Board)
	}
	return printable.Text(e.Host)
}

// Words describes the event.
func (e Event) Words() string { return printable.Text(e.What) }

// Standing describes a board's state, with its holder, or the reason why it is gone or was faulty.
func Standing(b *Board) string {
	text := string(b.State)
	switch {
	case b.State == Taken && b.Holder != nil:
		text += ": " + b.Holder.String()
	case b.Reason != "":
		text += ": " + b.Reason
	}
	if b.Queue > 0 {
		text += fmt.Sprintf(", waiting: %d", b.Queue)
	}
	return text
}
