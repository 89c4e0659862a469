package server

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"strings"

	"utfbench/transport/lab"
)

// Front opens a port for browsers by the rules of Config.Listen: an address that only this machine reaches needs no
// TLS, any other uses the server's certificate. The URL is the public address. An empty listen means lab.DefaultFront,
// or any port if that is in use.
func (s *Server) Front(listen string) (net.Listener, *url.URL, error) {
	if listen == "" {
		l, at, err := lab.ListenLocally()
		return l, at, err
	}
	d := lab.Port{Flag: "--page", Listen: listen, Name: s.cfg.Name}
	if host, _, err := net.SplitHostPort(d.Name); err == nil {
		d.Name = host // the port in the name belongs to NATS
	}
	l, a, err := d.Open()
	if err != nil {
		return nil, nil, err
	}
	if a.Alone {
		return l, &url.URL{Scheme: "http", Host: a.Listen}, nil
	}
	return tls.NewListener(l, &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{s.cert},
		NextProtos: []string{"h2", "http/1.1"}}), &url.URL{Scheme: "https", Host: a.Invite}, nil
}

// Show sets the function that returns the page's URL for a key.
func (s *Server) Show(open func(key string) (url string, err error)) { s.open.Store(&open) }

func (s *Server) page(key string) (*lab.Page, error) {
	open := s.open.Load()
	if open == nil {
		return nil, errNoPage
	}
	at, err := (*open)(key)
	return &lab.Page{URL: at}, err
}

// Stop ends the lease of a board's holder in the name of a key; b is the board as the user saw it. All members see the
// event.
func (s *Server) Stop(ctx context.Context, b *lab.Board, by string) error {
	if err := lab.Stop(ctx, s.mail, b, by); err != nil {
		return err
	}
	s.hub.tell(lab.Event{Host: b.Host, Board: b.Name,
		What: "was stopped by " + by + " from the page: " + b.Holder.String()})
	return nil
}

// Park starts to park a free board in the name of a key; the result is an event.
func (s *Server) Park(b *lab.Board, by string) {
	s.running.Go(func() {
		what := "was parked for " + by + ", from the page: "
		state, err := lab.Park(s.ctx, s.mail, b, by)
		if err != nil {
			what = "could not be parked for " + by + ", from the page: "
			state = strings.TrimPrefix(err.Error(), b.String()+": ")
		}
		s.hub.tell(lab.Event{Host: b.Host, Board: b.Name, What: what + state})
	})
}

// Around returns the steps around the first failure of a board's run, as packed by the user's bench. They are foreign
// text.
func (s *Server) Around(ctx context.Context, b *lab.Board) ([]byte, error) {
	return lab.Around(ctx, s.mail, b)
}

// First is the name of a lab's first key.
const First = "first"

var errNoPage = errors.New("this lab has no page: its server was started with --page none")
