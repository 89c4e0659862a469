package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// A work is the content of one call, sent as one or more requests, several of which may be in flight.
type work interface {
	// next appends the body of the next request, if any.
	next(to []byte) ([]byte, bool)

	// take decodes the body of the next answer and reports whether the work may continue: if not, later answers are
	// ignored. An error means that the answer is invalid.
	take(body []byte) (whole bool, err error)
}

// A call is a work in progress. line outlives ctx until the far end has answered all requests.
type call struct {
	near   *Near
	kind   byte
	ctx    context.Context // of the caller
	line   context.Context // of the link
	hangUp context.CancelCauseFunc

	last   uint64 // number of the last request; guarded by near.mu
	open   bool   // there may be more requests
	counts bool   // the next answer is used
	err    error  // reason for its end
}

// A question is a request in flight.
type question struct {
	request
	answer answer
	err    error
	done   chan struct{}
}

// errSilent reports that the far end did not answer a stop.
var errSilent = errors.New("the far end does not respond to a stop: the link is cut, or the board hangs")

// carry performs a work. If ctx ends, it stops the far end and still receives its answers.
func (n *Near) carry(ctx context.Context, kind byte, w work) error {
	if err := cmp.Or(n.usable(), ctx.Err()); err != nil {
		return err
	}
	c := call{near: n, kind: kind, ctx: ctx, open: true, counts: true}
	c.line, c.hangUp = context.WithCancelCause(context.WithoutCancel(ctx))
	stopped := make(chan struct{})
	idle := context.AfterFunc(ctx, func() { defer close(stopped); c.stop() })
	c.talk(w)
	c.hangUp(nil)
	if !idle() {
		<-stopped // no goroutine outlives its call
	}
	return c.meant()
}

// stop asks the far end to stop the call, and gives it n.patience to answer.
func (c *call) stop() {
	n := c.near
	n.mu.Lock()
	q := request{kind: kindStop, number: c.last} // n.number may already be the next call's
	n.mu.Unlock()
	time.AfterFunc(n.patience, func() { c.hangUp(errSilent) })
	n.link.Ask(c.line, q.append(nil))
}

// talk keeps several requests in flight until there are no more or the answers are no longer used. It waits for all
// answers, to free the buffers and the far end.
func (c *call) talk(w work) {
	var flying []*question
	for {
		for c.open && len(flying) < window {
			if q := c.post(w); q != nil {
				flying = append(flying, q)
			}
		}
		if len(flying) == 0 {
			return
		}
		c.settle(flying[0], w)
		flying = flying[1:]
	}
}

// post sends the next request, if any.
func (c *call) post(w work) *question {
	n := c.near
	n.mu.Lock()
	q := &question{request: request{kind: c.kind, number: n.number + 1}, done: make(chan struct{})}
	n.mu.Unlock()
	buffer := &n.requests[q.number%window] // free: its previous request was answered
	message, more := w.next(q.append((*buffer)[:0]))
	*buffer = message
	if !more || !c.number(q.number) {
		c.open = false
		return nil
	}
	failure.Go(func() {
		defer close(q.done)
		q.answer, q.err = n.put(c.line, q.request, message)
	})
	return q
}

// number assigns the number of the next request, so that a later stop ends it. It reports false once ctx has ended.
func (c *call) number(number uint64) bool {
	c.near.mu.Lock()
	defer c.near.mu.Unlock()
	if c.err = c.ctx.Err(); c.err != nil {
		return false
	}
	c.near.number, c.last = number, number
	return true
}

// settle waits for an answer and decodes it.
func (c *call) settle(q *question, w work) {
	<-q.done
	if q.err != nil {
		c.end(c.near.bury(q.err))
		c.hangUp(nil) // later requests wait for it at the far end
		return
	}
	if !c.counts {
		return
	}
	whole, wrong := true, error(nil)
	if q.answer.err == nil || len(q.answer.body) > 0 {
		whole, wrong = w.take(q.answer.body)
	}
	switch {
	case wrong != nil:
		c.end(c.near.bury(fmt.Errorf("an invalid answer: %w", wrong)))
	case q.answer.err != nil || !whole:
		c.end(q.answer.err)
	}
}

func (c *call) end(err error) { c.open, c.counts, c.err = false, false, err }

// meant returns the error for the caller.
func (c *call) meant() error {
	n, err, ended := c.near, c.err, c.ctx.Err()
	var pin *transport.PinError
	unusable := n.usable()
	switch canceled := errors.Is(err, context.Canceled); {
	case err == nil || errors.As(err, &pin) || c.kind == kindGrid:
		return err
	case unusable == transport.ErrClosed || err == transport.ErrClosed:
		return transport.ErrClosed
	case err == unusable && ended != nil:
		return fmt.Errorf("%w (%w)", err, ended)
	case err == unusable: // includes the name
		return err
	case (canceled || err == ended) && ended != nil:
		return ended
	case canceled: // not requested at this end
		return fmt.Errorf("%s: the far end stopped by itself: %v", n.name, err)
	}
	return fmt.Errorf("%s: %w", n.name, err)
}

// put sends a request and decodes its answer.
func (n *Near) put(ctx context.Context, q request, message []byte) (answer, error) {
	b, err := n.link.Ask(ctx, message)
	if err != nil {
		if cause := context.Cause(ctx); cause == errSilent {
			err = cause
		}
		return answer{}, err
	}
	a, err := readAnswer(b, q)
	if err != nil {
		return a, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sent, n.received = max(n.sent, int(a.sent)), max(n.received, int(a.received))
	return a, nil
}

// A single is a work of one request.
type single struct {
	body, answer []byte
	asked        bool
}

// ask performs a single request.
func (n *Near) ask(ctx context.Context, kind byte, body []byte) ([]byte, error) {
	s := &single{body: body}
	err := n.carry(ctx, kind, s)
	return s.answer, err
}

func (s *single) next(to []byte) ([]byte, bool) {
	more := !s.asked
	s.asked = true
	return append(to, s.body...), more
}

func (s *single) take(body []byte) (bool, error) {
	s.answer = body
	return true, nil
}
