package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// IsTerminal reports whether a reader or writer is a terminal.
func IsTerminal(w any) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// IsInteractive reports whether a person types at in and reads out.
func IsInteractive(in, out any) bool { return IsTerminal(in) && IsTerminal(out) }

// A Progress shows the running activities, and bars, on standard error.
type Progress struct {
	w    io.Writer
	dumb bool // TERM is dumb, so nothing is shown

	mu           sync.Mutex
	all          []*activity // the innermost last
	began, ended time.Time   // of activities that follow one another, which have one pace in a log
	pace         pace
}

// NewProgress returns a Progress on standard error.
func NewProgress(env *files.Env) *Progress {
	return &Progress{w: env.Stderr, dumb: env.Getenv("TERM") == "dumb"}
}

// SupportsEscapes reports whether w is a terminal with cursor movement and colours.
func (p *Progress) SupportsEscapes(w any) bool { return IsTerminal(w) && !p.dumb }

// HasLine reports whether ShowLine and ClearLine can be used.
func (p *Progress) HasLine() bool { return p.SupportsEscapes(p.w) }

// ShowLine replaces the line. It cuts a long line to the terminal's width, but never after.
func (p *Progress) ShowLine(line, after string) {
	text := []rune(line)
	if room := p.columns() - len([]rune(after)) - 1; len(text) > room {
		text = append(text[:max(0, room-3)], []rune("...")...)
	}
	fmt.Fprintf(p.w, "\r%s%s\x1b[K", string(text), after)
}

// ClearLine wipes the line.
func (p *Progress) ClearLine() { fmt.Fprint(p.w, "\r\x1b[K") }

func (p *Progress) columns() int {
	if width := terminalWidth(p.w); width > 0 {
		return width
	}
	return 80
}

// terminalWidth returns the number of columns of a terminal, or 0 for another writer.
func terminalWidth(w io.Writer) int {
	if f, ok := w.(interface{ Fd() uintptr }); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			return width
		}
	}
	return 0
}

// late is the delay before progress is shown.
const late = time.Second

// Where standard error is no terminal, progress is a line after this time, and then ever rarer, up to each minute.
const (
	piped    = 10 * time.Second
	rarest   = time.Minute
	howOften = 2
)

// A pace says when the next such line is due.
type pace struct{ next time.Duration }

func (p *pace) due(took time.Duration) bool {
	if took < max(piped, p.next) {
		return false
	}
	p.next = min(howOften*took, took+rarest)
	return true
}

// ShowActivity shows an activity after a second, until done is called, or in a log with TERM other than dumb now and
// then. Of nested activities it shows the innermost.
func (p *Progress) ShowActivity(what string) (done func()) {
	return p.ShowActivityFunc(func() string { return what })
}

// ShowActivityFunc is ShowActivity with a text that changes.
func (p *Progress) ShowActivityFunc(what func() string) (done func()) {
	if p.dumb {
		return func() {}
	}
	a := &activity{what: what, began: time.Now()}
	p.add(a)
	stop := everyLate(func() { p.show(a) })
	return func() { stop(); p.remove(a) }
}

// everyLate calls a function after each delay, until stop is called.
func everyLate(do func()) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	failure.Go(func() {
		defer close(ended)
		tick := time.NewTicker(late)
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			case <-tick.C:
				do()
			}
		}
	})
	return func() { close(end); <-ended }
}

type activity struct {
	what  func() string
	began time.Time
	shown bool
}

func (p *Progress) add(a *activity) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.all) == 0 && time.Since(p.ended) > late {
		p.began, p.pace = a.began, pace{}
	}
	p.all = append(p.all, a)
}

func (p *Progress) any() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.all) > 0
}

func (p *Progress) remove(a *activity) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = slices.DeleteFunc(p.all, func(other *activity) bool { return other == a })
	p.ended = time.Now()
	if a.shown {
		p.ClearLine()
	}
}

