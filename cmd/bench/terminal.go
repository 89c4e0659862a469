package main

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"utfbench/internal/crash"
	"utfbench/sweep"
)

func isTerminal(w any) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// obeys reports whether w is a terminal with cursor movement and colours.
func obeys(w any) bool { return isTerminal(w) && os.Getenv("TERM") != "dumb" }

// working shows an activity on a terminal from a second on, until done is called. The innermost one is shown.
func working(what string) (done func()) {
	if !obeys(os.Stderr) {
		return func() {}
	}
	d, stop, stopped := underway.add(what), make(chan struct{}), make(chan struct{})
	crash.Go(func() {
		defer close(stopped)
		tick := time.NewTicker(barAfter)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				underway.remove(d)
				return
			case <-tick.C:
				underway.tell(d)
			}
		}
	})
	return func() { close(stop); <-stopped }
}

// A doing is an activity.
type doing struct {
	what  string
	began time.Time
	told  bool
}

// doings is the stack of activities.
type doings struct {
	sync.Mutex
	all []*doing
}

// underway is shown on the terminal's one status line.
var underway doings

func (u *doings) add(what string) *doing {
	u.Lock()
	defer u.Unlock()
	d := &doing{what: what, began: time.Now()}
	u.all = append(u.all, d)
	return d
}

func (u *doings) remove(d *doing) {
	u.Lock()
	defer u.Unlock()
	u.all = slices.DeleteFunc(u.all, func(other *doing) bool { return other == d })
	if d.told {
		endProgress()
	}
}

// tell writes one line, no longer than the terminal is wide.
func (u *doings) tell(d *doing) {
	u.Lock()
	defer u.Unlock()
	if d.told = u.all[len(u.all)-1] == d; !d.told {
		return
	}
	what, took := []rune(d.what), fmt.Sprintf(", for %.0f s", time.Since(d.began).Seconds())
	if room := columns() - len(took) - 1; len(what) > room {
		what = append(what[:max(0, room-3)], []rune("...")...)
	}
	fmt.Fprintf(os.Stderr, "\r%s%s\x1b[K", string(what), took)
}

// progress shows progress on one line of a terminal, which endProgress clears.
func progress(whole int) func(steps, applied int) {
	return func(steps, applied int) {
		fmt.Fprintf(os.Stderr, "\r%d of %d steps left, %d applied\x1b[K", steps, whole, applied)
	}
}

func endProgress() { fmt.Fprint(os.Stderr, "\r\x1b[K") }

// barAfter is the delay before a terminal shows progress.
const barAfter = time.Second

// A bar is a progress bar on standard error, on a terminal, for activities longer than barAfter.
type bar struct {
	total   int
	unit    string // what is counted
	options []progressbar.Option
	began   time.Time
	shown   *progressbar.ProgressBar // nil until it is
}

func newBar(total int, unit string, options ...progressbar.Option) *bar {
	return &bar{total: total, unit: unit, options: options, began: time.Now()}
}

// at sets the progress.
func (b *bar) at(done int) {
	if time.Since(b.began) < barAfter || !obeys(os.Stderr) {
		return
	}
	if b.shown == nil {
		b.shown = progressbar.NewOptions(b.total, append([]progressbar.Option{progressbar.OptionSetWriter(os.Stderr),
			progressbar.OptionShowCount(), b.look(), progressbar.OptionThrottle(100 * time.Millisecond),
			progressbar.OptionClearOnFinish()}, b.options...)...)
	}
	b.shown.Describe(b.unit)
	_ = b.shown.Set(done) // a bar that cannot be drawn is no reason to stop
}

// look returns a bar as wide as the room beside its words, in characters of the terminal.
func (b *bar) look() progressbar.Option {
	// percentage, count, times
	words := len(b.unit) + len("  100% ||  (/) [10m0s:10m0s] ") + 2*len(strconv.Itoa(b.total))
	width := progressbar.OptionSetWidth(min(40, max(1, columns()-words)))
	if unicodeLocale() {
		return width
	}
	theme := progressbar.OptionSetTheme(progressbar.Theme{Saucer: "#", SaucerPadding: " ", BarStart: "|", BarEnd: "|"})
	return func(p *progressbar.ProgressBar) { width(p); theme(p) }
}

// columns returns the width of the terminal.
func columns() int {
	wide, _, err := term.GetSize(int(os.Stderr.Fd()))
	if err != nil || wide == 0 {
		return 80
	}
	return wide
}

// unicodeLocale reports whether the terminal shows more than ASCII, by the first POSIX locale variable that is set.
// Windows does.
func unicodeLocale() bool {
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG"))
	locale = strings.ToLower(strings.ReplaceAll(locale, "-", ""))
	return runtime.GOOS == "windows" || strings.Contains(locale, "utf8")
}

// clear wipes it, until the next that is done.
func (b *bar) clear() {
	if b.shown != nil {
		_ = b.shown.Clear()
	}
}

// A blockBar is the progress of a sweep: blocks, steps a second, time left.
type blockBar struct {
	*bar
	done, steps, wrong int
	tell               func(done, of int, words string) // those who look on in a lab; may be nil
}

// newBlockBar returns a bar for the remaining blocks.
func newBlockBar(total int) *blockBar {
	return &blockBar{bar: newBar(total, "", progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false))}
}

func (b *blockBar) add(block sweep.Answer) {
	b.done++
	b.steps += block.Steps
	took := time.Since(b.began)
	left := took * time.Duration(b.total-b.done) / time.Duration(b.done)
	b.unit = fmt.Sprintf("%s, %s left, blocks", sweep.Rate(b.steps, took), left.Round(time.Second))
	b.at(b.done)
	if b.wrong += block.Failed; b.tell != nil {
		b.tell(b.done, b.total, fmt.Sprintf("cases wrong: %d", b.wrong))
	}
}
