package main

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"utfbench/sweep"
)

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// working says on a terminal that something goes on that takes its time, from a second on, until done is called.
func working(what string) (done func()) {
	if !isTerminal(os.Stderr) {
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
	if time.Since(b.began) < barAfter || !isTerminal(os.Stderr) {
		return
	}
	if b.shown == nil {
		b.shown = progressbar.NewOptions(b.total, append(b.options, progressbar.OptionSetWriter(os.Stderr),
			progressbar.OptionShowCount(),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())...)
	}
	b.shown.Describe(b.unit)
	_ = b.shown.Set(done) // a bar that cannot be drawn is no reason to stop
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

func (b *blockBar) add(block sweep.Block) {
	b.done++
	b.steps += block.Steps
	took := time.Since(b.began)
	left := took * time.Duration(b.total-b.done) / time.Duration(b.done)
	b.unit = fmt.Sprintf("%s, %s left, blocks", sweep.Rate(b.steps, took), left.Round(time.Second))
	b.at(b.done)
}
