package rp2040

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport"
)

// A tap is a port that counts the bytes and can change them.
type tap struct {
	io.ReadWriteCloser
	sent, read atomic.Int64
	onSent     func(sent int64)                 // optional
	onRead     func(read int64, b []byte) error // optional; may change b
}

func (p *tap) Write(b []byte) (int, error) {
	for i := range b { // byte by byte, to call onSent after each
		if _, err := p.ReadWriteCloser.Write(b[i : i+1]); err != nil {
			return i, err
		}
		if n := p.sent.Add(1); p.onSent != nil {
			p.onSent(n)
		}
	}
	return len(b), nil
}

func (p *tap) Read(b []byte) (int, error) {
	n, err := p.ReadWriteCloser.Read(b)
	if read := p.read.Add(int64(n)); err == nil && p.onRead != nil {
		err = p.onRead(read, b[:n])
	}
	return n, err
}

// opening returns the number of bytes transferred in each direction while a board is opened.
func opening(t *testing.T) (sent, read int64) {
	t.Helper()
	p := &tap{ReadWriteCloser: (&fake{}).start(t)}
	tr := testkit.Must(startOn(context.Background(), p, "fake", Config{Pins: tt06}))(t)
	sent, read = p.sent.Load(), p.read.Load()
	tr.Close()
	return sent, read
}

// If the opening is interrupted at any point, it returns the context's error and leaves the board at its prompt.
func TestInterruptedOpening(t *testing.T) {
	all, _ := opening(t)
	step := all / int64(testkit.Pick(20, 80))
	for at := int64(1); at < all; at += step {
		inBubble(t, fmt.Sprint(at), func(t *testing.T) {
			f := &fake{}
			ctx, interrupt := context.WithCancel(context.Background())
			defer interrupt()
			p := &tap{ReadWriteCloser: f.start(t), onSent: func(sent int64) {
				if sent == at {
					interrupt()
				}
			}}
			if tr, err := startOn(ctx, p, "fake", Config{Pins: tt06}); err == nil {
				tr.Close()
				t.Error("it gave no error")
			} else if !errors.Is(err, context.Canceled) {
				t.Errorf("%v; want the context's error", err)
			}
			<-f.ended
			if !f.atREPL || f.loader != (fakeLoader{}) || f.frames > 0 && !f.parked {
				t.Errorf("afterwards: prompt %v, loader %+v, %d frames, parked %v; want the prompt, nothing left, "+
					"and the chip parked", f.atREPL, f.loader, f.frames, f.parked)
			}
		})
	}
}

// Even if a board prints endlessly, quickly or slowly, the opening ends with an error.
func TestOpeningEnds(t *testing.T) {
	_, all := opening(t)
	for name, every := range map[string]time.Duration{"talks": time.Millisecond, "drips": 20 * time.Millisecond} {
		for after := int64(0); after < all; after += all / int64(testkit.Pick(4, 12)) {
			inBubble(t, fmt.Sprint(name, after), func(t *testing.T) {
				ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
				defer cancel()
				err := openAndClose(ctx, &talker{tap: tap{ReadWriteCloser: (&fake{}).start(t)},
					after: after, every: every, closed: make(chan struct{})})
				if err == nil || ctx.Err() != nil || err.Error() == "" {
					t.Errorf("%v, %v; want an error of the board", err, ctx.Err())
				}
			})
		}
	}
}

// openAndClose opens a board, queries it, starts the program and closes it.
func openAndClose(ctx context.Context, port io.ReadWriteCloser) error {
	c, err := Dial(ctx, port, "fake", DefaultPatience)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.ReadFacts(ctx); err != nil {
		return err
	}
	tr, err := c.Start(ctx, Config{Pins: tt06})
	if err == nil {
		err = tr.Close()
	}
	return err
}

// A talker is a board that, after some bytes, prints nonsense at intervals until it is closed.
type talker struct {
	tap
	after  int64
	every  time.Duration
	closed chan struct{}
}

func (p *talker) Close() error {
	close(p.closed)
	return p.tap.Close()
}

func (p *talker) Read(b []byte) (int, error) {
	if p.read.Load() < p.after {
		return p.tap.Read(b[:min(int64(len(b)), p.after-p.read.Load())])
	}
	select {
	case <-p.closed:
		return 0, io.ErrClosedPipe
	case <-time.After(p.every):
	}
	if p.every > time.Millisecond {
		b = b[:1]
	}
	return copy(b, bytes.Repeat([]byte("counter 1\r\n"), 1+len(b)/11)), nil
}

// The opening waits for a start in progress, and does not disturb it.
func TestOpeningWaitsForMainPy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{starting: 2 * time.Second}
		if err := mustOpen(t, f, Config{}).Close(); err != nil {
			t.Error(err)
		}
		<-f.ended
		if f.ruined || f.starts != 1 {
			t.Errorf("ruined %v after %d starts; want no, after 1", f.ruined, f.starts)
		}
	})
}

// If the board takes longer than the timeout to restart, Reboot returns an error.
func TestSlowReboot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		c := testkit.Must(Dial(t.Context(), f.start(t), "fake", DefaultPatience))(t)
		defer c.Close()
		f.set(func() { f.starting = 5 * time.Minute })
		if err := c.Reboot(t.Context()); err == nil || !strings.Contains(err.Error(), "the prompt does not appear: ") {
			t.Error(err)
		}
	})
}

// delay returns a port with a latency in each direction that does not depend on the number of bytes.
func delay(port io.ReadWriteCloser, by time.Duration) io.ReadWriteCloser {
	bench, far := net.Pipe()
	carry := func(to io.WriteCloser, from io.Reader) {
		type part struct {
			due time.Time
			b   []byte
		}
		way := make(chan part, 10_000)
		go func() {
			defer close(way)
			for {
				b := make([]byte, 4096)
				n, err := from.Read(b)
				if err != nil {
					return
				}
				way <- part{time.Now().Add(by), b[:n]}
			}
		}()
		for p := range way {
			time.Sleep(time.Until(p.due))
			to.Write(p.b)
		}
		to.Close()
	}
	go carry(port, far)
	go carry(far, port)
	return bench
}

// On a slow link timeouts grow with the latency that each opening measures, so that a run completes.
func TestSlowLink(t *testing.T) {
	for by, want := range map[time.Duration]time.Duration{0: DefaultPatience, 10 * time.Millisecond: DefaultPatience,
		100 * time.Millisecond: 20 * time.Second, time.Second: 200 * time.Second} {
		inBubble(t, by.String(), func(t *testing.T) {
			f := &fake{}
			tr := testkit.Must(startOn(t.Context(), delay(f.start(t), by), "fake", Config{Pins: tt06}))(t)
			steps := testkit.Stimulus(1, 3000)
			got := make([]transport.Sample, len(steps))
			if _, err := tr.Apply(t.Context(), steps, got); err != nil || !slices.Equal(got,
				testkit.ModelSamples(model.TT09, steps)) {
				t.Errorf("Apply: %v, or a sample differs", err)
			}
			if err := tr.Close(); err != nil || tr.patience.Round(time.Millisecond) != want ||
				f.told < int(want.Milliseconds()*2/3)-1 {
				t.Errorf("Close: %v; patience %s, want %s; silence %d ms", err, tr.patience, want, f.told)
			}
		})
	}
}

// Start clears the memory once if the program does not fit beside the SDK.
func TestOpeningClearsMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{memory: 8000}
		tr := mustOpen(t, f, Config{})
		if err := tr.Close(); err != nil || f.clears != 1 {
			t.Errorf("Close: %v, after %d soft resets; want 1", err, f.clears)
		}
	})
}
