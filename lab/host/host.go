// Package host offers the boards of this machine to a lab; package transport/lab defines the terms.
//
// A host alone decides who uses a board: the first to request it, then the queue in order. It opens the board for its
// holder with package station, plays messages of transport/remote, and parks the board when the holder leaves or was
// silent for lab.Silence. It reports its boards every lab.Beat. A restart of the lab's server does no harm: leases are
// not kept in the server's memory.
package host

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/transport/lab"
)

// An Offer is a board of this machine, with the target to open for its user.
type Offer struct {
	Name   string
	Target station.Target
	What   string // a description
	Note   string // such as its place
}

// A Host offers boards.
type Host struct {
	Bench string         // its version
	Find  func() []Offer // returns the present boards, each Beat; known names are ignored
	Tell  func(string)   // receives events for people at this machine
	Wait  time.Duration  // timeout for replacing a killed host; 0 is as long as the lab keeps its place

	conn     *lab.Conn
	asked    places
	lost     int // Beats without a connection
	instance string
	out      sync.Mutex // held while a report is published
	mu       sync.Mutex
	boards   []*board
	serving  failure.Group
}

// Run offers boards on a connection until ctx ends, and then parks them all. The error is the lab's reason for
// rejecting them.
func (h *Host) Run(ctx context.Context, conn *lab.Conn) error {
	h.conn, h.instance = conn, rand.Text()
	if err := h.look(); err != nil {
		return err
	}
	welcome, err := h.join(ctx)
	if err != nil {
		return err
	}
	h.Tell(h.joined(welcome))
	name := conn.Invitation.Name
	deaf, err := h.listen("use.*."+name+".>", lab.OrderSubject(name, ">"))
	if err != nil {
		return err
	}
	err = h.beat(ctx)
	if errors.As(err, new(*lab.SeatError)) {
		deaf() // at once, since the other machine now responds
	}
	if h.endAll() && !errors.As(err, new(*lab.SeatError)) {
		time.Sleep(2 * lab.Beat) // until their holders have noticed
	}
	deaf()
	h.serving.Wait()
	h.boards = nil
	left := h.report()
	left.Left = true
	_ = conn.Say(left) // else the lab notices by itself
	_ = conn.NATS().Flush()
	return err
}

