package page

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"utfbench/transport/lab"
)

// BenchmarkPage measures the whole page of a lab of 200 boards that all change ten times a second, with ten other
// followers.
func BenchmarkPage(b *testing.B) {
	f := newFake()
	for i := range 200 {
		f.boards = append(f.boards, taken(fmt.Sprint("board", i)))
		f.boards[i].Progress = &lab.Progress{Run: &lab.Run{Of: 8213, Verdicts: "PASS 1", First: "a vector, step 1"}}
	}
	for i := range 100 {
		f.events = append(f.events, lab.Event{Number: uint64(i), Host: "pi1", What: "is taken"})
	}
	p := served(b, f)
	for range 10 {
		follows(b, p)
	}
	moving := time.NewTicker(100 * time.Millisecond)
	go func() {
		for p.ctx.Err() == nil {
			<-moving.C
			f.change(func() {
				for i := range f.boards {
					now := *f.boards[i].Progress
					now.Steps += 9999
					f.boards[i].Progress = &now
				}
			})
		}
	}()
	c := p.client(b, "first")
	for b.Loop() {
		if code, _ := get(b, c, p.url.String()); code != http.StatusOK {
			b.Fatal(code)
		}
	}
}

// follows starts a browser that follows the lab until the page is closed.
func follows(b *testing.B, p *Page) {
	c := p.client(b, "pi1")
	c.Timeout = 0
	r, err := c.Get(p.url.String() + "/stream")
	if err != nil {
		b.Fatal(err)
	}
	begun := bufio.NewReader(r.Body)
	if _, err := begun.ReadString('\n'); err != nil {
		b.Fatal(err)
	}
	go func() {
		_, _ = io.Copy(io.Discard, begun) // until the page closes
		r.Body.Close()
	}()
}
