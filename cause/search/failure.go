package search

import (
	"runtime"
	"sync/atomic"

	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/tile"
)

// A search calls a reference in hundreds of places, and a failed one does not recover. So its error ends the search:
// PanicOn panics with it, and the exported function that began the search returns it. No other panic is recovered.

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

// forEach calls work for each number below n, with one worker per core. An error that ends the search stops them.
func (s Search) forEach(n int, work func(i int, w *Worker)) {
	var taken atomic.Int64
	var workers failure.Group
	var stopped atomic.Pointer[error]
	next := func() tile.Worker {
		i := int(taken.Add(1)) - 1
		if i >= n || stopped.Load() != nil {
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
			if err := s.together(next); err != nil {
				stopped.Store(&err)
			}
		})
	}
	workers.Wait()
	if err := stopped.Load(); err != nil {
		PanicOn(*err)
	}
}

// together does all work, concurrently on several chips if the tile supports that. It returns the error that ended it.
func (s Search) together(next func() tile.Worker) (err error) {
	defer RecoverError(&err)
	if c, can := s.Tile.(tile.BatchSimulator); can {
		c.RunConcurrently(next)
		return nil
	}
	for work := next(); work != nil; work = next() {
		work(nil)
	}
	return nil
}
