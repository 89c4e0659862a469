package testkit

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"
)

// Each kind of fault takes effect, however the stream is divided into pieces.
func TestTrouble(t *testing.T) {
	for what, want := range map[string]string{
		"flip": "abbdefghij", "lose": "abefghij", "double": "abcdcdefghij", "reorder": "abefcdghij",
		"delay": "abcdefghij",
		"cut":   "ab",
	} {
		for size := 1; size <= 10; size++ {
			trouble := &LinkFault{Kind: what, At: 2, Len: 2, Wait: time.Microsecond}
			var got []byte
			var err error
			for rest := []byte("abcdefghij"); len(rest) > 0 && err == nil; {
				n := min(size, len(rest))
				var out []byte
				out, err = trouble.Apply(rest[:n])
				got, rest = append(got, out...), rest[n:]
			}
			if string(got) != want || (what == "cut") != errors.Is(err, ErrCut) || !trouble.Occurred() {
				t.Errorf("%s in pieces of %d: %s, %v; want %s", what, size, got, err, want)
			}
		}
	}
}

// NewLinkFault draws all kinds, at offsets within the stream.
func TestNewTrouble(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(100) {
		trouble := NewLinkFault(rand.New(rand.NewPCG(seed, 1)), 50, time.Second)
		if seen[trouble.Kind] = true; trouble.At >= 50 || trouble.Occurred() || trouble.Wait >= time.Second {
			t.Error(trouble)
		}
	}
	if len(seen) != len(LinkFaultKinds) {
		t.Error(seen)
	}
}