// listen serves requests at some subjects until deaf is called.
func (h *Host) listen(subjects ...string) (deaf func(), err error) {
	var all []*nats.Subscription
	for _, subject := range subjects {
		s, err := h.conn.NATS().Subscribe(subject, func(m *nats.Msg) {
			if of, free := h.asked.take(m); free { // without a reply the client retries
				h.serving.Go(func() { h.serve(m); h.asked.leave(of) })
			}
		})
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return func() {
		for _, s := range all {
			_ = s.Unsubscribe() // fails only on a closed connection
		}
	}, nil
}

func (h *Host) joined(to *lab.Welcome) string {
	var names []string
	for _, b := range h.all() {
		names = append(names, b.offer.Name)
	}
	what := "no board yet: one that is plugged in joins by itself"
	if names != nil {
		what = strings.Join(names, ", ") + ": users open one with -t lab:" + names[0]
	}
	return fmt.Sprintf("%s has joined the lab %s with %s", h.conn.Invitation.Name, to.Lab, what)
}

// endAll ends all leases, and reports whether there were any.
func (h *Host) endAll() (some bool) {
	for _, b := range h.all() {
		_, was := b.end(errors.New("its host has left the lab"))
		some = some || was
	}
	return some
}

// join registers this host with the lab. The lab keeps a killed host for another lab.Silence.
func (h *Host) join(ctx context.Context) (*lab.Welcome, error) {
	wait := cmp.Or(h.Wait, lab.Silence+2*lab.Beat)
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	var refused error
	for {
		welcome, err := h.conn.Join(ctx, h.report())
		if lab.Refused(err) {
			if refused == nil && ctx.Err() == nil {
				h.Tell(fmt.Sprintf("the lab refuses this machine; trying again for %s", wait))
			}
			refused = err // says more than the timeout
		}
		switch {
		case err == nil:
			return welcome, nil
		case ctx.Err() != nil:
			return nil, cmp.Or(refused, err)
		}
		select {
		case <-ctx.Done():
			return nil, cmp.Or(refused, err)
		case <-time.After(lab.Beat):
		}
	}
}

// beat reports the boards every Beat until ctx ends or the lab drops this host. If another machine with the same key
// joined while this one was unheard, the lab keeps one of them and the other ends.
func (h *Host) beat(ctx context.Context) error {
	tick := time.NewTicker(lab.Beat)
	defer tick.Stop()
	for {
		err := h.publish(func(r *lab.Report) error { return h.conn.Report(ctx, r) })
		if errors.As(err, new(*lab.SeatError)) {
			return err
		} // the next report is due in a second
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := h.reach(); err != nil {
			return err
		}
		if err := h.look(); err != nil {
			h.Tell(err.Error())
		}
		for _, b := range h.all() {
			b.look(time.Now())
		}
	}
}

// reach reports a lab that is lost or back. The error means that the key was revoked. The server reports that only to
// the next connection, so a lab is lost after two Beats.
func (h *Host) reach() error {
	const patience = 2
	switch connected := h.conn.NATS().IsConnected(); {
	case connected && h.lost >= patience:
		h.Tell("the lab is back")
		fallthrough
	case connected:
		h.lost = 0
		return nil
	}
	if err := h.conn.Revoked(); err != nil {
		return err
	}
	if h.lost++; h.lost == patience {
		h.Tell("the lab cannot be reached; trying again")
	}
	return nil
}

// look adds new boards.
func (h *Host) look() error {
	for _, o := range h.Find() {
		if err := lab.CheckName("the board's name", o.Name); err != nil {
			return err
		}
		h.mu.Lock()
		if !slices.ContainsFunc(h.boards, func(b *board) bool { return b.offer.Name == o.Name }) {
			h.boards = append(h.boards, &board{host: h.conn.Invitation.Name, offer: o, tell: h.Tell})
		}
		h.mu.Unlock()
	}
	return nil
}

func (h *Host) all() []*board {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.boards)
}

// publish publishes a report. The lock keeps a report from overtaking a later one.
func (h *Host) publish(by func(*lab.Report) error) error {
	h.out.Lock()
	defer h.out.Unlock()
	return by(h.report())
}

func (h *Host) report() *lab.Report {
	machine, _ := os.Hostname() // for people only
	r := &lab.Report{Protocol: lab.Protocol, Bench: h.Bench, Host: h.conn.Invitation.Name, Machine: machine,
		Instance: h.instance, Boards: []lab.Board{}}
	for _, b := range h.all() {
		r.Boards = append(r.Boards, b.says())
	}
	return r
}

// serve handles a request: use.KEY.HOST.BOARD.VERB[.LEASE] or do.HOST.BOARD.VERB.
func (h *Host) serve(m *nats.Msg) {
	words := strings.Split(m.Subject, ".")
	var body []byte
	var err error
	switch {
	case words[0] == "do" && len(words) == 4:
		var b *board
		if b, err = h.board(words[2]); err == nil {
			body, err = b.obey(words[3], m.Data)
		}
	case words[0] == "use" && len(words) > 4:
		body, err = h.used(words, m.Data)
		if words[4] == "take" || words[4] == "leave" { // so that the lab lists each use, however short
			_ = h.publish(h.conn.Say)
		}
	default:
		return
	}
	if err != nil {
		lab.Refuse(m, err)
		return
	}
	_ = m.Respond(body) // without a reply the client retries
}

func (h *Host) used(words []string, body []byte) ([]byte, error) {
	b, err := h.board(words[3])
	switch verb := words[4]; {
	case err != nil:
		return nil, err
	case verb == "take":
		return b.take(words[1], body, time.Now())
	case len(words) != 6:
		return nil, fmt.Errorf("the request %q needs a lease", verb)
	default:
		return b.answer(verb, words[5], body, time.Now())
	}
}

func (h *Host) board(name string) (*board, error) {
	for _, b := range h.all() {
		if b.offer.Name == name {
			return b, nil
		}
	}
	return nil, fmt.Errorf("the host has no board %q", name)
}
