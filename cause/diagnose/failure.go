package diagnose

import (
	"fmt"
	"runtime/debug"
)

// A search asks a reference at hundreds of places, and one that fails once has nothing more to say. So its error ends
// the whole search: must panics with it, and the exported function that began the search returns it. No other panic is
// caught.

// failed is the error of a reference on its way out of a search.
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

// carried, deferred by a worker, stores its panic for the waiting goroutine, which panics with it and parks the chip.
func carried(to chan<- any) {
	r := recover()
	if r == nil {
		return
	}
	if _, expected := r.(failed); !expected {
		r = fmt.Sprintf("%v\n\n%s", r, debug.Stack()) // the stack of the worker says where
	}
	select {
	case to <- r:
	default: // one is enough
	}
}
