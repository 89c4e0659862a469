package model

import (
	"testing"

	"pgregory.net/rapid"

	"utfbench/fault"
)

func TestPackRoundTrip(t *testing.T) {
	if len(Bits) != 54 {
		t.Fatalf("%d register bits; want 54", len(Bits))
	}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.Uint64Range(0, 1<<54-1).Draw(t, "bits")
		if got := PackRegisters(unpack(p)); got != p {
			t.Fatalf("Pack(unpack(%x)) = %x", p, got)
		}
	})
}

// A level of the outputs, or of the registers after an edge, is known only if no level of an unknown input changes it.
func TestUnknownInputs(t *testing.T) {
	c := New(TT09)
	c.ClockEdge(Idle, 0, true)
	for _, b := range []byte{0, 0x11, 0, 0} {
		c.ClockEdge(Idle&^(READ|CIO), b, false)
	}
	for x := range 256 {
		for v := range 256 {
			in := fault.Levels{V: uint32(v&^x) | fault.MaskRst, X: uint32(x)}
			out, _ := NewWired(c).Drives(in)
			after := *c
			NewWired(&after).ClockEdge(in)
			for sub := x; ; sub = (sub - 1) & x {
				ui := uint8(v&^x | sub)
				if (c.Out(ui)^uint8(out.V>>fault.UO))&^uint8(out.X>>fault.UO) != 0 {
					t.Fatalf("ui %08b, unknown %08b: uo %08b, unknown %08b, but with ui %08b it is %08b", v&^x, x,
						uint8(out.V>>fault.UO), uint8(out.X>>fault.UO), ui, c.Out(ui))
				}
				one := *c
				if one.ClockEdge(ui, 0, false); after.StateKnown() && one != after {
					t.Fatalf("ui %08b, unknown %08b: %+v after an edge, but with ui %08b it is %+v", v&^x, x, after, ui,
						one)
				}
				if sub == 0 {
					break
				}
			}
		}
	}
}
