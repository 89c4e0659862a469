package diagnose

import (
	"fmt"
	"runtime/debug"
)

// A search queries a reference in hundreds of places, and a reference that has failed stays silent. So its error ends
// the whole search: must panics with it, and the exported function that began the search returns it. No other panic is
// caught.

// failed carries a reference's error out of a search.
type failed struct{ err error }

// must ends the search if err is not nil.
func must(err error) {
	if err != nil {
		panic(failed{err})
	}
}

// caught, deferred by an exported function, stores the error that ended its search.
func caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case failed:
		*err = r.err
	default:
		panic(r)
	}
}

// carried, deferred by a worker, passes its panic to the waiting goroutine, which panics with it and so parks the
// chip.
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
	default: // one is enough
	}
}
