package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"utfbench/internal/crash"
	"utfbench/transport"
)

// A work is what one call asks of the far end, in one request or several that are on their way at a time.
type work interface {
	// next appends the body of the next request, if any.
	next(to []byte) ([]byte, bool)

	// take takes the body of the next answer. It is not whole if those behind it do not count. The error is that the
	// far end cannot have meant it.
	take(body []byte) (whole bool, err error)
}

// A call is the time of a work: line lives on after ctx, until the far end has said what became of it.
type call struct {
	near   *Near
	kind   byte
	ctx    context.Context // the caller's
	line   context.Context // the link's
	hangUp context.CancelCauseFunc

	last   uint64 // number that was given to a request, under near.mu
	open   bool   // there may be more to ask
	counts bool   // the next answer counts
	err    error  // what ended it
}

// A question is a request on its way.
type question struct {
	request
	answer answer
	err    error
	done   chan struct{}
}

// errSilent is that the far end did not answer a stop.
var errSilent = errors.New("the far end does not respond to a stop: the link is cut, or the board hangs")

// carry performs a work. If ctx ends it stops the far end, and still takes its answers.
func (n *Near) carry(ctx context.Context, kind byte, w work) error {
	if err := cmp.Or(n.usable(), ctx.Err()); err != nil {
		return err
	}
	c := call{near: n, kind: kind, ctx: ctx, open: true, counts: true}
	c.line, c.hangUp = context.WithCancelCause(context.WithoutCancel(ctx))
	defer c.hangUp(nil)
	defer context.AfterFunc(ctx, c.stop)()
	c.talk(w)
	return c.meant()
}

// stop stops the requests sent so far.
func (c *call) stop() {
	n := c.near
	n.mu.Lock()
	q := request{kind: kindStop, number: c.last} // n.number may be the next call's by now
	n.mu.Unlock()
	time.AfterFunc(n.patience, func() { c.hangUp(errSilent) })
	n.link.Ask(c.line, q.append(nil))
}

// talk keeps some requests in flight until there are no more, or the answers no longer matter. It waits for all
// answers, which frees the buffers and the far end.
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

// post sends the next request, if there is one.
func (c *call) post(w work) *question {
	n := c.near
	n.mu.Lock()
	q := &question{request: request{kind: c.kind, number: n.number + 1}, done: make(chan struct{})}
	n.mu.Unlock()
	buffer := &n.requests[q.number%window] // of the request that was answered so long ago
	message, more := w.next(q.append((*buffer)[:0]))
	*buffer = message
	if !more || !c.number(q.number) {
		c.open = false
		return nil
	}
	crash.Go(func() {
		defer close(q.done)
		q.answer, q.err = n.put(c.line, q.request, message)
	})
	return q
}

// number returns the number of the next request, so that a later stop ends it. There is none after ctx.
func (c *call) number(number uint64) bool {
	c.near.mu.Lock()
	defer c.near.mu.Unlock()
	if c.err = c.ctx.Err(); c.err != nil {
		return false
	}
	c.near.number, c.last = number, number
	return true
}

// settle waits for an answer and takes it.
func (c *call) settle(q *question, w work) {
	<-q.done
	if q.err != nil {
		c.end(c.near.bury(q.err))
		c.hangUp(nil) // those behind it wait for it at the far end
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
		c.end(c.near.bury(fmt.Errorf("an answer that makes no sense: %w", wrong)))
	case q.answer.err != nil || !whole:
		c.end(q.answer.err)
	}
}

func (c *call) end(err error) { c.open, c.counts, c.err = false, false, err }

// meant converts the error for the caller.
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
	case err == unusable: // with the name in it
		return err
	case (canceled || err == ended) && ended != nil:
		return ended
	case canceled: // nobody here asked for that
		return fmt.Errorf("%s: the far end stopped by itself: %v", n.name, err)
	}
	return fmt.Errorf("%s: %w", n.name, err)
}

// put sends a request and reads its answer.
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

// A single is one request.
type single struct {
	body, answer []byte
	asked        bool
}

// ask asks for one thing.
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
