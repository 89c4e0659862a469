package remote

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"utfbench/transport"
)

// memory is a link in memory with a limited message size.
type memory struct {
	far    *Far
	limit  int
	closed bool
}

func (m *memory) Ask(ctx context.Context, request []byte) ([]byte, error) {
	if len(request) > m.limit {
		return nil, fmt.Errorf("a request of %d bytes, and %d is the most", len(request), m.limit)
	}
	answer := m.far.Answer(ctx, slices.Clone(request))
	if len(answer) > m.limit {
		return nil, fmt.Errorf("an answer of %d bytes, and %d is the most", len(answer), m.limit)
	}
	return answer, nil
}

func (m *memory) Limit() int   { return m.limit }
func (m *memory) Close() error { m.closed = true; return nil }

func (m *memory) wasClosed() bool { return m.closed }

// wild is a link that delays, reorders and repeats requests, even after their answers, and loses answers, so that it
// has to retry.
type wild struct {
	memory
	mu   sync.Mutex
	rng  *rand.Rand
	late sync.WaitGroup
}

func newWild(t testing.TB, tr transport.Transport, limit int, seed uint64) *wild {
	w := &wild{memory: memory{far: NewFar(tr), limit: limit}, rng: rand.New(rand.NewPCG(seed, 1))}
	t.Cleanup(w.late.Wait)
	return w
}

// chance reports true with probability 1/n.
func (w *wild) chance(n int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.rng.IntN(n) == 0
}

func (w *wild) wait() {
	w.mu.Lock()
	d := w.rng.IntN(200)
	w.mu.Unlock()
	if d < 20 {
		time.Sleep(time.Duration(d) * time.Microsecond)
	}
}

func (w *wild) Ask(ctx context.Context, request []byte) ([]byte, error) {
	request = slices.Clone(request)
	for {
		w.wait()
		if w.chance(4) {
			w.late.Go(func() { w.wait(); w.far.Answer(context.Background(), request) })
		}
		answer := w.far.Answer(context.Background(), request)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !w.chance(4) {
			return answer, nil
		}
	}
}

// cut is a link that breaks at one request; Open's is the first.
type cut struct {
	memory
	mu    sync.Mutex
	after int
}

var errPulled = errors.New("the cable was pulled")

func (c *cut) Ask(ctx context.Context, request []byte) ([]byte, error) {
	c.mu.Lock()
	c.after--
	broken := c.after < 0
	c.mu.Unlock()
	if broken {
		return nil, errPulled
	}
	return c.memory.Ask(ctx, request)
}

// open opens a transport over a link in memory with parts of room bytes, or the link's default for 0.
func open(t testing.TB, tr transport.Transport, room int) *Near {
	t.Helper()
	return openOver(t, &memory{far: NewFar(tr), limit: 1 << 20}, room)
}

func openOver(t testing.TB, link Link, room int) *Near {
	t.Helper()
	n, err := Open(context.Background(), link, "lab:bench")
	if err != nil {
		t.Fatal(err)
	}
	if room > 0 {
		n.room = room
	}
	t.Cleanup(func() { n.Close() })
	return n
}
