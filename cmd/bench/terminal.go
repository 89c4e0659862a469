package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/term"
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
