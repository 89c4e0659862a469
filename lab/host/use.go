package host

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"utfbench/internal/failure"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/transport/lab"
	"utfbench/transport/remote"
)

// A use is a holder's use of a board.
type use struct {
	context context.Context // ends with the lease
	cancel  context.CancelCauseFunc

	opening sync.Mutex // guards all but ask
	said    []byte     // the opened chip as JSON, or nil
	nth     int        // the station.Wanted.Nth of said
	broken  error
	chip    *station.Chip // nil if it could not be opened
	far     *remote.Far   // the chip's
	before  uint64        // steps of previously opened chips
	ended   bool
	left    string

	playing atomic.Pointer[remote.Far] // far, for readers that do not wait until it is open
	looking sync.Mutex                 // guards the fields below
	pace    pace
	run     *lab.Run // as reported by the holder
}

func newUse() *use {
	u := new(use)
	u.context, u.cancel = context.WithCancelCause(context.Background())
	return u
}

// open opens the board once for each station.Wanted.Nth: a repeated request gets the same reply. broken is a failure of
// the bench.
func (u *use) open(t station.Target, body []byte) (said []byte, broken error) {
	u.opening.Lock()
	defer u.opening.Unlock()
	var w station.Wanted
	err := json.Unmarshal(body, &w)
	if u.said != nil && w.Nth <= u.nth || u.ended {
		return u.said, u.broken
	}
	u.shut()
	found := new(station.Reached)
	if err != nil {
		found.Fail(fmt.Errorf("invalid request to open the board: %w", err))
	} else {
		u.chip, found = t.Reach(u.context, &w)
	}
	u.nth, u.broken = w.Nth, nil
	if u.chip != nil {
		u.far = remote.NewFar(u.chip.Transport)
		u.playing.Store(u.far)
	}
	if found.Fault() == failure.Bench {
		u.broken = errors.New(found.Error)
	}
	if u.said, err = json.Marshal(found); err != nil {
		panic(err) // only plain values
	}
	return u.said, u.broken
}

// shut parks an open chip before the board is opened again.
func (u *use) shut() {
	if u.far == nil {
		return
	}
	_ = u.far.Close() // a remaining fault shows when the board is opened again
	u.looking.Lock()
	u.before += u.far.Steps()
	u.looking.Unlock()
	u.playing.Store(nil)
	u.chip, u.far = nil, nil
}

// ask plays a message of the near end.
func (u *use) ask(message []byte) ([]byte, error) {
	u.opening.Lock()
	far := u.far
	u.opening.Unlock()
	if far == nil {
		return nil, errors.New("the board was not opened")
	}
	answer := far.Answer(u.context, message)
	if why := context.Cause(u.context); why != nil { // says more than the interrupted operation
		return nil, fmt.Errorf("the lease has ended: %w", why)
	}
	return answer, nil
}

// progress returns the run's progress, and the steps once the board is open.
func (u *use) progress(now time.Time) *lab.Progress {
	u.looking.Lock()
	defer u.looking.Unlock()
	p := &lab.Progress{}
	if u.run != nil {
		run := *u.run
		run.Around, run.Drawn = nil, run.Around != nil // too long for each report
		p.Run = &run
	}
	p.Steps = u.before
	if far := u.playing.Load(); far != nil {
		p.Steps += far.Steps()
	}
	p.PerSecond = u.pace.at(p.Steps, now)
	return p
}

// around returns the steps around the first failure of the holder's run, or nil.
func (u *use) around() []byte {
	u.looking.Lock()
	defer u.looking.Unlock()
	if u.run == nil {
		return nil
	}
	return u.run.Around
}

// follow records the progress that the holder sent, if any.
func (u *use) follow(body []byte) {
	var r lab.Run
	if len(body) == 0 || len(body) > lab.MaxRun || json.Unmarshal(body, &r) != nil {
		return
	}
	u.looking.Lock()
	defer u.looking.Unlock()
	u.run = &r
}

// end parks the chip, once, and returns its final state.
func (u *use) end(why error) (left string) {
	u.cancel(why)
	u.opening.Lock()
	defer u.opening.Unlock()
	if u.ended {
		return u.left
	}
	u.ended = true
	if u.chip == nil {
		return ""
	}
	if err := u.far.Close(); err != nil {
		u.left = "it could not be parked: " + err.Error()
		return u.left
	}
	if u.left = u.chip.Left(); u.far.Steps() > 0 {
		u.left = cmp.Or(report.IdleFaults(u.chip.IdleFaults()), u.left) // a board has no injected faults
	}
	return u.left
}

// A pace measures the rate of executed steps over the last seconds. The caller provides the clock.
type pace struct {
	marks []mark // the oldest first
}

type mark struct {
	steps uint64
	at    time.Time
}

// late is the window of a pace. A batch may take two seconds, so a shorter window would jump.
const late = 5 * time.Second

// at records the number of steps so far and returns the rate.
func (p *pace) at(steps uint64, now time.Time) (perSecond uint64) {
	for len(p.marks) > 1 && now.Sub(p.marks[1].at) >= late {
		p.marks = p.marks[1:]
	}
	p.marks = append(p.marks, mark{steps, now})
	first := p.marks[0]
	if past := now.Sub(first.at).Seconds(); past > 0 {
		return uint64(math.Round(float64(steps-first.steps) / past))
	}
	return 0
}