func (p *Progress) show(a *activity) {
	p.mu.Lock()
	defer p.mu.Unlock()
	took := time.Since(a.began)
	since := fmt.Sprintf(" (%.0f s so far)", took.Seconds())
	switch {
	case p.all[len(p.all)-1] != a:
		a.shown = false
	case p.HasLine():
		a.shown = true
		p.ShowLine(a.what(), since)
	case p.pace.due(time.Since(p.began)):
		fmt.Fprintf(p.w, "bench: %s%s\n", a.what(), since)
	}
}

// A Bar shows progress after a second, or in a log with TERM other than dumb now and then.
type Bar struct {
	Total int
	Unit  string // what it counts
	Done  int

	on          *Progress
	eager       bool // show it at once
	ended       bool
	began, told time.Time
	moved       time.Time // when At or Clear was called
	pace        pace
	mu          sync.Mutex // for Ticking
}

// NewBar returns a bar that starts now.
func (p *Progress) NewBar(total int, unit string) *Bar {
	return &Bar{Total: total, Unit: unit, on: p, began: time.Now()}
}

// NewEagerBar returns a bar that shows itself at once, for what takes its time.
func (p *Progress) NewEagerBar(total int, unit string) *Bar {
	b := p.NewBar(total, unit)
	b.eager = true
	b.SetDone(0)
	return b
}

// A Bar estimates the time left once this many and this part are done, or this many and it has taken the time piped:
// the first ones also pay for the start, or are short.
const (
	fewest  = 3
	fewPart = 0.05
)

// Elapsed returns the time since the beginning.
func (b *Bar) Elapsed() time.Duration { return time.Since(b.began) }

// Add counts n more. Any goroutine may call it.
func (b *Bar) Add(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at(b.Done + n)
}

// SetDone shows the progress, at most ten times a second.
func (b *Bar) SetDone(done int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at(done)
}

func (b *Bar) at(done int) {
	b.Done, b.moved = done, time.Now()
	b.show("")
}

// StartTicking shows the bar with the time that it has taken after each second without progress, until stop is called.
func (b *Bar) StartTicking() (stop func()) { return everyLate(b.tick) }

func (b *Bar) tick() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if time.Since(b.moved) >= late && b.Done < b.Total && !b.ended && !b.on.any() {
		b.show(fmt.Sprintf(" (%.0f s so far)", b.Elapsed().Seconds()))
	}
}

func (b *Bar) show(since string) {
	took, done := b.Elapsed(), b.Done
	if !b.eager && took < late || time.Since(b.told) < late/10 {
		return
	}
	hasLine := b.on.HasLine()
	if !hasLine && (b.on.dumb || !b.pace.due(took)) {
		return
	}
	part := float64(done) / float64(max(1, b.Total))
	left := ""
	if done >= fewest && (part >= fewPart || took >= piped) {
		left = fmt.Sprintf(", %s left", time.Duration(float64(took)*(1-part)/part).Round(time.Second))
	}
	line := fmt.Sprintf("%s %3.0f%% ", b.Unit, 100*part)
	after := fmt.Sprintf(" %d/%d%s%s", done, b.Total, left, since)
	if !hasLine {
		fmt.Fprintf(b.on.w, "bench: %s%s\n", line, strings.TrimSpace(after))
		return
	}
	b.told = time.Now()
	if room := min(40, b.on.columns()-len(line)-len(after)-3); room > 0 {
		full := min(room, int(part*float64(room)))
		line += "|" + strings.Repeat("#", full) + strings.Repeat(" ", room-full) + "|"
	}
	b.on.ShowLine(line, after)
}

// Clear wipes the bar until it is shown again.
func (b *Bar) Clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.moved = time.Now()
	if !b.told.IsZero() {
		b.told = time.Time{}
		b.on.ClearLine()
	}
}

// End wipes the bar for good, complete or not.
func (b *Bar) End() {
	b.Clear()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
}
