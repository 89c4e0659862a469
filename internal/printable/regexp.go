package printable

import (
	"regexp"
	"sync"
)

// Regexp returns a function that compiles an expression at its first call: most runs of a command need none of them,
// and all together take longer to compile than the rest of its start. It panics if the expression is invalid.
func Regexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
