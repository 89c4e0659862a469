package server

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"utfbench/transport/lab"
)

// A heartbeat may reach the host after the leave and be rejected. That does not end the lease as lost: what passed
// stays passed. The user is told that the host is silent, until the leave.
func TestLeaveCrossesBeat(t *testing.T) {
	s := start(t, config(t))
	_, user := invite(t, s, "user")
	_, host := invite(t, s, "pi1")
	beats, late := make(chan *nats.Msg, 100), errors.New("the lease has ended: the board was given back")
	_, err := host.NATS().Subscribe("use.*.pi1.>", func(m *nats.Msg) {
		switch verb := strings.Split(m.Subject, ".")[4]; verb {
		case "take":
			text, _ := json.Marshal(lab.Grant{Lease: "l"})
			m.Respond(text)
		case "alive": // delayed until after the leave
			beats <- m
		case "leave":
			for len(beats) > 0 {
				lab.Refuse(<-beats, late)
			}
			time.Sleep(100 * time.Millisecond)
			m.Respond([]byte("parked"))
		}
	})
	if err = errors.Join(err, host.NATS().Flush()); err != nil {
		t.Fatal(err)
	}
	said, over := make(chan string, 1), make(chan bool, 1)
	user.Tell = func(what string) func() { said <- what; return func() { over <- true } }
	l, err := user.Take(t.Context(), lab.Board{Host: "pi1", Name: "a"}, lab.Wish{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if what := <-said; what != "no answer from the host of pi1/a, waiting for 10s at most" {
		t.Error(what)
	}
	if err := l.Close(); err != nil || l.Left() != "parked" || !<-over {
		t.Errorf("%q, %v", l.Left(), err)
	}
}
