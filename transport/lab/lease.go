package lab

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/transport"
)

// A Lease is the exclusive right to use a board, kept alive until Close.
type Lease struct {
	Board Board

	conn    *Conn
	id      string
	context context.Context // ends with the lease, with the reason as its cause
	end     context.CancelCauseFunc
	heard   atomic.Int64 // last message from the host, Unix time in ns
	asked   atomic.Int64 // last answer from its board
	run     atomic.Pointer[func() Run]
	left    string

	still   context.CancelFunc // ends the heartbeats
	stilled chan struct{}      // closed when they have ended
}

// A TakenError reports that a board is in use.
type TakenError struct {
	Board  Board
	Holder *Holder // nil if the first of the queue is about to take it
}

func (e *TakenError) Error() string {
	if e.Holder == nil {
		return fmt.Sprintf("%s is not free: others wait for it; --wait waits too", &e.Board)
	}
	return fmt.Sprintf("%s is not free: %s; --wait waits for it", &e.Board, e.Holder)
}

// Take takes a board. If it is in use the error is a *TakenError. With w.Wait, Take waits in the queue until ctx ends
// and reports each answer to waiting.
func (c *Conn) Take(ctx context.Context, b Board, w Wish, waiting func(*Grant)) (*Lease, error) {
	w.Protocol, w.Ticket = Protocol, rand.Text()
	for {
		var g Grant
		err := c.ask(ctx, b.Host, c.use(&b, "take", ""), &w, &g)
		switch {
		case errors.Is(err, errNobody):
			return nil, fmt.Errorf("%s: its host is not in the lab now: does bench lab join run there?", &b)
		case err == nil && g.Lease != "":
			return c.hold(b, g.Lease), nil
		case err == nil && !w.Wait:
			return nil, &TakenError{b, g.Holder}
		case err != nil && (!w.Wait || ctx.Err() != nil || errors.As(err, new(*refusedError))):
			return nil, fmt.Errorf("%s: %w", &b, err)
		case err == nil:
			waiting(&g)
		}
		if err := sleep(ctx, Beat); err != nil { // a waiting client outlives a restart of the server
			return nil, err
		}
	}
}

// use returns the subject of a request to a host.
func (c *Conn) use(b *Board, verb, lease string) string {
	subject := fmt.Sprintf("use.%s.%s.%s.%s", c.Invitation.Name, b.Host, b.Name, verb)
	if lease != "" {
		subject += "." + lease
	}
	return subject
}

// hold keeps a lease alive.
func (c *Conn) hold(b Board, id string) *Lease {
	l := &Lease{Board: b, conn: c, id: id, stilled: make(chan struct{})}
	l.context, l.end = context.WithCancelCause(context.Background())
	l.hear()
	var beating context.Context
	beating, l.still = context.WithCancel(l.context)
	done := failure.Keep(l.Close)
	failure.Go(func() { defer done(); l.live(beating) })
	return l
}

func (l *Lease) hear() { l.heard.Store(time.Now().UnixNano()) }

// Follow reports the progress of the user's run to the host each Beat.
func (l *Lease) Follow(run func() Run) { l.run.Store(&run) }

// says returns the progress to report, or nil.
func (l *Lease) says() []byte {
	run := l.run.Load()
	if run == nil {
		return nil
	}
	text, err := json.Marshal((*run)())
	if err != nil || len(text) > MaxRun {
		return nil
	}
	return text
}

// live sends a heartbeat each Beat until ctx ends.
func (l *Lease) live(ctx context.Context) {
	defer close(l.stilled)
	done, told := func() {}, ""
	defer func() { done() }()
	tick := time.NewTicker(Beat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		text := ""
		if _, err := l.request(ctx, "alive", l.says(), Beat); err != nil {
			text = l.silence()
		}
		if text != told {
			done()
			if told, done = text, func() {}; text != "" {
				done = l.conn.Tell(text)
			}
		}
		if silent := time.Since(time.Unix(0, l.heard.Load())); silent > Silence {
			l.end(l.lost(silent.Round(time.Second)))
		}
	}
}

