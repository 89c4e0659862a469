package printable

import (
	"regexp"
	"sync"
)

// Regexp returns a function that compiles an expression on its first call. Most runs of a command need no expression,
// and compiling all of them takes longer than the rest of its start. The function panics if the expression is invalid.
func Regexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
