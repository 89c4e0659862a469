package testkit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// browserPatience is the timeout of every operation, generous for a busy machine.
const browserPatience = 5 * time.Minute

// A Browser is a Chromium that runs until its test ends.
type Browser struct {
	out io.Writer // requests

	mu      sync.Mutex
	number  int
	answers map[int]chan browserMessage
	tabs    map[string]*Tab // by session
	ended   chan struct{}   // closed when the browser's output ends
}

// A browserMessage is a request, a response or an event of the protocol.
type browserMessage struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// StartBrowser starts a headless Chromium, controlled by the DevTools protocol over a pipe. It skips the test if
// Chromium is not installed.
func StartBrowser(t testing.TB) *Browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed (package chromium)")
	}
	theirIn, out := pipe(t)
	in, theirOut := pipe(t)
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
		"--remote-debugging-pipe", "--user-data-dir="+t.TempDir())
	cmd.ExtraFiles = []*os.File{theirIn, theirOut} // these become file descriptors 3 and 4, as Chromium expects
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirIn.Close()
	theirOut.Close()
	b := &Browser{out: out, answers: map[int]chan browserMessage{}, tabs: map[string]*Tab{}, ended: make(chan struct{})}
	go b.read(in)
	t.Cleanup(func() {
		_, _ = b.ask("", "Browser.close", nil) // the browser may end before it responds
		if err := cmd.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Error(err)
		}
		out.Close()
		in.Close()
	})
	return b
}

func pipe(t testing.TB) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

// read dispatches the browser's messages.
func (b *Browser) read(in io.Reader) {
	defer close(b.ended)
	for r := bufio.NewReader(in); ; {
		text, err := r.ReadBytes(0)
		var m browserMessage
		if err != nil || json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &m) != nil {
			return
		}
		b.mu.Lock()
		answer, tab := b.answers[m.ID], b.tabs[m.Session]
		delete(b.answers, m.ID)
		b.mu.Unlock()
		switch {
		case answer != nil:
			answer <- m
		case tab != nil:
			tab.heard(&m)
		}
	}
}

func (b *Browser) ask(session, method string, params any) (json.RawMessage, error) {
	text, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	answer := make(chan browserMessage, 1)
	b.mu.Lock()
	b.number++
	b.answers[b.number] = answer
	m := browserMessage{ID: b.number, Session: session, Method: method}
	if params != nil {
		m.Params = text
	}
	if text, err = json.Marshal(m); err == nil {
		_, err = b.out.Write(append(text, 0))
	}
	b.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		return m.Result, nil
	case <-b.ended:
		return nil, fmt.Errorf("%s: the browser has ended", method)
	case <-time.After(browserPatience):
		return nil, fmt.Errorf("%s: no answer for %s", method, browserPatience)
	}
}
