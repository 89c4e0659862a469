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

func terminalWidth(w io.Writer) int {
	if f, ok := w.(interface{ Fd() uintptr }); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			return width
		}
	}
	return 0
}

// A Progress shows the innermost running activity on standard error: as one line on a terminal, as occasional lines in
// a log, and not at all if TERM is dumb.
type Progress struct {
	w    io.Writer
	dumb bool

	mu     sync.Mutex
	all    []*activity // the innermost last
	drawn  bool        // the terminal shows the line
	resume time.Time   // do not draw before this time, since other output is being written
	// start and last end of activities without a pause between them, which a log paces as one
	began, ended time.Time
	due          time.Duration // time after began at which the next line of the log is due
}

// An activity provides the line to show. A narrow terminal truncates line, but not after, the text that follows it.
type activity struct {
	line  func(took time.Duration, columns int) (line, after string)
	began time.Time
}

const (
	late     = time.Second            // the delay before an activity is shown on a terminal
	interval = 200 * time.Millisecond // between two lines on a terminal
	piped    = 10 * time.Second       // the delay before an activity is shown in a log
	rarest   = time.Minute            // the longest time between two lines of a log
)

// NewProgress returns a Progress on standard error.
func NewProgress(env *files.Env) *Progress {
	return &Progress{w: env.Stderr, dumb: env.Getenv("TERM") == "dumb"}
}

// SupportsEscapes reports whether w is a terminal with cursor movement and colours.
func (p *Progress) SupportsEscapes(w any) bool { return IsTerminal(w) && !p.dumb }

// ShowActivity shows an activity until done is called.
func (p *Progress) ShowActivity(what string) (done func()) {
	return p.ShowActivityFunc(func() string { return what })
}

// ShowActivityFunc is like ShowActivity, for a text that changes. Another goroutine calls what.
func (p *Progress) ShowActivityFunc(what func() string) (done func()) {
	return p.start(&activity{began: time.Now(), line: func(took time.Duration, _ int) (string, string) {
		return what(), soFar(took)
	}})
}

func soFar(took time.Duration) string { return fmt.Sprintf(" (%.0f s so far)", took.Seconds()) }

// start shows an activity from time to time until end is called.
func (p *Progress) start(a *activity) (end func()) {
	if p.dumb {
		return func() {}
	}
	p.add(a)
	stop, stopped := make(chan struct{}), make(chan struct{})
	failure.Go(func() {
		defer close(stopped)
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				p.show(a)
			}
		}
	})
	return sync.OnceFunc(func() { close(stop); <-stopped; p.remove(a) })
}

func (p *Progress) add(a *activity) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.all) == 0 && time.Since(p.ended) > late {
		p.began, p.due = a.began, piped
	}
	p.all = append(p.all, a)
}

func (p *Progress) remove(a *activity) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = slices.DeleteFunc(p.all, func(other *activity) bool { return other == a })
	p.ended = time.Now()
	p.clear()
}

func (p *Progress) show(a *activity) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	took, all := now.Sub(a.began), now.Sub(p.began)
	switch terminal := IsTerminal(p.w); {
	case p.all[len(p.all)-1] != a || terminal && (took < late || now.Before(p.resume)):
	case terminal:
		columns := terminalWidth(p.w)
		line, after := a.line(took, columns)
		text := []rune(line)
		if room := columns - len([]rune(after)) - 1; len(text) > room {
			text = append(text[:max(0, room-3)], []rune("...")...)
		}
		fmt.Fprintf(p.w, "\r%s%s\x1b[K", string(text), after)
		p.drawn = true
	case all >= p.due:
		p.due = min(2*all, all+rarest)
		line, after := a.line(took, 0)
		fmt.Fprintf(p.w, "bench: %s%s\n", line, after)
	}
}

// Clear wipes the line before other output is written to the terminal.
func (p *Progress) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	p.resume = time.Now().Add(interval)
}

func (p *Progress) clear() {
	if p.drawn {
		p.drawn = false
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// A Bar is an activity that shows a count.
type Bar struct {
	*Progress
	began time.Time
	end   func()

	// guarded by Progress.mu
	done, total int
	changed     time.Duration // when done last changed
	unit        string        // unit of the count
}

// NewBar returns a bar that is shown until End is called. The total may be 0 until it is known.
func (p *Progress) NewBar(total int, unit string) *Bar {
	b := &Bar{Progress: p, began: time.Now(), total: total, unit: unit}
	b.end = p.start(&activity{b.line, b.began})
	return b
}

// Add counts n more. Any goroutine may call it.
func (b *Bar) Add(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done, b.changed = b.done+n, b.Elapsed()
}

// Set sets the number done and the total.
func (b *Bar) Set(done, total int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done != done {
		b.changed = b.Elapsed()
	}
	b.done, b.total = done, total
}

// SetUnit sets the unit of the count.
func (b *Bar) SetUnit(unit string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unit = unit
}

// Elapsed returns the time since the beginning.
func (b *Bar) Elapsed() time.Duration { return time.Since(b.began) }

// End wipes the bar, complete or not. Further calls do nothing.
func (b *Bar) End() { b.end() }

// A Bar estimates the remaining time only after some items (fewest), and some part of the total (fewPart) or some time
// (piped): the first items may include the start-up, or be short. It estimates nothing while an item takes longer than
// a mean item, and than a tenth of the whole time: the estimate would grow.
const (
	fewest  = 3
	fewPart = 0.05
)

// line returns the bar's text, and draws the bar itself if there is room for it.
func (b *Bar) line(took time.Duration, columns int) (line, after string) {
	part, left := float64(b.done)/float64(max(1, b.total)), ""
	usual := max(took/time.Duration(max(1, b.done)), took/10)
	if b.done >= fewest && (part >= fewPart || took >= piped) && took-b.changed <= usual {
		left = fmt.Sprintf(", %s left", time.Duration(float64(took)*(1-part)/part).Round(time.Second))
	}
	line = fmt.Sprintf("%s %3.0f%% ", b.unit, 100*part)
	after = fmt.Sprintf("%d/%d%s%s", b.done, b.total, left, soFar(took))
	if room := min(40, columns-len(line)-len(after)-4); room > 0 {
		full := min(room, int(part*float64(room)))
		line += "|" + strings.Repeat("#", full) + strings.Repeat(" ", room-full) + "| "
	}
	return line, after
}
