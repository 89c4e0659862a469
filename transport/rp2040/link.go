package rp2040

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// A link is the port with a goroutine for each direction, so that neither a read nor a write can hang the bench. The reader
// reads all the time: a board drops its output when the host does not read for half a second.
type link struct {
	rwc  io.ReadWriteCloser
	in   chan []byte
	out  chan []byte
	gone chan struct{} // closed when the port has failed
	stop chan struct{} // closed by close
	once sync.Once
	err  error  // why gone
	rest []byte // read and not yet used

	sent, received int // bytes, for the benchmark
}

// errQuiet is the board's silence.
var errQuiet = errors.New("the board is silent")

// queue is how many pieces may wait in each direction; more than frames in flight.
const queue = 128

func newLink(rwc io.ReadWriteCloser) *link {
	l := &link{rwc: rwc, in: make(chan []byte, queue), out: make(chan []byte, queue), gone: make(chan struct{}), stop: make(chan struct{})}
	go l.reads()
	go l.writes()
	return l
}

func (l *link) fail(err error) {
	l.once.Do(func() {
		l.err = fmt.Errorf("the port failed (%w): was the cable pulled, or the board reset?", err)
		close(l.gone)
	})
}

func (l *link) reads() {
	for {
		buf := make([]byte, 4096)
		n, err := l.rwc.Read(buf)
		if n > 0 {
			select {
			case l.in <- buf[:n]:
			case <-l.stop:
				return
			}
		}
		if err != nil {
			l.fail(err)
			return
		}
		if n == 0 { // a serial port's own time-out
			time.Sleep(time.Millisecond)
		}
	}
}

func (l *link) writes() {
	for {
		select {
		case b := <-l.out:
			for len(b) > 0 { // a serial port's Write may be short without an error
				n, err := l.rwc.Write(b)
				if err != nil {
					l.fail(err)
					return
				}
				b = b[n:]
			}
		case <-l.stop:
			return
		}
	}
}

// close frees the port. What was sent before may be lost.
func (l *link) close() error {
	close(l.stop)
	return l.rwc.Close()
}

func (l *link) send(b []byte) error {
	l.sent += len(b)
	select {
	case l.out <- b:
		return nil
	case <-l.gone:
		return l.err
	default:
		return fmt.Errorf("%w: it takes no more bytes", errQuiet)
	}
}

// more waits for bytes and appends them to rest.
func (l *link) more(ctx context.Context, patience time.Duration) error {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case b := <-l.in:
		l.add(b)
		return nil
	default:
	}
	select {
	case b := <-l.in:
		l.add(b)
		return nil
	case <-l.gone:
		return l.err
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return errQuiet
	}
}

func (l *link) add(b []byte) {
	l.received += len(b)
	l.rest = append(l.rest, b...)
}

// take waits for n bytes.
func (l *link) take(ctx context.Context, patience time.Duration, n int) ([]byte, error) {
	for len(l.rest) < n {
		if err := l.more(ctx, patience); err != nil {
			return nil, err
		}
	}
	b := l.rest[:n:n]
	l.rest = l.rest[n:]
	return b, nil
}

// until waits for the mark, and returns what came before it. What goes on for too long is no answer either.
func (l *link) until(ctx context.Context, patience time.Duration, mark string) (string, error) {
	const most = 64 << 10
	for {
		if i := bytes.Index(l.rest, []byte(mark)); i >= 0 {
			before := string(l.rest[:i])
			l.rest = l.rest[i+len(mark):]
			return before, nil
		}
		if len(l.rest) > most {
			return "", fmt.Errorf("%w, or talks without end: %d bytes and no %q among them", errQuiet, len(l.rest), mark)
		}
		if err := l.more(ctx, patience); err != nil {
			return "", err
		}
	}
}

// drain throws away what comes until nothing has come for a while, or for too long.
func (l *link) drain(ctx context.Context, quiet time.Duration) error {
	for end := time.Now().Add(20 * quiet); time.Now().Before(end); {
		if err := l.more(ctx, quiet); errors.Is(err, errQuiet) {
			break
		} else if err != nil {
			return err
		}
	}
	l.rest = nil
	return nil
}
