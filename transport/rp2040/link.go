package rp2040

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"utfbench/internal/failure"
)

// A link is a port with a goroutine for each direction, so that neither reads nor writes can block the bench. It reads
// continuously: a board drops its output if the host does not read for half a second.
type link struct {
	rwc  io.ReadWriteCloser
	in   chan []byte
	out  chan []byte
	gone chan struct{} // closed when the port has failed
	stop chan struct{} // closed by close
	once sync.Once
	err  error  // failure, once gone is closed
	rest []byte // received but not yet used

	patient float64       // the user's factor for timeouts; 0 means 1
	latency time.Duration // of the fastest exchange so far; 0 before the first

	sent, received int // bytes
}

// TypicalLatency is the maximum latency of an exchange for which the timeouts are designed. It covers several USB
// frames of 1 ms and the compilation of a line of Python.
const TypicalLatency = 30 * time.Millisecond

// slow scales a timeout for a slow board, such as an emulated one, or a slow link.
func (l *link) slow(d time.Duration) time.Duration {
	return time.Duration(float64(d) * max(1, l.patient, float64(l.latency)/float64(TypicalLatency)))
}

// measure updates the latency with an exchange that began at the given time.
func (l *link) measure(began time.Time) {
	if d := max(1, time.Since(began)); l.latency == 0 || d < l.latency {
		l.latency = d
	}
}

// errQuiet reports a board that did not respond in time.
var errQuiet = errors.New("the board is silent")

// keptMost limits the text kept from a board that prints endlessly.
const keptMost = 64 << 10

// queue is the capacity of each direction, more than the frames in flight.
const queue = 128

func newLink(rwc io.ReadWriteCloser) *link {
	l := &link{rwc: rwc, in: make(chan []byte, queue), out: make(chan []byte, queue), gone: make(chan struct{}),
		stop: make(chan struct{})}
	failure.Go(l.reads)
	failure.Go(l.writes)
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
		if n == 0 { // the serial port's own timeout
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

// close closes the port. Unsent bytes may be lost.
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
		return fmt.Errorf("%w: it accepts no further bytes", errQuiet)
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

func (l *link) take(ctx context.Context, patience time.Duration, n int) ([]byte, error) {
	for end := time.Now().Add(patience); len(l.rest) < n; {
		if err := l.more(ctx, time.Until(end)); err != nil {
			return nil, err
		}
	}
	b := l.rest[:n:n]
	l.rest = l.rest[n:]
	return b, nil
}

// until waits for the mark within patience, and returns the text before it. It fails on endless output without one.
func (l *link) until(ctx context.Context, patience time.Duration, mark string) (string, error) {
	end := time.Now().Add(patience)
	for from := 0; ; {
		if i := bytes.Index(l.rest[from:], []byte(mark)); i >= 0 {
			before := string(l.rest[:from+i])
			l.rest = l.rest[from+i+len(mark):]
			return before, nil
		}
		if len(l.rest) > keptMost {
			return "", fmt.Errorf("%w, or prints endlessly: %d bytes and no %q among them", errQuiet, len(l.rest), mark)
		}
		from = max(0, len(l.rest)-len(mark)+1)
		if err := l.more(ctx, time.Until(end)); err != nil {
			return "", err
		}
	}
}

// drain discards input until the board has been quiet for the given time, or has been printing for 20 times as long.
func (l *link) drain(ctx context.Context, quiet time.Duration) error {
	for end := time.Now().Add(20 * quiet); time.Now().Before(end); {
		err := l.more(ctx, quiet)
		l.rest = nil
		if errors.Is(err, errQuiet) {
			break
		}
		if err != nil {
			return err
		}
	}
	return nil
}