// silence says which end is silent, and for how long the lease lasts.
func (l *Lease) silence() string {
	from := transport.ErrCut.Error()
	if l.conn.nc.IsConnected() {
		from = fmt.Sprintf("no answer from the host of %s", &l.Board)
	}
	return fmt.Sprintf("%s, waiting for %s at most", from, Silence)
}

// lost returns the reason for a silence: this client's connection, or else the host.
func (l *Lease) lost(silent time.Duration) error {
	if !l.conn.nc.IsConnected() {
		return fmt.Errorf("%w for %s, so the lease has ended: does benchlab serve run there, and is the network up?",
			transport.ErrCut, silent)
	}
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	why := "is that machine up?"
	hosts, _ := l.conn.Hosts(ctx) // without a response the reason is unknown
	if slices.ContainsFunc(hosts, func(h Host) bool { return h.Name == l.Board.Host && h.Revoked }) {
		why = "the invitation of " + l.Board.Host + " was revoked"
	}
	return fmt.Errorf("%w for %s, so the lease has ended: %s", transport.ErrLost, silent, why)
}

// request sends a request once, if there is a connection. A refusal ends the lease: the host does not know it.
func (l *Lease) request(ctx context.Context, verb string, body []byte, patience time.Duration) ([]byte, error) {
	if !l.conn.nc.IsConnected() {
		return nil, nats.ErrDisconnected
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	msg, err := l.conn.Request(ctx, l.Board.Host, l.conn.use(&l.Board, verb, l.id), body)
	if err != nil {
		return nil, err
	}
	l.hear()
	if err := refusal(msg); err != nil {
		l.end(err)
		return nil, err
	}
	return msg.Data, nil
}

// again is the interval between repetitions of a request, whose answer may be late or lost.
const again = 3 * time.Second

// insist repeats a request until there is an answer, or ctx or the lease ends.
func (l *Lease) insist(ctx context.Context, verb string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(l.context, cancel)()
	for {
		answer, err := l.request(ctx, verb, body, again)
		switch {
		case err == nil:
			return answer, nil
		case l.context.Err() != nil:
			return nil, context.Cause(l.context)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, nats.ErrMaxPayload), errors.Is(err, nats.ErrPermissionViolation):
			return nil, err
		}
		_ = sleep(ctx, Beat/4) // without a responder the error comes at once
	}
}

// Open makes the host open its board as requested, and decodes its description.
func (l *Lease) Open(ctx context.Context, wanted, opened any) error {
	body, err := json.Marshal(wanted)
	if err != nil {
		return err
	}
	answer, err := l.insist(ctx, "open", body)
	if err != nil {
		return fmt.Errorf("%s: %w", &l.Board, err)
	}
	if err := json.Unmarshal(answer, opened); err != nil {
		return fmt.Errorf("%s: its host sent an invalid description: %w", &l.Board, err)
	}
	return nil
}

// Ask implements remote.Link. The host recognizes repeated messages.
func (l *Lease) Ask(ctx context.Context, message []byte) ([]byte, error) {
	answer, err := l.insist(ctx, "ask", message)
	if err == nil {
		l.asked.Store(time.Now().UnixNano())
	}
	return answer, err
}

// Answered returns the time of the board's last answer.
func (l *Lease) Answered() time.Time { return time.Unix(0, l.asked.Load()) }

// Limit implements remote.Link.
func (l *Lease) Limit() int { return int(l.conn.nc.MaxPayload()) }

// Close returns the board. It waits until the host has parked the chip, but at most Silence, after which the host parks
// it without being told. Further calls do nothing.
func (l *Lease) Close() error {
	if l.context.Err() != nil {
		l.still()
		return nil
	}
	// a heartbeat that arrived after the leave would be refused, and the refusal would end the lease
	l.still()
	<-l.stilled
	ctx, cancel := context.WithTimeout(context.Background(), Silence)
	defer cancel()
	answer, err := l.insist(ctx, "leave", nil)
	l.left = string(answer)
	l.end(errLeft)
	return err
}

// Left returns the state in which the host left the board, if notable.
func (l *Lease) Left() string { return printable.Text(l.left) }

var errLeft = errors.New("the board was given back")
