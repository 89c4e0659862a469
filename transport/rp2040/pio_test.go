package rp2040

import (
	"encoding/binary"
	"slices"
	"testing"
)

// Whatever the grid allows fits into a PIO, and each loop takes a period.
func TestPIOPrograms(t *testing.T) {
	for period := leastPeriod; period <= mostPeriod; period++ {
		for lead := 1; lead <= period-highTicks-gapTicks; lead += 1 + lead/20 {
			for sample := 0; sample <= mostSample; sample += 1 + sample/20 {
				at := ticks{period, lead, sample}
				all, _, err := at.programs()
				if err != nil {
					t.Fatal(err)
				}
				for _, n := range []int{0, 2} { // machine 1 waits for machine 0
					if got := cycles(all[n], all[n].wrap); got != period {
						t.Fatalf("%+v: the loop of machine %d takes %d cycles", at, n, got)
					}
				}
				// clk rises with the last of these, and IN sees what was there two cycles before
				rises := 1 + gapTicks + lead
				if got := cycles(all[2], 0) - period - synchroniser - rises; got != sample {
					t.Fatalf("%+v: the sample is %d ticks after clk rises", at, got)
				}
			}
		}
	}
}

// cycles is how many the instructions from one on take.
func cycles(p *pioProgram, from int) (n int) {
	delay := uint16(0x1F)
	if p.side {
		delay = 0x07
	}
	times := 1
	for i, code := range p.code[from:] {
		took := 1 + int(code>>8&delay)
		if slices.Contains(p.jumps, from+i) {
			took *= times
		}
		n += took
		times = 1 + int(code&0x1F) // of a jump after set x
	}
	return n
}

// A burst is whole if nobody waited and both ways ended: one that was given up is void, whatever FDEBUG said before.
func TestWhole(t *testing.T) {
	e := ensemble{channels: []byte{4, 5, 6, 7, 8, 9, 10, 11}}
	for _, c := range []struct {
		levels, samples, ended uint32
		want                   bool
	}{
		{0, 0, 1<<4 | 1<<6, true},
		{1 << 2, 1<<24 | 1<<25, 1<<4 | 1<<5 | 1<<6, true}, // after the end
		{1 << 24, 0, 1<<4 | 1<<6, false},
		{1 << 25, 0, 1<<4 | 1<<6, false},
		{0, 1 << 2, 1<<4 | 1<<6, false},
		{0, 0, 1 << 4, false},
		{0, 0, 1 << 6, false},
		{0, 0, 0, false},
	} {
		var found []byte
		for _, w := range []uint32{c.levels, c.samples, c.ended} {
			found = binary.LittleEndian.AppendUint32(found, w)
		}
		if got := e.whole(found); got != c.want {
			t.Errorf("FDEBUG %08X and %08X, ended %04X: whole is %v", c.levels, c.samples, c.ended, got)
		}
	}
}
