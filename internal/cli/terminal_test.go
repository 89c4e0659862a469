//go:build unix

package cli

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"
)

// onTerminal returns the progress on a terminal with some columns, and a function that returns what it shows.
func onTerminal(t *testing.T, name string, columns uint16) (p *Progress, terminal *os.File, shown func() string) {
	t.Helper()
	terminal, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: columns}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminal.Close() })
	return &Progress{w: tty, dumb: name == "dumb"}, terminal, func() string {
		tty.Close()
		said, _ := io.ReadAll(terminal) // some systems report the closed tty as an error
		return string(said)
	}
}

// A bar fits into a narrow terminal, and is not shown on a dumb one.
func TestBar(t *testing.T) {
	for _, c := range []struct {
		columns uint16
		term    string
		want    string
	}{{100, "xterm", "vectors  96% |##############"}, {46, "xterm", "vectors  96% |####"}, {30, "xterm", "8000/8307"},
		{80, "dumb", ""}} {
		p, _, shown := onTerminal(t, c.term, c.columns)
		b := p.NewBar(8307, "vectors")
		b.began = time.Now().Add(-2 * late)
		b.SetDone(8000)
		b.Clear()
		said := shown()
		for line := range strings.FieldsFuncSeq(said, func(r rune) bool { return r == '\r' || r == '\x1b' }) {
			if n := utf8.RuneCountInString(line); n > int(c.columns) {
				t.Errorf("%+v: %d columns: %q", c, n, line)
			}
		}
		if !strings.Contains(said, c.want) || c.want == "" && len(said) > 0 ||
			c.want != "" && !strings.HasSuffix(said, "\r\x1b[K") {
			t.Errorf("%+v: %q", c, said)
		}
	}
}

// A bar that stands still shows the time, unless everything is done or something else may be on the line.
func TestBarTicks(t *testing.T) {
	for _, c := range []struct {
		done  int
		still time.Duration
		want  string
		ended bool
	}{{0, 2 * late, "/9 (7 s so far)\x1b", false}, {4, 2 * late, "", true},
		{4, 2 * late, " 4/9, 9s left (7 s so far)\x1b", false}, {4, 0, "", false}, {9, 2 * late, "", false}} {
		p, _, shown := onTerminal(t, "xterm", 100)
		b := p.NewBar(9, "vectors")
		if c.ended {
			b.End()
		}
		b.Done, b.began, b.moved = c.done, time.Now().Add(-7*late), time.Now().Add(-c.still)
		b.tick()
		if said := shown(); !strings.Contains(said, c.want) || c.want == "" && len(said) > 0 {
			t.Errorf("%+v: %q", c, said)
		}
	}
	b := (&Progress{w: io.Discard}).NewBar(9, "vectors")
	b.StartTicking()()
}

// In a log a bar is a line after ten seconds.
func TestBarInALog(t *testing.T) {
	var log strings.Builder
	p := &Progress{w: &log}
	b := p.NewBar(200, "clocks")
	for _, ago := range []time.Duration{9, 11, 12} {
		b.began = time.Now().Add(-ago * time.Second)
		b.SetDone(50)
		b.Clear()
	}
	if log.String() != "bench: clocks  25% 50/200, 33s left\n" {
		t.Errorf("%q", &log)
	}
}

// A bar estimates the time left from several of what it counts.
func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		done, of int
		took     time.Duration
		want     string
	}{
		{1, 163, time.Minute, " 1/163\x1b"}, {2, 20, time.Minute, " 2/20\x1b"}, {5, 163, 5 * time.Second, " 5/163\x1b"},
		{3, 163, time.Minute, " 3/163, 53m20s left\x1b"}, {9, 163, 5 * time.Second, " 9/163, 1m26s left\x1b"},
	} {
		p, _, shown := onTerminal(t, "xterm", 100)
		b := p.NewBar(c.of, "designs")
		b.began = time.Now().Add(-c.took)
		b.SetDone(c.done)
		if said := shown(); !strings.Contains(said, c.want) {
			t.Errorf("%d of %d in %v: %q", c.done, c.of, c.took, said)
		}
	}
}

// In a log an activity is a line after ten seconds, and then ever rarer; one that follows another goes on at its pace.
func TestWorkingInALog(t *testing.T) {
	var log strings.Builder
	p := &Progress{w: &log}
	a := &activity{what: func() string { return "asking the port" }, began: time.Now().Add(-9 * time.Second)}
	p.add(a)
	for _, ago := range []time.Duration{9, 11, 15, 23, 30} {
		a.began = time.Now().Add(-ago * time.Second)
		p.began = a.began
		p.show(a)
	}
	p.remove(a)
	next := &activity{what: func() string { return "parking" }, began: time.Now().Add(-2 * time.Second)}
	p.add(next)
	for _, ago := range []time.Duration{40, 50} {
		p.began = time.Now().Add(-ago * time.Second)
		p.show(next)
	}
	p.remove(next)
	want := "bench: asking the port (11 s so far)\nbench: asking the port (23 s so far)\nbench: parking (2 s so far)\n"
	if log.String() != want {
		t.Errorf("%q; want %q", &log, want)
	}
}

// Only the innermost of nested activities is shown, on one line that fits, and nothing remains of it.
func TestWorking(t *testing.T) {
	p, terminal, shown := onTerminal(t, "xterm", 40)
	var said strings.Builder
	until := func(want string) {
		for b := make([]byte, 100); !strings.Contains(said.String(), want); {
			n, err := terminal.Read(b)
			if said.Write(b[:n]); err != nil {
				t.Fatal(err)
			}
		}
	}
	outer := p.ShowActivity("reading the tile")
	inner := p.ShowActivity("Verilator compiles a_tile_with_quite_a_long_name")
	until("far)\x1b[K")
	inner()
	until("\rreading the tile (")
	outer()
	said.WriteString(shown())
	first, rest, _ := strings.Cut(said.String(), "\x1b[K")
	if !strings.HasPrefix(first, "\rVerilator compiles a_ti") || !strings.Contains(first, "... (") ||
		len(first) > 40 || !strings.HasSuffix(rest, "\r\x1b[K") {
		t.Errorf("it says %q, then %q", first, rest)
	}
}
