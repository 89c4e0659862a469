package printable

import (
	"regexp"
	"sync"
)

// LazyRegexp returns a function that compiles an expression on its first call, and panics if it is invalid. Most runs
// of a command need no expression, and compiling all of them takes longer than the rest of its start.
func LazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
