package lab

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"utfbench/internal/crash"
	"utfbench/internal/printable"
)

// A Lease is the exclusive right to use a board, kept alive until Close.
type Lease struct {
	Board Board

	conn    *Conn
	id      string
	context context.Context // ends with the lease; its cause says why it did
	end     context.CancelCauseFunc
	heard   atomic.Int64 // when the host was heard last, in ns of Unix time
	asked   atomic.Int64 // when it last answered for its board
	run     atomic.Pointer[func() Run]
	left    string

	still   context.CancelFunc // ends the signs of life
	stilled chan struct{}      // they have ended
}

// TakenError is that somebody else has a board.
type TakenError struct {
	Board  Board
	Holder *Holder // nil where others wait for it, and the first of them has it in a moment
}

func (e *TakenError) Error() string {
	if e.Holder == nil {
		return fmt.Sprintf("%s is not free: others wait for it; --wait waits too", &e.Board)
	}
	return fmt.Sprintf("%s is not free: %s; --wait waits for it", &e.Board, e.Holder)
}

// Take takes a board. If somebody else has it the error is a *TakenError, or with w.Wait it waits in the queue until
// ctx ends, and tells of each answer.
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
		select { // one who waits outlives a restart of the server
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(Beat):
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
	done := crash.Keep(l.Close)
	crash.Go(func() { defer done(); l.live(beating) })
	return l
}

func (l *Lease) hear() { l.heard.Store(time.Now().UnixNano()) }

// Follow has the host told each Beat how far the run is that uses the board.
func (l *Lease) Follow(run func() Run) { l.run.Store(&run) }

// says returns the progress to report, if any.
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

// live sends a heartbeat each Beat, until ctx ends.
func (l *Lease) live(ctx context.Context) {
	defer close(l.stilled)
	tick := time.NewTicker(Beat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		_, err := l.request(ctx, "alive", l.says(), Beat)
		silent := time.Since(time.Unix(0, l.heard.Load()))
		if err != nil && silent > Silence {
			l.end(fmt.Errorf("nothing was heard of its host for %s, so the lease has ended: is that machine up, and "+
				"the lab's server?", silent.Round(time.Second)))
		}
	}
}

// request asks once. A refusal of the host ends the lease, since it means that the host knows of none.
func (l *Lease) request(ctx context.Context, verb string, body []byte, patience time.Duration) ([]byte, error) {
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

// again is the time after which a request is repeated: its answer may be lost, or late.
const again = 3 * time.Second

// insist asks until there is an answer, ctx ends or the lease does.
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
		select { // where there is nobody the error comes at once
		case <-ctx.Done():
		case <-time.After(Beat / 4):
		}
	}
}

// Open makes the host open its board as wanted, and decodes its description.
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
		return fmt.Errorf("%s: what its host says of it cannot be read: %w", &l.Board, err)
	}
	return nil
}

// Ask implements remote.Link. The host takes a message that comes twice for one.
func (l *Lease) Ask(ctx context.Context, message []byte) ([]byte, error) {
	answer, err := l.insist(ctx, "ask", message)
	if err == nil {
		l.asked.Store(time.Now().UnixNano())
	}
	return answer, err
}

// Answered returns when the board answered last.
func (l *Lease) Answered() time.Time { return time.Unix(0, l.asked.Load()) }

// Limit implements remote.Link.
func (l *Lease) Limit() int { return l.conn.Limit() }

// Close gives the board back. It waits for the host to park the chip, and no longer than Silence, after which the host
// does so by itself. It may be called again, and then does nothing.
func (l *Lease) Close() error {
	if l.context.Err() != nil {
		l.still()
		return nil
	}
	// a sign of life that came to the host after the leave would be refused, and that refusal would end the lease
	l.still()
	<-l.stilled
	ctx, cancel := context.WithTimeout(context.Background(), Silence)
	defer cancel()
	answer, err := l.insist(ctx, "leave", nil)
	l.left = string(answer)
	l.end(errLeft)
	return err
}

// Left returns the state in which the host left the board, if it matters.
func (l *Lease) Left() string { return printable.Text(l.left) }

var errLeft = errors.New("the board was given back")
