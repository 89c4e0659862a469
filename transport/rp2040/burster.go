package rp2040

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"utfbench/internal/printable"
	"utfbench/transport"
)

// A burster describes a board's resources for bursts.
type burster struct {
	ensemble
	periods int // maximum
	free    int // bytes free on the board
	score   *score
	at      transport.Timing // timing of score
	clock   int              // hertz
	clocks  []int
}

// Grid implements transport.Burster. The first call sends the program for bursts to the board.
func (t *Transport) Grid(ctx context.Context) (transport.Grid, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.usable(ctx); err != nil {
		return transport.Grid{}, err
	}
	if t.bursts == nil {
		var err error
		if t.bursts, err = t.beginBursts(ctx); err != nil {
			return transport.Grid{}, err
		}
	}
	return t.bursts.grid(), nil
}

func (b *burster) grid() transport.Grid {
	g := b.times(b.clock)
	g.Steps, g.Periods, g.Clocks = b.periods, b.periods, b.clocks
	return g
}

func (e *ensemble) times(clock int) transport.Grid {
	g := transport.Grid{Clock: clock, HighTicks: highTicks, GapTicks: e.gap()}
	g.MinPeriod, g.MaxPeriod, g.MaxSample = g.Time(g.HighTicks+g.GapTicks+1), g.Time(maxPeriod), g.Time(maxSample)
	g.MinStillPeriod = g.Time(minStill)
	return g
}

// minClock is the slowest system clock for a burst, in MHz. From 64 to 133 MHz the PLL can make every whole MHz. The
// range exceeds an octave, so every time from 7.5 ns on is near a whole number of ticks of some clock.
const minClock = 64

// madeByPLL reports whether the PLL can make a system clock, in MHz. It multiplies the crystal's 12 MHz to 750 to 1600
// MHz and divides the result twice by 1 to 7 (RP2040 datasheet, 2.18.2; RP2350 datasheet, 8.6.2).
func madeByPLL(mhz int) bool {
	for by := 1; by <= 7; by++ {
		for again := 1; again <= by; again++ {
			if vco := mhz * by * again; vco%12 == 0 && vco >= 750 && vco <= 1600 {
				return true
			}
		}
	}
	return false
}

// otherClocks returns the alternative system clocks, in hertz, the nearest first.
func (f *family) otherClocks(own int) (all []int) {
	for mhz := minClock; mhz <= f.maxClock; mhz++ {
		if hz := mhz * 1_000_000; hz != own && madeByPLL(mhz) {
			all = append(all, hz)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(max(a-own, own-a), max(b-own, own-b)) })
	return all
}

func (b *burster) ticks(at transport.Timing) ticks {
	g := b.grid().WithClock(at.Clock)
	t := ticks{g.Ticks(at.Period), g.GapTicks, g.Ticks(at.Lead), g.Ticks(at.Sample)}
	if g.ForbidsTurnaround(at) {
		t.gap = 0
	}
	return t
}

// A noBursts error reports a board that can never play bursts. It wraps transport.ErrNoBursts.
type noBursts struct{ error }

func (e noBursts) Unwrap() []error { return []error{transport.ErrNoBursts, e.error} }

// beginBursts prepares the board for bursts. It returns an error for a missing resource, but the link stays usable.
func (t *Transport) beginBursts(ctx context.Context) (*burster, error) {
	if !t.board.viper {
		return nil, noBursts{errors.New("its firmware has no viper, without which bursts cannot be prepared")}
	}
	w, err := newWindow(t.family, t.pins)
	if err != nil {
		return nil, noBursts{err}
	}
	if why, err := t.add(ctx, w.fill(burstProgram, t.family, t.pins)); err != nil || why != "" {
		return nil, cmp.Or(t.bury(err), fmt.Errorf("the board rejects the program for bursts: %s", why))
	}
	e := ensemble{family: t.family, window: w, pins: t.pins}
	f, err := t.exchange(ctx, kindBegin, e.request())
	if err != nil {
		return nil, t.bury(err)
	}
	b, err := e.newBurster(f.payload)
	if err != nil {
		return nil, err
	}
	banks := t.family.banks
	_, err = t.exchange(ctx, kindWords, words(wordOE, banks[0].oe, banks[1].oe, w.bit("clk"), w.bit("rst_n"),
		w.bits.mask(transport.UO), w.bits.mask(transport.UIO)))
	return b, t.bury(err)
}

func (e *ensemble) request() []byte {
	blocks := e.blocks()
	request := binary.LittleEndian.AppendUint16(nil, maxOperations)
	request = append(request, byte(e.wants()), byte(len(blocks)))
	for _, b := range blocks {
		request = binary.LittleEndian.AppendUint32(request, b.at(pioCtrl))
	}
	for _, r := range e.borrowed() {
		request = binary.LittleEndian.AppendUint32(request, r)
	}
	return request
}

const (
	helloBytes = 1 + 4*6 // plus the channels
	minPeriods = 255 + 2 // clocks of a step plus rests
)

func (e ensemble) newBurster(answer []byte) (*burster, error) {
	if len(answer) == 0 || answer[0] != 0 {
		return nil, fmt.Errorf("the board plays no bursts: %s", printable.Text(string(answer[min(1, len(answer)):])))
	}
	if due := helloBytes + e.wants(); len(answer) != due {
		return nil, fmt.Errorf("the board sent %d bytes about bursts, want %d", len(answer), due)
	}
	word := func(i int) int { return int(int32(binary.LittleEndian.Uint32(answer[1+4*i:]))) } // may be negative
	b := &burster{periods: word(0), free: word(4), clock: word(5), clocks: e.family.otherClocks(word(5))}
	if b.periods < minPeriods {
		return nil, fmt.Errorf("the board has memory for bursts of %d periods, and a single step may have %d",
			b.periods, minPeriods)
	}
	e.memory, e.words, e.found, e.channels = uint32(word(1)), uint32(word(2)), uint32(word(3)), answer[helloBytes:]
	b.ensemble = e
	return b, nil
}
