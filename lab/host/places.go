package host

import (
	"strings"
	"sync"

	"github.com/nats-io/nats.go"

	"utfbench/transport/lab"
)

// mostAsked is the maximum number of concurrent requests per key and board; a user has a few.
const mostAsked = 16

// maxRequest is the maximum length in bytes of a request other than steps.
const maxRequest = 1 << 20

// places limits the concurrent requests per key and board, so that a slow key cannot block the others.
type places struct {
	mu    sync.Mutex
	taken map[string]int
}

// take reserves a place for a request, if one is free and the request is not too long.
func (p *places) take(m *nats.Msg) (of string, free bool) {
	words := strings.SplitN(m.Subject, ".", 6)
	of = strings.Join(words[:min(4, len(words))], ".") // use.KEY.HOST.BOARD, or a server's order
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
		return 4 << 20 // transport/remote checks the message
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
