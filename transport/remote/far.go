package remote

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"utfbench/transport"
)

// A Far executes a Near's requests on its own transport.
type Far struct {
	player player // used only by the request in turn

	mu             sync.Mutex
	begun          bool
	done           uint64             // number of the last executed request
	stopped        uint64             // number of the last stopped request
	cancel         context.CancelFunc // ends the request in progress
	kept           [2 * window]*entry // recent and expected requests
	sent, received uint64             // by the transport

	closed  chan struct{}
	closing sync.Once
	left    error // error of the transport's Close
}

// An entry is a request, and then its answer.
type entry struct {
	number uint64
	taken  bool          // by the goroutine that executes it
	done   chan struct{} // closed once there is an answer
	answer []byte
}

// NewFar returns a far end for a transport, which it then owns and closes.
func NewFar(tr transport.Transport) *Far {
	return &Far{player: player{tr: tr}, closed: make(chan struct{})}
}

// Answer answers a request. Each call needs its own goroutine, since a request waits for earlier ones and a stop
// overtakes those that it ends. Up to four requests, a stop, a close, and the link's repeats may be in progress. The
// end of ctx ends execution. The answer to an invalid request is an error.
func (f *Far) Answer(ctx context.Context, message []byte) []byte {
	r, err := readRequest(message)
	switch {
	case err != nil:
		return f.refuse(r, err)
	case r.kind == kindStop:
		f.stop(r.number)
		return f.answer(r, nil, nil)
	case r.kind == kindClose:
		return f.answer(r, nil, f.Close())
	}
	e, mine, err := f.admit(r)
	if err != nil {
		return f.refuse(r, err)
	}
	if mine {
		return f.execute(ctx, r, e)
	}
	select {
	case <-e.done:
		return e.answer
	case <-ctx.Done():
		return f.refuse(r, ctx.Err())
	}
}

// Steps returns the number of steps executed so far. It may be called at any time.
func (f *Far) Steps() uint64 { return f.player.steps.Load() }

// Close ends execution, closes the transport and returns its error. Further calls return the same error.
func (f *Far) Close() error {
	f.closing.Do(func() {
		f.mu.Lock()
		close(f.closed)
		if f.cancel != nil {
			f.cancel()
		}
		f.mu.Unlock()
		f.left = f.player.tr.Close()
	})
	return f.left
}

// stop ends the requests up to a number, including ones that have not arrived.
func (f *Far) stop(number uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.begun || before(number, f.stopped) || before(f.done+window, number) {
		return // outdated, or another user's
	}
	f.stopped = number
	if f.cancel != nil && !before(number, f.done+1) {
		f.cancel()
	}
}

// before reports whether a precedes b, if they are close together.
func before(a, b uint64) bool { return int64(a-b) < 0 }

// admit returns the entry of a request. It reports mine once per request, to the caller that has to execute it.
func (f *Far) admit(r request) (e *entry, mine bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.begun {
		if r.kind != kindHello {
			return nil, false, fmt.Errorf("request %q came before hello", r.kind)
		}
		f.begun, f.done, f.stopped = true, r.number-1, r.number-1
	}
	if ahead := int64(r.number - f.done); ahead > window || ahead <= -window {
		return nil, false, fmt.Errorf("request %d is old or of another user: number %d is due", r.number, f.done+1)
	}
	e = f.entry(r.number)
	mine, e.taken = !e.taken, true
	return e, mine, nil
}

// entry returns the entry of a number close to the one that is due.
func (f *Far) entry(number uint64) *entry {
	e := &f.kept[number%uint64(len(f.kept))]
	if *e == nil || (*e).number != number {
		*e = &entry{number: number, done: make(chan struct{})}
	}
	return *e
}

// execute waits for a request's turn and executes it.
func (f *Far) execute(ctx context.Context, r request, e *entry) []byte {
	if err := f.await(ctx, r.number); err != nil {
		return f.giveBack(r, e, err)
	}
	ctx, cancel := f.begin(ctx, r.number)
	defer cancel()
	body, err := f.play(ctx, r)
	f.count()
	a := f.answer(r, body, err)
	if f.player.limit > 0 && len(a) > f.player.limit {
		a = f.answer(r, nil, fmt.Errorf("an answer of %d bytes exceeds the link's limit of %d", len(a), f.player.limit))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.done, f.cancel, e.answer = r.number, nil, a
	close(e.done)
	return a
}

// giveBack leaves a request that ended before its turn to its next delivery, unless the far end is closed.
func (f *Far) giveBack(r request, e *entry, err error) []byte {
	a := f.refuse(r, err)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.isClosed() {
		e.answer = a
		close(e.done)
	} else {
		e.taken = false
	}
	return a
}

// await waits until all requests before a number are executed.
func (f *Far) await(ctx context.Context, number uint64) error {
	f.mu.Lock()
	if f.done == number-1 {
		f.mu.Unlock()
		return nil
	}
	e := f.entry(number - 1)
	f.mu.Unlock()
	select {
	case <-e.done:
		return nil
	case <-f.closed:
		return transport.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// begin returns the context of the request in turn, cancelled if it was already stopped.
func (f *Far) begin(ctx context.Context, number uint64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cancel = cancel
	if !before(f.stopped, number) || f.isClosed() {
		cancel()
	}
	return ctx, cancel
}

func (f *Far) isClosed() bool {
	select {
	case <-f.closed:
		return true
	default:
		return false
	}
}

// play executes a request, unless it was stopped.
func (f *Far) play(ctx context.Context, r request) (body []byte, err error) {
	if err = ctx.Err(); err == nil {
		body, err = f.player.play(ctx, r)
	}
	if err != nil && f.isClosed() {
		err = transport.ErrClosed
	}
	return body, err
}

// count reads the transport's counters between requests, since a busy transport would block every answer.
func (f *Far) count() {
	meter, counts := f.player.tr.(transport.Meter)
	if !counts {
		return
	}
	sent, received := meter.Traffic()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent, f.received = uint64(sent), uint64(received)
}

// answer encodes an answer. An error in the request itself is a refusal.
func (f *Far) answer(to request, body []byte, err error) []byte {
	if errors.Is(err, errCut) {
		return f.refuse(to, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return answer{request{to.kind, to.number, body}, f.sent, f.received, err}.bytes()
}

func (f *Far) refuse(to request, err error) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return answer{request{kindRefused, to.number, nil}, f.sent, f.received, err}.bytes()
}
