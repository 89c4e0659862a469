package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"utfbench/transport/lab"
)

// A Host is a machine that was heard.
type Host struct {
	Name    string    `json:"host"` // that of its key
	Machine string    `json:"machine"`
	Bench   string    `json:"bench"` // its version
	Boards  int       `json:"boards"`
	Heard   time.Time `json:"heard"` // last
	Here    bool      `json:"here"`  // it still says what its boards are
}

// hostsAnswer is what lab.KEY.hosts is answered with.
type hostsAnswer struct {
	lab.Refusal
	Hosts []Host `json:"hosts"`
}

// AskHosts asks a server that runs for its Hosts.
func AskHosts(ctx context.Context, c *lab.Conn) ([]Host, error) {
	ctx, cancel := context.WithTimeout(ctx, lab.Patience)
	defer cancel()
	m, err := c.NATS().RequestWithContext(ctx, "lab."+c.Invitation.Name+".hosts", nil)
	if err != nil {
		return nil, fmt.Errorf("the lab at %s does not say which hosts it hears: %w", c.Invitation.Lab, err)
	}
	var a hostsAnswer
	if err := json.Unmarshal(m.Data, &a); err != nil {
		return nil, fmt.Errorf("the lab at %s answers what is no answer: %w", c.Invitation.Lab, err)
	}
	return a.Hosts, a.Err()
}

// answer begins to hear what hosts say, and to answer what anybody asks: one after another, in the order in which it
// comes, so that a host that leaves has left for who asks then.
func (s *Server) answer(ctx context.Context) error {
	all := make(chan *nats.Msg, 4096)
	for _, subject := range []string{"is.*", "lab.*.*"} {
		if _, err := s.nc.ChanSubscribe(subject, all); err != nil {
			return fault("the lab does not answer: %w", err)
		}
	}
	if err := s.nc.Flush(); err != nil { // so that it hears when Start returns
		return fault("the lab does not answer: %w", err)
	}
	s.running.Go(func() {
		for {
			select {
			case m := <-all:
				s.take(m)
			case <-ctx.Done():
				return
			}
		}
	})
	return nil
}

func (s *Server) take(m *nats.Msg) {
	switch _, verb, _ := strings.Cut(strings.TrimPrefix(m.Subject, "lab."), "."); {
	case strings.HasPrefix(m.Subject, "is."):
		s.said(m)
	case verb == "boards":
		list := s.Boards()
		s.reply(m, &list)
	case verb == "join":
		s.reply(m, s.join(m))
	case verb == "hosts":
		s.reply(m, hostsAnswer{Hosts: s.Hosts()})
	}
}

// said takes what a host says. The subject is true: NATS lets a key say it of itself alone.
func (s *Server) said(m *nats.Msg) {
	host := strings.TrimPrefix(m.Subject, "is.")
	r, err := readReport(host, m.Data)
	if err == nil {
		err = s.hub.hear(r)
	}
	if err != nil {
		s.hub.trouble(host, err)
	}
}

// join says whether a host may. One that may has been heard.
func (s *Server) join(m *nats.Msg) *lab.Welcome {
	r, err := readReport(asker(m), m.Data)
	if err == nil {
		err = s.hub.hear(r)
	}
	if err != nil {
		return &lab.Welcome{Refusal: lab.Refusal{Refused: fmt.Sprintf("the lab %s refuses: %v", s.name, err)}}
	}
	return &lab.Welcome{Lab: s.name}
}

// asker is the key that asks, as NATS knows.
func asker(m *nats.Msg) string { return strings.Split(m.Subject, ".")[1] }

// reply answers whoever asked, and nobody else: an answer that the server were to send on another's subjects would come
// from somebody who may say everything.
func (s *Server) reply(m *nats.Msg, answer any) {
	if !strings.HasPrefix(m.Reply, inbox(asker(m))) {
		return
	}
	text, err := json.Marshal(answer)
	if err == nil && int64(len(text)) > s.nc.MaxPayload() {
		err = errors.New("the answer is longer than a message can be")
	}
	if err != nil {
		text, _ = json.Marshal(lab.Refusal{Refused: err.Error()}) // a string
	}
	m.Respond(text) // whoever gets none asks again
}
