//go:build js

package main

import (
	"context"
	"errors"
	"io"
	"sync"
	"syscall/js"
)

// A port is a serial port that the user has selected. The page opens it.
type port struct {
	mu      sync.Mutex
	arrived *sync.Cond // signals that data arrived or the port failed
	unread  []byte
	err     error // why the port failed or was closed; nil while it is open
	asked   map[int]chan error
	last    int // id of the last request
}

func newPort() *port {
	p := &port{asked: map[int]chan error{}, err: io.ErrClosedPipe}
	p.arrived = sync.NewCond(&p.mu)
	return p
}

// open makes the page open the port. It ignores the name.
func (p *port) open(ctx context.Context, _ string) (io.ReadWriteCloser, error) {
	if err := p.ask(ctx, "open", nil); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unread, p.err = nil, nil
	return p, nil
}

// ask sends a request to the page and waits for the answer.
func (p *port) ask(ctx context.Context, act string, b []byte) error {
	answer := make(chan error, 1)
	p.mu.Lock()
	p.last++
	id := p.last
	p.asked[id] = answer
	p.mu.Unlock()
	post(map[string]any{"kind": "serial", "id": id, "act": act, "bytes": array(b)})
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Read implements io.Reader. It blocks until data arrive.
func (p *port) Read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.unread) == 0 && p.err == nil {
		p.arrived.Wait()
	}
	if len(p.unread) == 0 {
		return 0, p.err
	}
	n := copy(b, p.unread)
	p.unread = p.unread[n:]
	return n, nil
}

// Write implements io.Writer. It waits until the page has passed the bytes to the port.
func (p *port) Write(b []byte) (int, error) {
	if err := p.ask(context.Background(), "write", b); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Close implements io.Closer. It waits until the page has closed the port, so that it can be opened again.
func (p *port) Close() error {
	p.gone("the port is closed")
	return p.ask(context.Background(), "close", nil)
}

func (p *port) bytes(a js.Value) {
	b := make([]byte, a.Length())
	js.CopyBytesToGo(b, a)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unread = append(p.unread, b...)
	p.arrived.Broadcast()
}

// gone ends the port, so that later reads fail.
func (p *port) gone(reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = errors.New(reason)
	}
	p.arrived.Broadcast()
}

// answer handles the page's answer to a request. err is null if there is no error.
func (p *port) answer(id int, err js.Value) {
	p.mu.Lock()
	answer := p.asked[id]
	delete(p.asked, id)
	p.mu.Unlock()
	switch {
	case answer == nil:
	case err.Type() == js.TypeString:
		answer <- errors.New(err.String())
	default:
		answer <- nil
	}
}
