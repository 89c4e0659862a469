package rp2040

import (
	"encoding/binary"
	"slices"
	"testing"

	"utfbench/internal/testkit"
)

// For every timing of the grid the programs fit into a PIO, and each loop takes one period.
func TestPIOPrograms(t *testing.T) {
	for _, gap := range []int{0, gapTicks, gapTicks + farTicks} {
		checkPrograms(t, gap)
	}
}

func checkPrograms(t *testing.T, gap int) {
	dense := testkit.Pick(4, 20)
	least := minStill
	if gap > 0 {
		least = highTicks + gap + 1
	}
	for period := least; period <= maxPeriod; period++ {
		for lead := 1; lead <= period-min(highTicks, period-1)-gap; lead += 1 + lead/dense {
			for sample := 0; sample <= maxSample; sample += 1 + sample/dense {
				at := ticks{period, gap, lead, sample}
				all, _, err := at.programs()
				if err != nil {
					t.Fatal(err)
				}
				for _, n := range []int{0, 2} { // machine 1 waits for machine 0's IRQ
					if got := cycles(all[n], all[n].wrap); got != period {
						t.Fatalf("%+v: the loop of machine %d takes %d cycles", at, n, got)
					}
				}
				// clk rises at the end of this cycle, and IN sees the levels of two cycles earlier
				rises := 1 + gap + lead
				if got := cycles(all[2], 0) - period - synchroniser - rises; got != sample {
					t.Fatalf("%+v: the sample is %d ticks after clk rises", at, got)
				}
			}
		}
	}
}

// cycles returns the number of cycles that the instructions take from the given index on.
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
		times = 1 + int(code&0x1F) // iterations of a jump after set x
	}
	return n
}

// A burst is whole if no machine waited and all transfers ended. An aborted burst is void, whatever FDEBUG shows.
func TestWhole(t *testing.T) {
	e := ensemble{channels: []byte{4, 5, 6, 7, 8}}
	const ended = 1<<4 | 1<<6
	for _, c := range []struct {
		levels, samples, ended, resets uint32
		near, far                      bool // whether it is whole: without and with another block for rst_n
	}{
		{0, 0, ended, 0, true, true},
		{1 << 2, 1<<24 | 1<<25, ended | 1<<5, 1 << 2, true, true}, // stalls only after the end
		{1 << 24, 0, ended, 0, false, false},
		{1 << 25, 0, ended, 0, false, false},
		{0, 1 << 2, ended, 0, false, false},
		{0, 0, ended, 1 << 24, true, false},
		{0, 0, 1 << 4, 0, false, false},
		{0, 0, 1 << 6, 0, false, false},
		{0, 0, 0, 0, false, false},
	} {
		var found []byte
		for _, w := range []uint32{c.levels, c.samples, c.ended, c.resets} {
			found = binary.LittleEndian.AppendUint32(found, w)
		}
		for far, want := range map[bool]bool{false: c.near, true: c.far} {
			e.far = far
			if got := e.whole(found); got != want {
				t.Errorf("%+v, rst_n far %v: whole is %v", c, far, got)
			}
		}
	}
}

// The operations of a burst fit into the board's memory for any timing and pins.
func TestOperations(t *testing.T) {
	most := 0
	for f, pins := range []map[string]int{tt06, etr} {
		w := testkit.Must(newWindow(&families[f], pins))(t)
		e := ensemble{family: &families[f], window: w, pins: pins, channels: make([]byte, farChannels)}
		for _, at := range []ticks{{10, e.gap(), 2, 2}, {maxPeriod, e.gap(), maxPeriod / 2, maxSample}} {
			s := testkit.Must(e.score(at))(t)
			most = max(most, len(s.ops))
		}
	}
	if most > maxOperations || most < maxOperations-20 {
		t.Errorf("%d operations are done, and the board is told of %d", most, maxOperations)
	}
}
