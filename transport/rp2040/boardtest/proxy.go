//go:build unix

package boardtest

import (
	"cmp"
	"io"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// A Proxy is a cable that can delay or change data: a second serial line in front of a board's line.
type Proxy struct {
	TTY              string // the bench's end
	ToBoard, ToBench Direction
}

// A Direction is one direction of a Proxy.
type Direction struct {
	Delay time.Duration // delay of each packet, to be set before the packet arrives
	Split int           // maximum bytes of a packet; 0 for all that arrive together
	bytes atomic.Int64
	see   atomic.Pointer[func(n int64, b *byte)]
}

// Bytes returns the number of bytes since the last Watch.
func (w *Direction) Bytes() int64 { return w.bytes.Load() }

// Watch calls see for each byte from now on, with its number, from 0. see may change the byte; nil stops the calls.
func (w *Direction) Watch(see func(n int64, b *byte)) {
	w.bytes.Store(0)
	w.see.Store(&see)
}

// StartProxy puts a proxy in front of a board until the test ends.
func (b *Board) StartProxy(t testing.TB) *Proxy {
	t.Helper()
	p := &Proxy{}
	var line *os.File
	line, p.TTY = openPty(t)
	board, err := os.OpenFile(b.TTY, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { board.Close() })
	go p.ToBoard.pass(board, line)
	go p.ToBench.pass(line, board)
	return p
}

// pass copies bytes until either end is closed.
func (w *Direction) pass(to io.Writer, from io.Reader) {
	buf := make([]byte, 4096)
	for {
		n, err := from.Read(buf)
		for i := range buf[:n] {
			at := w.bytes.Add(1) - 1
			if see := w.see.Load(); see != nil && *see != nil {
				(*see)(at, &buf[i])
			}
		}
		if err != nil {
			return
		}
		for packet := range slices.Chunk(buf[:n], cmp.Or(w.Split, len(buf))) {
			time.Sleep(w.Delay)
			if _, err := to.Write(packet); err != nil {
				return
			}
		}
	}
}
