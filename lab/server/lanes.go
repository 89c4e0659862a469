package server

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"utfbench/transport/lab"
)

// Limits of messages in bytes. Longer ones are rejected before decoding.
const (
	maxReport  = 1 << 20 // a host's report, with texts of usual length for all boards
	maxRequest = 64 << 10
)

// mostBytes returns the maximum length of a message on a subject.
func mostBytes(subject string) int {
	switch words := strings.Split(subject, "."); {
	case words[0] == "is":
		return maxReport
	case len(words) > 3 && words[3] == "part":
		return 2 * lab.PartSize // so that a slightly long part gets a specific error
	}
	return maxRequest
}

// Limits of a lane. A bench sends its requests one by one, but a key may have many benches.
const (
	maxLane      = 512
	maxLaneBytes = 8 << 20
	maxUnmerged  = 32 // waiting messages after which a later report replaces the last one
)

// share is the extra time that a key may use before the messages of others take precedence.
const share = 50 * time.Millisecond

// lanes are message queues, one per key, served by one goroutine in order of arrival. Keys that used more time are
// served later, and a key rests as long as its last message took. A key's load thus delays others by a few of its
// messages only.
type lanes struct {
	handle func(*nats.Msg)

	mu     sync.Mutex
	wake   chan struct{}
	all    map[string]*lane
	number uint64        // the last message's
	clock  time.Duration // the time used by the key served last
}

// A lane holds the waiting messages of one key.
type lane struct {
	waiting []numbered
	bytes   int
	used    time.Duration
	rests   time.Time // the end of its rest
}

type numbered struct {
	*nats.Msg
	number uint64
}

func newLanes(handle func(*nats.Msg)) *lanes {
	return &lanes{handle: handle, wake: make(chan struct{}, 1), all: map[string]*lane{}}
}

// add queues a message of a key. It drops the message if the lane is full: clients retry, and of many reports of a host
// only the latest matters.
func (l *lanes) add(key string, m *nats.Msg) {
	l.mu.Lock()
	defer l.mu.Unlock()
	of := l.all[key]
	if of == nil {
		of = new(lane)
		l.all[key] = of
	}
	if len(of.waiting) == 0 {
		of.used = max(of.used, l.clock)
	}
	l.number++
	if last := len(of.waiting) - 1; last >= 0 && strings.HasPrefix(m.Subject, "is.") &&
		of.waiting[last].Subject == m.Subject && (last >= maxUnmerged || of.bytes+len(m.Data) > maxLaneBytes) {
		of.bytes += len(m.Data) - len(of.waiting[last].Data)
		of.waiting[last].Msg = m
		return
	}
	if len(of.waiting) == maxLane || of.bytes+len(m.Data) > maxLaneBytes {
		return
	}
	of.waiting, of.bytes = append(of.waiting, numbered{m, l.number}), of.bytes+len(m.Data)
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// work handles messages until ctx ends.
func (l *lanes) work(ctx context.Context) {
	for {
		of, m, rest := l.next()
		if of == nil {
			select {
			case <-ctx.Done():
				return
			case <-l.wake:
			case <-time.After(rest):
			}
			continue
		}
		begun := time.Now()
		l.handle(m)
		l.account(of, time.Since(begun))
		if ctx.Err() != nil {
			return
		}
	}
}

// next returns the message to be handled now, or else the time after which to look again.
func (l *lanes) next() (of *lane, m *nats.Msg, rest time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	rest = time.Hour
	for _, other := range l.all {
		switch wait := other.rests.Sub(now); {
		case len(other.waiting) == 0:
		case wait > 0:
			rest = min(rest, wait)
		case of == nil || l.before(other, of):
			of = other
		}
	}
	if of == nil {
		return nil, nil, rest
	}
	m = of.waiting[0].Msg
	of.waiting[0].Msg = nil
	of.waiting, of.bytes = of.waiting[1:], of.bytes-len(m.Data)
	l.clock = max(l.clock, of.used)
	return of, m, 0
}

// before reports whether the first message of lane a precedes b's.
func (l *lanes) before(a, b *lane) bool {
	over, than := max(0, a.used-l.clock)/share, max(0, b.used-l.clock)/share
	if over != than {
		return over < than
	}
	return a.waiting[0].number < b.waiting[0].number
}

// account charges a key for the time that its message took.
func (l *lanes) account(of *lane, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	of.used += took
	of.rests = time.Now().Add(took)
}
