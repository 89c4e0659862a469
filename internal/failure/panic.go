package failure

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Panic is a recovered panic.
type Panic struct {
	Value any
	Stack []byte // stack of the goroutine that panicked
}

// NewPanic returns a Panic for a recovered value. Call it in the deferred function that recovers.
func NewPanic(value any) *Panic { return &Panic{value, debug.Stack()} }

func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

var handler atomic.Pointer[func(*Panic)]

// HandlePanics sets the function that is called with a goroutine's panic, in that goroutine. It should end the program.
func HandlePanics(f func(*Panic)) { handler.Store(&f) }

// Go runs f in a goroutine, and passes a panic to the handler.
func Go(f func()) { go catching(f)() }

// A Group is a sync.WaitGroup that passes panics of its goroutines to the handler.
type Group struct{ sync.WaitGroup }

// Go runs f in a goroutine that Wait waits for.
func (g *Group) Go(f func()) { g.WaitGroup.Go(catching(f)) }

// catching wraps f so that its panics go to the handler, if there is one.
func catching(f func()) func() {
	return func() {
		handle := handler.Load()
		if handle == nil {
			f()
			return
		}
		defer func() {
			if value := recover(); value != nil {
				(*handle)(NewPanic(value))
			}
		}()
		f()
	}
}

// kept lists the Close functions that CloseRegistered must call, in the order of opening.
var kept struct {
	sync.Mutex
	all []*func() error
}

// CloseOnPanic registers a Close function that stops driving hardware, for [CloseRegistered], until done is called.
func CloseOnPanic(closes func() error) (done func()) {
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

// ErrCloseTimeout reports a Close that did not return in time, so the hardware may still be driven.
var ErrCloseTimeout = errors.New("it did not close in time")

// CloseRegistered calls all functions that CloseOnPanic has registered, concurrently, and waits for them up to limit.
func CloseRegistered(limit time.Duration) error {
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
			return errors.Join(err, ErrCloseTimeout)
		}
	}
	return err
}

// parked calls closes, and converts a panic in it to an error.
func parked(closes func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = NewPanic(value)
		}
	}()
	return closes()
}
