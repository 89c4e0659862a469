// Package crash brings a panic of any goroutine to the program, which can then park the chips that are open and report
// the mistake.
//
// A panic in a goroutine ends a Go program at once: no deferred Close runs in any other goroutine, and lines stay
// driven. So every goroutine of the bench is started by [Go] or by a [Group], and what drives hardware is in the list
// of [Keep] while it is open. The program decides what to do about a panic, by [Handle]; without a handler, as in a
// program that uses these packages as a library, a panic is the usual one.
package crash

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Panic is a panic that was recovered.
type Panic struct {
	Value any
	Stack []byte // of its goroutine
}

// Recovered returns the panic of a value that recover gave. Call it in the same deferred function.
func Recovered(value any) *Panic { return &Panic{value, debug.Stack()} }

// Error implements error.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

var handler atomic.Pointer[func(*Panic)]

// Handle sets the function that is given the first panic of a goroutine, in that goroutine. It should end the program.
func Handle(f func(*Panic)) { handler.Store(&f) }

// Go runs f in a goroutine, and gives a panic of it to the handler.
func Go(f func()) { go catching(f)() }

// A Group is a sync.WaitGroup that gives panics of its goroutines to the handler.
type Group struct{ sync.WaitGroup }

// Go runs f in a goroutine that Wait waits for.
func (g *Group) Go(f func()) { g.WaitGroup.Go(catching(f)) }

// catching returns f with its panics given to the handler, if there is one.
func catching(f func()) func() {
	return func() {
		handle := handler.Load()
		if handle == nil {
			f()
			return
		}
		defer func() {
			if value := recover(); value != nil {
				(*handle)(Recovered(value))
			}
		}()
		f()
	}
}

// kept lists what is open and must be parked, in the order of opening.
var kept struct {
	sync.Mutex
	all []*func() error
}

// Keep puts the Close of something that drives hardware into the list for [Park], until done is called.
func Keep(closes func() error) (done func()) {
	kept.Lock()
	defer kept.Unlock()
	entry := &closes
	kept.all = append(kept.all, entry)
	return func() {
		kept.Lock()
		defer kept.Unlock()
		kept.all = slices.DeleteFunc(kept.all, func(e *func() error) bool { return e == entry })
	}
}

// ErrSlow is of a Close that did not return in time: whatever it should have parked may still be driven.
var ErrSlow = errors.New("it did not close in time")

// Park closes what Keep lists, all at the same time, and waits for it, up to a limit.
func Park(limit time.Duration) error {
	kept.Lock()
	all := slices.Clone(kept.all)
	kept.Unlock()
	errs := make(chan error, len(all))
	for _, closes := range all {
		go func() { errs <- parked(*closes) }()
	}
	var err error
	late := time.After(limit)
	for range all {
		select {
		case e := <-errs:
			err = errors.Join(err, e)
		case <-late:
			return errors.Join(err, ErrSlow)
		}
	}
	return err
}

// parked closes something that may have panicked.
func parked(closes func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = Recovered(value)
		}
	}()
	return closes()
}
