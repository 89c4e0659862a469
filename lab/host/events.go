package host

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"utfbench/driver"
	"utfbench/lab"
	"utfbench/runs/report"
)

// Limits of a run's events, which are for somebody who looks on; the recording has everything.
const (
	mostShown  = 100 // vectors that are not PASS
	eventsTime = time.Second
)

// events is a reporter that publishes the run's events: its start, vectors that are not PASS, how far it is, and its
// end. Nothing waits for them, and a lost one costs nothing.
type events struct {
	ctx     context.Context
	store   *lab.Store
	subject string

	stream      *report.JSON
	text        bytes.Buffer
	shown, done int
	of          int
	last        time.Time
}

// A progress is the event that says how far a run is.
type progress struct {
	Event string `json:"event"` // "progress"
	Done  int    `json:"done"`
	Of    int    `json:"of"`
}

// Start implements report.Reporter.
func (e *events) Start(r report.Run) error {
	e.stream, e.of, e.last = report.NewJSON(&e.text), r.Vectors*max(1, r.Count), time.Now()
	if err := e.stream.Start(r); err != nil {
		return err
	}
	e.flush()
	return nil
}

// Result implements report.Reporter.
func (e *events) Result(r *driver.Result) error {
	e.done++
	if r.Verdict != driver.Pass && e.shown < mostShown {
		e.shown++
		if err := e.stream.Result(r); err != nil {
			return err
		}
	}
	if time.Since(e.last) > eventsTime {
		if err := json.NewEncoder(&e.text).Encode(progress{"progress", e.done, e.of}); err != nil {
			return err
		}
		e.flush()
	}
	return nil
}

// End implements report.Reporter.
func (e *events) End(o report.Outcome) error {
	if err := e.stream.End(o); err != nil {
		return err
	}
	e.flush()
	return nil
}

// flush publishes what is there.
func (e *events) flush() {
	e.last = time.Now()
	if e.text.Len() == 0 {
		return
	}
	if e.text.Len() < lab.MostJob {
		_ = e.store.Conn.Publish(e.subject, bytes.Clone(e.text.Bytes()))
	}
	e.text.Reset()
}
