package demoboard

import (
	"testing"

	"utfbench/internal/failure"
)

// An ambiguous port is a usage error; a missing board is not.
func TestPortError(t *testing.T) {
	boards := []Port{{Name: "a", CanBench: true}, {Name: "b", CanBench: true}}
	_, several := FindPort(boards, "")
	_, none := FindPort(boards, "c")
	for _, c := range []struct {
		err   error
		usage bool
	}{{several, true}, {none, false}} {
		if err := c.err; err == nil || (failure.KindOf(err) == failure.User) != c.usage {
			t.Errorf("%v: bad usage %t; want %t", err, !c.usage, c.usage)
		}
	}
}
