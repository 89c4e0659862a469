package search

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/tile"
)

// A search calls a reference in hundreds of places, and a failed reference does not recover. So its error ends the
// whole search: Check panics with it, and the exported function that began the search returns it. No other panic is
// recovered.

// failed wraps a reference's error in a panic.
type failed struct{ err error }

// PanicOn ends the search with err unless it is nil.
func PanicOn(err error) {
	if err != nil {
		panic(failed{err})
	}
}

// RecoverError, if deferred by the function that begins a search, stores the error that ended the search.
func RecoverError(err *error) {
	switch r := recover().(type) {
	case nil:
	case failed:
		*err = r.err
	default:
		panic(r)
	}
}

// forEach calls work for each number below n, with one worker per core. If a call panics, all stop, and forEach panics.
func (s Search) forEach(n int, work func(i int, w *Worker)) {
	var taken atomic.Int64
	var workers failure.Group
	thrown := make(chan any, 1)
	next := func() tile.Worker {
		i := int(taken.Add(1)) - 1
		if i >= n || len(thrown) > 0 {
			return nil
		}
		return func(chip func() fault.Chip) {
			w := Worker{Search: s, chip: chip}
			PanicOn(s.ended())
			work(i, &w)
		}
	}
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			defer carried(thrown)
			together(s.Tile, next)
		})
	}
	workers.Wait()
	if len(thrown) > 0 {
		panic(<-thrown)
	}
}

// together does all work, concurrently on several chips if the tile supports that.
func together(t tile.Tile, next func() tile.Worker) {
	if c, can := t.(tile.BatchSimulator); can {
		c.RunConcurrently(next)
		return
	}
	for work := next(); work != nil; work = next() {
		work(nil)
	}
}

// carried, if deferred by a worker, passes its panic to the waiting goroutine, which panics and so parks the chip.
func carried(to chan<- any) {
	r := recover()
	if r == nil {
		return
	}
	if _, expected := r.(failed); !expected {
		r = fmt.Sprintf("%v\n\n%s", r, debug.Stack()) // the worker's stack
	}
	select {
	case to <- r:
	default: // one error suffices
	}
}
