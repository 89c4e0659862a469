package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"

	"utfbench/internal/printable"
	"utfbench/transport/lab"
)

// answer starts to serve hosts and clients. Messages of a key are handled in order, and usually all are, so that a
// departed host is gone for the next query. See lanes.
func (s *Server) answer(ctx context.Context) error {
	var err error
	if s.mail, err = lab.NewMailbox(s.nc, lab.Server); err != nil {
		return fault("the lab does not answer: %w", err)
	}
	if err := s.hearOfRuns(ctx); err != nil { // first; see lab.Conn
		return fault("the lab does not answer: %w", err)
	}
	all := make(chan *nats.Msg, 4096) // sorting is faster than arrival
	for _, subject := range []string{"is.*", "lab.*.*"} {
		if _, err := s.nc.ChanSubscribe(subject, all); err != nil {
			return fault("the lab does not answer: %w", err)
		}
	}
	if err := s.nc.Flush(); err != nil { // subscriptions are active when Start returns
		return fault("the lab does not answer: %w", err)
	}
	asked := newLanes(s.take)
	s.running.Go(func() { asked.work(ctx) })
	s.running.Go(func() {
		for {
			select {
			case m := <-all:
				s.sort(m, asked)
			case <-ctx.Done():
				return
			}
		}
	})
	return nil
}

// sort puts a message into its lane, or rejects it if it is too long.
func (s *Server) sort(m *nats.Msg, to *lanes) {
	most := mostBytes(m.Subject)
	if len(m.Data) <= most {
		to.add(asker(m), m)
		return
	}
	err := fmt.Errorf("a message of %d bytes: at most %d are allowed", len(m.Data), most)
	if strings.HasPrefix(m.Subject, "is.") {
		s.hub.trouble(asker(m), err)
	}
	s.reply(m, nil, err)
}

func (s *Server) take(m *nats.Msg) {
	switch _, verb, _ := strings.Cut(strings.TrimPrefix(m.Subject, "lab."), "."); {
	case strings.HasPrefix(m.Subject, "is."):
		s.said(m)
	case verb == "boards":
		s.reply(m, s.listed(), nil)
	case verb == "page":
		at, err := s.page(asker(m))
		s.reply(m, at, err)
	case verb == "hosts":
		s.reply(m, append(s.Hosts(), s.hub.former()...), nil)
	default:
		s.reply(m, nil, s.unknown(verb))
	}
}

// listed returns the boards with their last verdicts.
func (s *Server) listed() lab.List {
	list := s.Boards()
	if last := s.last.Load(); last != nil {
		verdicts := (*last)()
		for i := range list.Boards {
			if is := verdicts[list.Boards[i].String()]; is != nil {
				last := *is
				last.Cause = short(is.Cause, maxCause)
				list.Boards[i].Last = &last
			}
		}
	}
	return list
}

// Judged sets the function that returns the last verdict of each board.
func (s *Server) Judged(last func() map[string]*lab.Last) { s.last.Store(&last) }

// unknown rejects a request that only a newer bench could send.
func (s *Server) unknown(verb string) error {
	return fmt.Errorf("the lab's bench (%s) does not know the request %q: if it is older than yours, update it and "+
		"restart benchlab serve", s.cfg.Bench, printable.Text(short(verb, maxWord)))
}

// said handles a host's report, of which the first asks whether it may join, and acknowledges it if requested. The
// subject is authentic: NATS restricts each key to its own.
func (s *Server) said(m *nats.Msg) {
	r, err := readReport(asker(m), m.Data)
	if err == nil {
		err = s.hub.hear(r)
	}
	if err != nil {
		s.hub.trouble(asker(m), err)
		err = fmt.Errorf("the lab %s refuses: %w", s.name, err)
	}
	s.reply(m, &lab.Welcome{Lab: s.name}, err)
}

// asker returns the requesting key, which NATS has verified.
func asker(m *nats.Msg) string { return strings.Split(m.Subject, ".")[1] }

// reply sends a reply to the requester only. The server may publish anywhere, so a reply subject of another key would
// let the requester speak as that key.
func (s *Server) reply(m *nats.Msg, answer any, err error) {
	var text []byte
	if err == nil {
		text, err = json.Marshal(answer)
	}
	s.send(m, text, err)
}

// send replies with an encoded answer.
func (s *Server) send(m *nats.Msg, text []byte, err error) {
	if !strings.HasPrefix(m.Reply, lab.InboxOf(asker(m))) {
		return
	}
	if err == nil && int64(len(text)) > s.nc.MaxPayload() {
		err = errors.New("the answer exceeds the maximum size of a message")
	}
	if err != nil {
		lab.Refuse(m, err)
		return
	}
	m.Respond(text) // without a reply the client retries
}
