package rp2040

import (
	"context"
	"fmt"
	"time"

	"utfbench/transport"
)

var _ transport.FreeRunner = (*Transport)(nil)

// mostFree is the maximum time for which clk runs without a rest, since the board serves no host meanwhile.
const mostFree = 100 * time.Millisecond

// RunsFree implements transport.FreeRunner.
func (t *Transport) RunsFree() bool { return true }

// FreeRun implements transport.FreeRunner. A loop of PIO machine 0 counts the periods. It needs no memory, so nothing
// can delay it.
func (t *Transport) FreeRun(ctx context.Context, held transport.Step, clocks int, at transport.Timing) error {
	if _, err := t.Grid(ctx); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.usable(ctx); err != nil {
		return err
	}
	if err := t.turn(ctx, held); err != nil {
		return t.bury(err)
	}
	for clocks > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(clocks, max(1, int(mostFree/at.Period)))
		whole, err := t.runFree(ctx, held.Reset, n, t.bursts.ticks(at).period, at.Clock)
		if err != nil {
			return t.bury(err)
		}
		if !whole {
			return fmt.Errorf("%s: clk did not end its %d periods of %v in time, so their number is unknown", t.name, n,
				at.Period)
		}
		clocks -= n
	}
	return nil
}

// runFree runs clk once, and reports whether it ended.
func (t *Transport) runFree(ctx context.Context, reset bool, clocks, period, clock int) (ended bool, err error) {
	b := t.bursts
	s := b.freeScore(clocks, period)
	b.score = nil // it overwrites the operations of a burst
	if err := t.sendOperations(ctx, s); err != nil {
		return false, err
	}
	found, err := t.play(ctx, s, clock, reset, nil)
	return err == nil && found[4*foundEnded]&1 != 0, err
}

// sendOperations sends a score to the board.
func (t *Transport) sendOperations(ctx context.Context, s *score) error {
	var all []uint32
	for _, o := range s.ops {
		all = append(all, o[:]...)
	}
	return t.sendWords(ctx, kindOps, all)
}

// free returns the program that runs clk for as many periods as the word in its FIFO, plus 1. It then sets flag 0 and
// holds clk low. X counts delays, so Y counts periods.
func free(period int) *pioProgram {
	p := &pioProgram{side: true}
	p.op(pull, 1, clkLow)
	p.op(movY, 1, clkLow)
	loop := len(p.code)
	high := min(max(highTicks, period/2), period-1)
	p.op(nop, high, clkHigh)
	if low := period - high - 1; low > 0 {
		p.op(nop, low, clkLow)
	}
	p.jumps = append(p.jumps, len(p.code))
	p.op(jumpY|uint16(loop), 1, clkLow)
	p.op(setIRQ, 1, clkLow)
	p.wrap = len(p.code)
	p.op(nop, 1, clkLow)
	return p
}

// freeScore returns the operations that run clk for some periods of this many ticks.
func (e *ensemble) freeScore(clocks, period int) *score {
	s := &score{}
	main := e.blocks()[:1] // a far rst_n keeps its level
	e.take(s, main[0])
	p := free(period)
	s.load(main[0], []*pioProgram{p}, []int{0})
	s.machine(main[0], 0, p, 0, right, 2<<29|uint32(e.bits["clk"])<<10)
	s.add(put(main[0].at(pioTX), uint32(clocks-1)))
	s.pins(e.family, main[0].pins, main[0].function())
	s.add(put(main[0].at(pioIRQ), 0xFF), put(main[0].at(pioCtrl), 0x101),
		await(main[0].at(pioIRQ), 1, uint32(clocks*period/cyclesOfALook+1000)),
		fetch(e.foundAt(foundEnded), main[0].at(pioIRQ), 0))
	e.give(s, main)
	return s
}
