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

// onTerminal returns a Progress on a terminal of this width, the terminal, and a function that returns its output.
func onTerminal(t *testing.T, columns uint16) (p *Progress, tty *os.File, shown func() string) {
	t.Helper()
	terminal, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: columns}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminal.Close() })
	return &Progress{w: tty}, tty, func() string {
		tty.Close()
		said, _ := io.ReadAll(terminal) // some systems report the closed tty as an error
		return string(said)
	}
}

// since makes an activity the only one, as if it had started some time ago.
func (p *Progress) since(a *activity, took time.Duration) {
	a.began = time.Now().Add(-took)
	p.all, p.began = []*activity{a}, a.began
}

// A bar fits into the terminal, estimates the remaining time after several items, and is shown after a second.
func TestBar(t *testing.T) {
	for _, c := range []struct {
		columns     uint16
		done, total int
		took, idle  time.Duration
		want        string
	}{
		{100, 8000, 8307, 2 * time.Second, 0, "vectors  96% |" + strings.Repeat("#", 38) +
			"  | 8000/8307, 0s left (2 s so far)"},
		{60, 8000, 8307, 2 * time.Second, 0, "vectors  96% |##"},
		{46, 8000, 8307, 2 * time.Second, 0, "8000/8307, 0s left (2 s so far)"},
		{100, 9, 9, late / 2, 0, ""},
		{100, 1, 163, time.Minute, 0, " 1/163 ("}, {100, 2, 20, time.Minute, 0, " 2/20 ("},
		{100, 5, 163, 5 * time.Second, 0, " 5/163 ("},
		{100, 3, 163, time.Minute, 0, " 3/163, 53m20s left ("},
		{100, 9, 163, 5 * time.Second, 0, " 9/163, 1m26s left ("},
		{100, 5, 0, time.Minute, 0, " 5/0"}, {100, 7, 8, 20 * time.Second, 10 * time.Second, " 7/8 (20 s"},
	} {
		p, _, shown := onTerminal(t, c.columns)
		b := &Bar{Progress: p, done: c.done, total: c.total, unit: "vectors", changed: c.took - c.idle}
		a := &activity{line: b.line}
		p.since(a, c.took)
		p.show(a)
		p.remove(a)
		said := shown()
		line, wiped := strings.CutSuffix(said, "\x1b[K\r\x1b[K")
		if n := utf8.RuneCountInString(line) - 1; n >= int(c.columns) {
			t.Errorf("%+v: %d columns: %q", c, n, line)
		}
		if !strings.Contains(line, c.want) || wiped == (c.want == "") {
			t.Errorf("%+v: %q", c, said)
		}
	}
}

// In a log an activity gets a line after ten seconds, then less and less often, and the next one continues like that.
func TestLog(t *testing.T) {
	var log strings.Builder
	p := &Progress{w: &log}
	a := &activity{line: func(took time.Duration, _ int) (string, string) { return "asking the port", soFar(took) }}
	p.add(a)
	for _, took := range []time.Duration{9, 11, 15, 23, 30} {
		p.since(a, took*time.Second)
		p.show(a)
	}
	p.remove(a)
	p.add(a)
	for _, took := range []time.Duration{40, 50} {
		p.since(a, took*time.Second)
		p.show(a)
	}
	p.remove(a)
	want := "bench: asking the port (11 s so far)\nbench: asking the port (23 s so far)\n" +
		"bench: asking the port (50 s so far)\n"
	if log.String() != want {
		t.Errorf("%q; want %q", &log, want)
	}
}

// Only the innermost of nested activities is shown, and other output wipes it.
func TestNestedActivities(t *testing.T) {
	p, tty, shown := onTerminal(t, 40)
	var all []*activity
	for _, what := range []string{"reading the tile", "Verilator compiles a_tile_with_quite_a_long_name"} {
		a := &activity{began: time.Now().Add(-2 * late)}
		a.line = func(took time.Duration, _ int) (string, string) { return what, soFar(took) }
		p.add(a)
		all = append(all, a)
	}
	p.show(all[0])
	p.show(all[1])
	io.WriteString(&Output{File: tty, Progress: p}, "a failure\n")
	p.resume = p.resume.Add(time.Hour)
	p.show(all[1])
	p.remove(all[1])
	p.resume = time.Now()
	p.show(all[0])
	p.remove(all[0])
	want := "\rVerilator compiles a_ti... (2 s so far)\x1b[K\r\x1b[Ka failure\r\n" +
		"\rreading the tile (2 s so far)\x1b[K\r\x1b[K"
	if said := shown(); said != want {
		t.Errorf("%q, and not %q", said, want)
	}
}

// Nothing is shown on a dumb terminal.
func TestDumbTerminal(t *testing.T) {
	p, _, shown := onTerminal(t, 80)
	p.dumb = true
	b := p.NewBar(2, "vectors")
	b.Add(1)
	b.End()
	b.End()
	if said := shown(); said != "" || len(p.all) > 0 {
		t.Errorf("%q", said)
	}
}
