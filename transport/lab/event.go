package lab

import (
	"encoding/json"
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

// A Progress is the progress of a taken board's user.
type Progress struct {
	Steps     uint64 `json:"steps"`            // executed by the host since the board was taken
	PerSecond uint64 `json:"steps_per_second"` // recently
	Run       *Run   `json:"run,omitempty"`    // from the user's bench, or nil
}

// A Run is the progress of a user's run, for observers. Its holder may send it with a heartbeat.
type Run struct {
	Done     int    `json:"done"`            // executions of vectors, or Units
	Of       int    `json:"of"`              // in total; 0 if unknown
	Unit     string `json:"unit,omitempty"`  // such as "blocks"; "" for executions
	Verdicts string `json:"verdicts"`        // summary such as "PASS 12, FAIL 1"; may be empty
	First    string `json:"first,omitempty"` // the first failure, in one line

	// Around holds the steps around the first divergence, as packed by package waveform. The host stores them for
	// queries (Picture), and reports only that it has them.
	Around json.RawMessage `json:"around,omitempty"`
	Drawn  bool            `json:"drawn,omitempty"`
}

// MaxRun is the maximum size of an encoded Run, in bytes.
const MaxRun = 8 << 10
