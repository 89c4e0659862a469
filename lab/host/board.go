package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/transport/lab"
)

// A board is one of the host's boards, with its holder and queue.
type board struct {
	host  string
	offer Offer
	tell  func(string)

	mu     sync.Mutex
	turns  turns
	used   *use   // by the holder; nil if free
	last   parted // the previous lease
	absent error  // why the board is missing; nil if present
	broken error  // why the last attempt to open it failed
}

// parted is an ended lease. Its holder may have missed the reply.
type parted struct {
	lease, left string
	why         error
}

// says describes the board for the lab.
func (b *board) says() lab.Board {
	b.mu.Lock()
	defer b.mu.Unlock()
	k, _, _ := b.offer.Target.Kind() // checked before it was offered
	s := lab.Board{Host: b.host, Name: b.offer.Name, Kind: k.Name, What: b.offer.What, Note: b.offer.Note,
		State: lab.Free,
		Queue: len(b.turns.queue)}
	if h := b.turns.holder; h != nil {
		s.State, s.Holder = lab.Taken, &h.Holder
		if b.used != nil { // else its lease is about to end
			s.Progress = b.used.progress(time.Now())
		}
	}
	switch {
	case b.absent != nil:
		s.State, s.Reason = lab.Gone, b.absent.Error()
	case b.broken != nil:
		s.Reason = "its last user could not open it: " + b.broken.Error()
	}
	return s
}

// look checks whether the board and its holder are still there.
func (b *board) look(now time.Time) {
	absent := b.offer.Target.Absent()
	b.mu.Lock()
	if b.absent != nil && absent == nil {
		b.broken = nil // replugging may have cured it
	}
	switch {
	case b.absent == nil && absent != nil:
		b.tell(fmt.Sprintf("%s: %v", b.offer.Name, absent))
	case b.absent != nil && absent == nil:
		b.tell(b.offer.Name + ": it is there again")
	}
	b.absent = absent
	b.turns.forget(now)
	overdue := b.turns.overdue(now)
	b.mu.Unlock()
	if overdue { // ending may take as long as a chip does, and the host must keep reporting
		why := fmt.Errorf("its holder was silent for %s, so the chip was parked", lab.Silence)
		failure.Go(func() { b.end(why) })
	}
}

// take handles a request for the board.
func (b *board) take(key string, body []byte, now time.Time) ([]byte, error) {
	var w lab.Wish
	if err := json.Unmarshal(body, &w); err != nil {
		return nil, fmt.Errorf("invalid request for the board: %w", err)
	}
	if err := lab.CheckProtocol("the user's bench", w.Protocol, w.Bench); err != nil {
		return nil, err
	}
	w.Who, w.Does = printable.Text(w.Who), printable.Text(w.Does)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.absent != nil {
		return nil, b.absent
	}
	g := b.turns.take(key, &w, now)
	if g.Lease != "" && b.used == nil {
		b.used = newUse()
		b.tell(fmt.Sprintf("%s: %s has it (%s)", b.offer.Name, w.Who, w.Does))
	}
	return json.Marshal(&g)
}

// answer handles a request of a lease's holder.
func (b *board) answer(verb, lease string, body []byte, now time.Time) ([]byte, error) {
	b.mu.Lock()
	mine, used, last := b.turns.hear(lease, now), b.used, b.last
	b.mu.Unlock()
	switch {
	case !mine && verb == "leave" && lease == last.lease:
		return []byte(last.left), nil // the first reply was lost
	case !mine && lease == last.lease:
		return nil, fmt.Errorf("the lease has ended: %w", last.why)
	case !mine:
		return nil, errUnknown
	}
	switch verb {
	case "open":
		said, broken := used.open(b.offer.Target, body)
		b.mu.Lock()
		b.broken = broken
		b.mu.Unlock()
		return said, nil
	case "ask":
		return used.ask(body)
	case "leave":
		left, _ := b.end(errLeft)
		return []byte(left), nil
	case "alive":
		used.follow(body)
		return nil, nil
	}
	return nil, fmt.Errorf("no request %q", verb)
}

var (
	errUnknown = errors.New("the host has no such lease: it was restarted, or the board went to another user")
	errLeft    = errors.New("the board was given back")
)

// obey executes an order of the lab's server.
func (b *board) obey(verb string, body []byte) ([]byte, error) {
	var o lab.Order
	switch {
	case verb == "around":
		return b.around()
	case verb == "stop" && json.Unmarshal(body, &o) == nil:
		return nil, b.stop(&o)
	case verb == "park" && json.Unmarshal(body, &o) == nil:
		state, err := b.park(o.By)
		return []byte(state), err
	}
	return nil, fmt.Errorf("unknown order %q: update the bench of this host", verb)
}

// around returns the steps around the holder's first failure.
func (b *board) around() ([]byte, error) {
	b.mu.Lock()
	used := b.used
	b.mu.Unlock()
	if used != nil {
		if text := used.around(); text != nil {
			return text, nil
		}
	}
	return nil, errors.New("no failing run is in progress there")
}

// stop ends the lease of the given holder only.
func (b *board) stop(o *lab.Order) error {
	b.mu.Lock()
	meant := b.turns.holder != nil && o.Is(&b.turns.holder.Holder)
	b.mu.Unlock()
	if !meant {
		return errors.New("its former user has released it")
	}
	b.end(fmt.Errorf("stopped by %s from the lab's page", printable.Text(o.By)))
	return nil
}

// end ends the lease, if there is one. It parks the chip before the next user can take the board.
func (b *board) end(why error) (left string, was bool) {
	b.mu.Lock()
	used := b.used
	b.mu.Unlock()
	if used == nil {
		return "", false
	}
	left = used.end(why)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used == used { // else another call ended it
		b.last = parted{b.turns.holder.lease, left, why}
		b.used, b.turns.holder = nil, nil
		b.tell(fmt.Sprintf("%s: %v", b.offer.Name, why))
	}
	return left, true
}
