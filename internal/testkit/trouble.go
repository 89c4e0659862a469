package testkit

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// A LinkFault is one fault of a cable or a network: it affects a few bytes of a stream, once.
type LinkFault struct {
	Kind string        // one of LinkFaultKinds
	At   int64         // offset of the first affected byte
	Len  int           // number of lost, doubled or reordered bytes
	Bit  int           // number of the flipped bit
	Wait time.Duration // duration of a delay

	passed int64
	held   []byte
	hit    atomic.Bool
}

// LinkFaultKinds lists the kinds of link faults.
var LinkFaultKinds = []string{"flip", "lose", "double", "reorder", "delay", "cut"}

// ErrCut is the error that Apply returns after a cut.
var ErrCut = errors.New("the cable was cut")

// NewLinkFault returns a random fault at an offset below bytes. A delay is shorter than longest.
func NewLinkFault(random *rand.Rand, bytes int64, longest time.Duration) *LinkFault {
	return &LinkFault{Kind: LinkFaultKinds[random.IntN(len(LinkFaultKinds))], At: random.Int64N(max(1, bytes)),
		Len: 1 << random.IntN(10), Bit: random.IntN(8), Wait: time.Duration(random.Int64N(int64(longest)))}
}

// String describes the fault uniquely.
func (t *LinkFault) String() string {
	return fmt.Sprintf("%s at byte %d, %d bytes, bit %d, %s", t.Kind, t.At, t.Len, t.Bit, t.Wait)
}

// Occurred reports whether the fault has occurred.
func (t *LinkFault) Occurred() bool { return t.hit.Load() }

// Apply returns the next piece of the stream, with the part of the fault that falls within it, and ErrCut after a cut.
func (t *LinkFault) Apply(piece []byte) (out []byte, err error) {
	for _, b := range piece {
		in := t.passed >= t.At && t.passed < t.At+int64(t.Len)
		if t.passed == t.At {
			t.hit.Store(true)
		}
		switch {
		case t.Kind == "cut" && t.passed >= t.At:
			return out, ErrCut
		case t.Kind == "flip" && t.passed == t.At:
			b ^= 1 << t.Bit
		case t.Kind == "delay" && t.passed == t.At:
			time.Sleep(t.Wait)
		}
		t.passed++
		switch {
		case in && (t.Kind == "reorder" || t.Kind == "double"):
			t.held = append(t.held, b)
			if t.Kind == "double" {
				out = append(out, b)
			}
		case in && t.Kind == "lose":
		default:
			out = append(out, b)
		}
		if len(t.held) == t.Len && t.passed >= t.At+2*int64(t.Len) || t.Kind == "double" && len(t.held) == t.Len {
			out, t.held = append(out, t.held...), nil
		}
	}
	return out, nil
}
