package host

import (
	"strings"
	"sync"

	"github.com/nats-io/nats.go"

	"utfbench/transport/lab"
)

// mostAsked is how many requests of one key about one board are answered at a time: a user has a few at most.
const mostAsked = 16

// maxRequest is how many bytes a request has that is no step of the chip.
const maxRequest = 1 << 20

// Places limits the requests in progress per key and board, so that a slow request of one key leaves room for the
// others.
type places struct {
	mu    sync.Mutex
	taken map[string]int
}

// take takes a place for a request, if there is one and the request is not too long to be one.
func (p *places) take(m *nats.Msg) (of string, free bool) {
	words := strings.SplitN(m.Subject, ".", 6)
	of = strings.Join(words[:min(4, len(words))], ".") // use.KEY.HOST.BOARD, or an order of the server's
	if len(m.Data) > limit(words) {
		return of, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken == nil {
		p.taken = map[string]int{}
	}
	if p.taken[of] == mostAsked {
		return of, false
	}
	p.taken[of]++
	return of, true
}

// limit returns the maximum length of a request.
func limit(words []string) int {
	switch {
	case len(words) < 5 || words[4] == "open":
		return maxRequest
	case words[4] == "ask":
		return 4 << 20 // which transport/remote looks at
	case words[4] == "alive":
		return lab.MaxRun
	}
	return 64 << 10
}

func (p *places) leave(of string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken[of]--; p.taken[of] == 0 {
		delete(p.taken, of)
	}
}
