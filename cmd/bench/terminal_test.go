//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"
	"github.com/schollz/progressbar/v3"
)

// On a terminal the progress line of bench minimise is wiped before anything else is said.
func TestMinimiseProgressIsWiped(t *testing.T) {
	for _, c := range []struct {
		after, ends string
	}{
		{"", "\r\x1b[K"},
		{"760 fails", "\r\x1b[Kbench: no answer: was the cable pulled? (the shortest so far was written, and may " +
			"not be minimal)\r\n"},
	} {
		terminal, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		cmd := benchProcess(t, "minimise", "chip/bmp/000000A0/utf8-be-nochk", "--fault", "v7=stuck0")
		var out, said bytes.Buffer
		cmd.Stdout, cmd.Stderr, cmd.Env = &out, tty, append(cmd.Environ(), "MOCK_AFTER="+c.after)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		tty.Close()
		io.Copy(&said, terminal) // until the last who has the tty open is gone, which some systems call an error
		cmd.Wait()
		terminal.Close()
		if s := said.String(); !strings.Contains(s, " of 33 steps left, ") || !strings.HasSuffix(s, c.ends) ||
			strings.Count(s, "\n") != strings.Count(c.ends, "\n") {
			t.Errorf("%q: the terminal shows %q", c.after, s)
		}
		if !strings.Contains(out.String(), "suite minimised") {
			t.Errorf("%q: no vector in %q", c.after, &out)
		}
	}
}

// A bar fits into a terminal as narrow as 46 columns, is of ASCII where the locale is, and not there where the terminal
// is dumb.
func TestBar(t *testing.T) {
	stderr := os.Stderr
	defer func() { os.Stderr = stderr }()
	t.Setenv("LC_ALL", "")
	t.Setenv("LC_CTYPE", "")
	for _, c := range []struct {
		columns    uint16
		term, lang string
		block      string // of which the bar is; "" if there is none
	}{
		{100, "xterm", "C.UTF-8", "█"}, {46, "xterm", "de_DE.utf8", "█"},
		{80, "xterm", "C", "#"}, {80, "dumb", "C", ""},
	} {
		t.Setenv("TERM", c.term)
		t.Setenv("LANG", c.lang)
		terminal, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: c.columns}); err != nil {
			t.Fatal(err)
		}
		os.Stderr = tty
		b := newBar(8307, "vectors", progressbar.OptionThrottle(0))
		b.began = time.Now().Add(-2 * barAfter)
		b.at(8000)
		tty.Close()
		var said bytes.Buffer
		io.Copy(&said, terminal)
		terminal.Close()
		lines := strings.FieldsFunc(said.String(), func(r rune) bool { return r == '\r' || r == '\n' })
		for _, line := range lines {
			if n := utf8.RuneCountInString(strings.TrimRight(line, " ")); n > int(c.columns) {
				t.Errorf("%+v: %d columns: %q", c, n, line)
			}
		}
		if has := strings.Contains(said.String(), "8000/8307"); has != (c.block != "") ||
			!strings.Contains(said.String(), c.block) {
			t.Errorf("%+v: %q", c, said.String())
		}
	}
}

// Of what goes on within another the innermost is told, on one line that fits, and nothing is left of it.
func TestWorking(t *testing.T) {
	stderr := os.Stderr
	defer func() { os.Stderr = stderr }()
	t.Setenv("TERM", "xterm")
	terminal, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 40}); err != nil {
		t.Fatal(err)
	}
	os.Stderr = tty
	var said strings.Builder
	until := func(want string) {
		for b := make([]byte, 100); !strings.Contains(said.String(), want); {
			n, err := terminal.Read(b)
			if said.Write(b[:n]); err != nil {
				t.Fatal(err)
			}
		}
	}
	outer := working("reading the tile")
	inner := working("Verilator compiles a_tile_with_quite_a_long_name")
	until("s\x1b[K")
	inner()
	until("\rreading the tile, for ")
	outer()
	tty.Close()
	io.Copy(&said, terminal)
	first, rest, _ := strings.Cut(said.String(), "\x1b[K")
	if !strings.HasPrefix(first, "\rVerilator compiles a_tile_") || !strings.Contains(first, "..., for ") ||
		len(first) > 40 || !strings.HasSuffix(rest, "\r\x1b[K") {
		t.Errorf("it says %q, then %q", first, rest)
	}
}

// On a terminal a run without a target asks once whether to test the board that is plugged in.
func TestOfferBoard(t *testing.T) {
	for answer, want := range map[string]string{"y\n": "bench: port /dev/none: no such port",
		"\n": "the model answered 826 vectors"} {
		terminal, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		cmd := benchProcess(t, "run", "--suite", "guide", "--no-history")
		cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = tty, tty, tty, append(cmd.Environ(), "BOARDS=/dev/none")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		tty.Close()
		io.WriteString(terminal, answer)
		var said bytes.Buffer
		io.Copy(&said, terminal) // until the last who has the tty open is gone, which some systems call an error
		cmd.Wait()
		terminal.Close()
		if s := said.String(); strings.Count(s, "A board is plugged in at /dev/none. Test its chip") != 1 ||
			!strings.Contains(s, want) || strings.Contains(s, "a board is plugged in") {
			t.Errorf("%q: %q", answer, s)
		}
	}
}
