package host

import (
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
)

// Unanswered requests of one key to one board leave room for its other boards and for other keys. An overlong request
// takes no place.
func TestPlaces(t *testing.T) {
	var p places
	take := func(subject string, bytes int) bool {
		_, free := p.take(&nats.Msg{Subject: subject, Data: []byte(strings.Repeat("x", bytes))})
		return free
	}
	for range mostAsked {
		if !take("use.eve.pi1.a.open.L", 10) {
			t.Fatal("no place")
		}
	}
	for subject, free := range map[string]bool{"use.eve.pi1.a.ask.L": false, "use.eve.pi1.a.take": false,
		"use.eve.pi1.b.take": true, "use.bob.pi1.a.take": true, "do.pi1.a.stop": true} {
		if take(subject, 10) != free {
			t.Errorf("%s: %t", subject, !free)
		}
	}
	p.leave("use.eve.pi1.a")
	if !take("use.eve.pi1.a.ask.L", 1<<20) || take("use.eve.pi1.a.ask.L", 10) {
		t.Error("a place that was left is not free, or two are")
	}
	for subject, bytes := range map[string]int{"use.x.pi1.a.take": 64<<10 + 1, "use.x.pi1.a.open.L": maxRequest + 1,
		"use.x.pi1.a.alive.L": 8<<10 + 1, "use.x.pi1.a.ask.L": 4<<20 + 1} {
		if take(subject, bytes) || !take(subject, bytes-1) {
			t.Errorf("%s of %d bytes", subject, bytes)
		}
	}
}
