package rp2040

import (
	"encoding/binary"
	"strings"
	"testing"

	"utfbench/internal/testkit"
)

func begun(e ensemble, periods int32) []byte {
	answer := []byte{0}
	for _, v := range []int32{periods, 0x20001000, 0x800, 0x20002000, 25_000, 125_000_000} {
		answer = binary.LittleEndian.AppendUint32(answer, uint32(v))
	}
	return append(answer, make([]byte, e.wants())...)
}

// newBurster rejects a board that reports room for fewer periods than a step may have.
func TestRoomForBursts(t *testing.T) {
	e := ensemble{family: &families[0]}
	b := testkit.Must(e.newBurster(begun(e, 1000)))(t)
	if g := b.grid(); g.Periods != 1000 || g.Steps != 1000 || g.Clock != 125e6 {
		t.Errorf("the grid is %+v", g)
	}
	for _, n := range []int32{-1, 0, 256} {
		if _, err := e.newBurster(begun(e, n)); err == nil || !strings.Contains(err.Error(), "has memory for") {
			t.Errorf("with room for %d periods: %v", n, err)
		}
	}
}

// The PLL can make every whole MHz up to the usual clocks, but only some above them.
func TestOtherClocks(t *testing.T) {
	for mhz := minClock; mhz <= 133; mhz++ {
		if !madeByPLL(mhz) {
			t.Errorf("no %d MHz", mhz)
		}
	}
	for name, c := range map[string]struct{ own, n, first, last int }{
		"RP2040": {125e6, 69, 124e6, 64e6}, "RP2350": {150e6, 81, 148e6, 64e6},
	} {
		got := testkit.Must(findFamily(name))(t).otherClocks(c.own)
		if len(got) != c.n || got[0] != c.first || got[len(got)-1] != c.last {
			t.Errorf("%s: %d, from %d to %d", name, len(got), got[0], got[len(got)-1])
		}
	}
}
