package host

import (
	"crypto/rand"
	"slices"
	"time"

	"utfbench/transport/lab"
)

// Turns are a board's holder and queue. The caller provides the clock.
type turns struct {
	holder *holder
	queue  []ticket // the first is next
}

// A holder is the user of the board.
type holder struct {
	lab.Holder
	lease  string // known only to the holder
	ticket string
	heard  time.Time // the time of its last message
}

type ticket struct {
	number string
	heard  time.Time
}

// lost is the silence after which a waiting user loses its place. It sends a request every Beat.
const lost = 5 * lab.Beat

// take handles a request for the board. A repeated request with the holder's ticket gets the same reply.
func (t *turns) take(key string, w *lab.Wish, now time.Time) lab.Grant {
	t.forget(now)
	if t.holder != nil && t.holder.ticket == w.Ticket {
		return lab.Grant{Lease: t.holder.lease}
	}
	place := slices.IndexFunc(t.queue, func(q ticket) bool { return q.number == w.Ticket })
	if t.holder == nil && (place == 0 || len(t.queue) == 0) {
		t.queue = slices.Delete(t.queue, 0, min(1, len(t.queue)))
		t.holder = &holder{lab.Holder{Key: key, Who: w.Who, Does: w.Does, Since: now}, rand.Text(), w.Ticket, now}
		return lab.Grant{Lease: t.holder.lease}
	}
	var has *lab.Holder
	if t.holder != nil {
		has = &t.holder.Holder
	}
	switch {
	case !w.Wait:
		return lab.Grant{Holder: has}
	case place < 0:
		t.queue = append(t.queue, ticket{w.Ticket, now})
		place = len(t.queue) - 1
	default:
		t.queue[place].heard = now
	}
	return lab.Grant{Holder: has, Place: place + 1}
}

// forget drops silent users from the queue.
func (t *turns) forget(now time.Time) {
	t.queue = slices.DeleteFunc(t.queue, func(q ticket) bool { return now.Sub(q.heard) > lost })
}

// hear reports whether a lease is the holder's, and renews it.
func (t *turns) hear(lease string, now time.Time) bool {
	if t.holder == nil || t.holder.lease != lease {
		return false
	}
	t.holder.heard = now
	return true
}

// overdue reports whether the holder has been silent for too long.
func (t *turns) overdue(now time.Time) bool {
	return t.holder != nil && now.Sub(t.holder.heard) > lab.Silence
}
