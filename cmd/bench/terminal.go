package main

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"utfbench/sweep"
)

func isTerminal(w any) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// obeys says whether w is a terminal that moves its cursor and has colours.
func obeys(w any) bool { return isTerminal(w) && os.Getenv("TERM") != "dumb" }

// working says on a terminal that something goes on that takes its time, from a second on, until done is called.
func working(what string) (done func()) {
	if !obeys(os.Stderr) {
		return func() {}
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(barAfter)
		defer tick.Stop()
		for n := 1; ; n++ {
			select {
			case <-stop:
				if n > 1 {
					endProgress()
				}
				return
			case <-tick.C:
				fmt.Fprintf(os.Stderr, "\r%s, for %d s\x1b[K", what, n)
			}
		}
	}()
	return func() { close(stop); <-stopped }
}

// progress says on a terminal how far it got, on one line, which endProgress wipes for what comes after it.
func progress(whole int) func(steps, applied int) {
	return func(steps, applied int) {
		fmt.Fprintf(os.Stderr, "\r%d of %d steps left, %d applied\x1b[K", steps, whole, applied)
	}
}

func endProgress() { fmt.Fprint(os.Stderr, "\r\x1b[K") }

// barAfter is how long something lasts before a terminal is told of its progress.
const barAfter = time.Second

// A bar is progress on standard error, on a terminal alone, and only when something lasts longer than barAfter.
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

// at says that so many are done.
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

// look is a bar as long as there is room for beside its words, of characters that the terminal has.
func (b *bar) look() progressbar.Option {
	columns, _, err := term.GetSize(int(os.Stderr.Fd()))
	if err != nil {
		columns = 80
	}
	// percentage, count, times
	words := len(b.unit) + len("  100% ||  (/) [10m0s:10m0s] ") + 2*len(strconv.Itoa(b.total))
	width := progressbar.OptionSetWidth(min(40, max(1, columns-words)))
	if unicodeLocale() {
		return width
	}
	theme := progressbar.OptionSetTheme(progressbar.Theme{Saucer: "#", SaucerPadding: " ", BarStart: "|", BarEnd: "|"})
	return func(p *progressbar.ProgressBar) { width(p); theme(p) }
}

// unicodeLocale says whether the terminal shows more than ASCII, by the variables that POSIX has for that, the first of
// which counts. Windows has none, and shows it.
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
	done, steps int
}

// newBlockBar is for so many blocks still to come.
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
}
