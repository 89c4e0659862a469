package lab

import (
	"context"
	"crypto/rand"
	"sync"

	"github.com/nats-io/nats.go"
)

// Server is the name of the lab's server in subjects. No key can have it.
const Server = "+"

// InboxOf returns the prefix of a key's answer subjects.
func InboxOf(key string) string { return "_INBOX." + key + "." }

// AnswersOf returns the subjects on which only the given party may answer; see [Mailbox].
func AnswersOf(party string) string { return "_INBOX.*." + party + ".>" }

// A Mailbox sends requests and receives their answers. An answer's subject names the responder, and only the responder
// may publish there. It includes a token from crypto/rand, so it cannot be guessed. The requests of nats.go have
// neither property: their tokens come from math/rand.
type Mailbox struct {
	nc     *nats.Conn
	key    string
	token  string        // of this connection
	closed chan struct{} // by Close

	mu      sync.Mutex
	waiting map[string]chan *nats.Msg // by subject of the answer
}

// NewMailbox returns the mailbox of a key, or of [Server], on a connection of its own.
func NewMailbox(nc *nats.Conn, key string) (*Mailbox, error) {
	b := &Mailbox{nc: nc, key: key, token: rand.Text(), closed: make(chan struct{}),
		waiting: map[string]chan *nats.Msg{}}
	_, err := nc.Subscribe(InboxOf(key)+"*."+b.token+".*", b.take)
	return b, err
}

// Close ends all requests in progress. The connection stays open.
func (b *Mailbox) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-b.closed:
	default:
		close(b.closed)
	}
}

// take passes an answer to its request. It drops duplicates and unexpected answers.
func (b *Mailbox) take(m *nats.Msg) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if to := b.waiting[m.Subject]; to != nil {
		delete(b.waiting, m.Subject)
		to <- m // never blocks: it has a buffer
	}
}

// Request sends a request to a party, a key or [Server], and returns the answer. The error is nats.ErrNoResponders if
// nothing listens.
func (b *Mailbox) Request(ctx context.Context, party, subject string, body []byte) (*nats.Msg, error) {
	inbox := InboxOf(b.key) + party + "." + b.token + "." + rand.Text()
	answer := make(chan *nats.Msg, 1)
	b.mu.Lock()
	b.waiting[inbox] = answer
	b.mu.Unlock()
	defer b.forget(inbox)
	if err := b.nc.PublishRequest(subject, inbox, body); err != nil {
		return nil, err
	}
	select {
	case m := <-answer:
		if len(m.Data) == 0 && m.Header.Get("Status") == "503" { // from NATS itself
			return nil, nats.ErrNoResponders
		}
		return m, nil
	case <-b.closed:
		return nil, nats.ErrConnectionClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (b *Mailbox) forget(inbox string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.waiting, inbox)
}
