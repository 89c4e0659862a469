//go:build unix

package boardtest

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A prompt uses the board's REPL as a person would.
type prompt struct {
	testing.TB
	tty  *os.File
	said string // received but not yet used
}

// patience is the timeout of a board's start, which takes seconds of emulated time, but much longer on a busy machine.
const patience = 10 * time.Minute

func (b *Board) prompt(t testing.TB) *prompt {
	t.Helper()
	tty, err := os.OpenFile(b.TTY, os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return &prompt{TB: t, tty: tty}
}

// AwaitPrompt waits for the prompt of a board that was just started, and returns its output.
func (b *Board) AwaitPrompt(t testing.TB) string {
	t.Helper()
	p := b.prompt(t)
	defer p.tty.Close()
	return p.await("\r\n>>> ")
}

// Query sends a line to the friendly prompt and returns the response. It skips earlier output.
func (b *Board) Query(t testing.TB, line string) string {
	t.Helper()
	p := b.prompt(t)
	defer p.tty.Close()
	p.say("\r\n" + line + "\r\n")
	p.await(line + "\r\n")
	return strings.TrimSpace(p.await("\r\n>>> "))
}

// await reads until a text arrives and returns the preceding output.
func (p *prompt) await(text string) string {
	p.Helper()
	p.tty.SetReadDeadline(time.Now().Add(patience))
	for part := make([]byte, 1024); ; {
		if before, after, ok := strings.Cut(p.said, text); ok {
			p.said = after
			return before
		}
		n, err := p.tty.Read(part)
		if p.said += string(part[:n]); err != nil {
			p.Fatalf("the board does not say %q: %v; it says %q", text, err, p.said)
		}
	}
}

func (p *prompt) say(text string) {
	p.Helper()
	if _, err := p.tty.WriteString(text); err != nil {
		p.Fatal(err)
	}
}

func (p *prompt) raw() {
	p.Helper()
	p.say("\r\x03\r\x01")
	p.await("raw REPL; CTRL-B to exit\r\n>")
}

// run runs a piece of Python without output in the raw REPL.
func (p *prompt) run(code string) {
	p.Helper()
	p.say(code + "\x04")
	if said := p.await("\x04>"); said != "OK\x04" {
		p.Fatalf("the board answers %q to %.200q", said, code)
	}
}
