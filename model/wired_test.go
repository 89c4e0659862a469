package model

import (
	"testing"

	"pgregory.net/rapid"
)

func TestPackRoundTrip(t *testing.T) {
	if len(Bits) != 54 {
		t.Fatalf("%d register bits; want 54", len(Bits))
	}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.Uint64Range(0, 1<<54-1).Draw(t, "bits")
		if got := Pack(unpack(p)); got != p {
			t.Fatalf("Pack(unpack(%x)) = %x", p, got)
		}
	})
}
