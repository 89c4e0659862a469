package rp2040

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"

	"utfbench/transport"
)

// # Frames of bursts, with the sizes of fields in bytes
//
//	A  number of operations, 2, of DMA channels, 1, of PIO blocks, 1, each block's register of enabled machines, 4
//	   each, and the registers to restore. The answer is 0, the maximum number of periods, the address of their words,
//	   the size of these, the address of the results, the free bytes of memory, the system clock in hertz, 4 each, and
//	   the DMA channels; or 1 and the reason why bursts are impossible
//	O  an index, 2, then words of the operations
//	L  1 at the start of a burst, else 0, then step codes; the answer is the number of periods so far, 4
//	B  number of operations to execute, 2, the system clock for them in hertz, 4, or 0 to keep it, then index, 2, and
//	   word, 4, of each changed word; the answer is FDEBUG and the DMA channels that have ended, see ensemble.go
//	R  number of steps, 2; the answer is their samples, packed like those of steps that drive nothing
//
//go:embed burst.py
var burstProgram []byte

// Indices in the program's table, as in burst.py.
const (
	wordOE   = 40 // registers of banks 0 and 1, then bits of a period's word: clk, rst_n, uo, uio
	wordRest = 46
)

var _ transport.Burster = (*Transport)(nil)

// Burst implements transport.Burster. Each step, with its clocks, must fit the grid.
func (t *Transport) Burst(ctx context.Context, steps []transport.Step, samples []transport.Sample,
	at transport.Timing) error {
	if _, err := t.Grid(ctx); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.usable(ctx); err != nil {
		return err
	}
	if err := transport.CheckBatch(ctx, steps, samples); err != nil || len(steps) == 0 {
		return err
	}
	for i, s := range steps {
		if !t.bursts.grid().CanJoin(s, steps[0], at) {
			return fmt.Errorf("%s: rst_n or a direction of uio changes in step %d of a burst that is too fast for that",
				t.name, i)
		}
	}
	if t.bursts.grid().ForbidsTurnaround(at) {
		if err := t.turn(ctx, steps[0]); err != nil {
			return err
		}
	}
	if err := t.prepare(ctx, at); err != nil {
		return t.bury(err)
	}
	periods, err := t.load(ctx, steps)
	if err != nil {
		return t.bury(err)
	}
	whole, err := t.play(ctx, periods, steps[len(steps)-1].Reset)
	if err != nil {
		return t.bury(err)
	}
	if !whole {
		return fmt.Errorf("%s: the burst did not run evenly at a period of %v, since the microcontroller's memory had "+
			"other work, and it is void: ask for a longer period", t.name, at.Period)
	}
	return t.bury(t.taken(ctx, samples))
}

// turn sets rst_n and the directions of uio as a step requires, with clk at rest.
func (t *Transport) turn(ctx context.Context, s transport.Step) error {
	s.Clocks = 0
	_, err := t.apply(ctx, []transport.Step{s}, make([]transport.Sample, 1))
	return err
}

// prepare sends the operations for a timing unless the board already holds them.
func (t *Transport) prepare(ctx context.Context, at transport.Timing) error {
	b := t.bursts
	if b.score != nil && b.at == at {
		return nil
	}
	s, err := b.ensemble.score(b.ticks(at))
	if err != nil {
		return err
	}
	var all []uint32
	for _, o := range s.ops {
		all = append(all, o[:]...)
	}
	if err := t.sendWords(ctx, kindOps, all); err != nil {
		return err
	}
	if _, err := t.exchange(ctx, kindWords, words(wordRest, uint32(at.RestPeriods()))); err != nil {
		return err
	}
	b.score, b.at = s, at
	return nil
}

// load makes the board prepare steps, and returns the number of periods they take.
func (t *Transport) load(ctx context.Context, steps []transport.Step) (periods int, err error) {
	first := byte(1)
	err = t.pipeline(ctx, kindLoad, t.board.inFlight, func() []byte {
		if len(steps) == 0 {
			return nil
		}
		codes, n := t.codes.encode([]byte{first}, steps, t.board.payload-1, len(steps))
		steps, first = steps[n:], 0
		return codes
	}, func(answer []byte) error {
		if len(answer) != 4 {
			return fmt.Errorf("the board sent %d bytes for steps of a burst, want 4", len(answer))
		}
		periods = int(binary.LittleEndian.Uint32(answer))
		return nil
	})
	return periods, err
}

// cyclesOfALook is the minimum number of cycles in which the board polls a register once.
const cyclesOfALook = 4

// play executes the loaded burst, and reports whether it ran evenly.
func (t *Transport) play(ctx context.Context, periods int, reset bool) (whole bool, err error) {
	b := t.bursts
	ticks := b.ticks(b.at).period*periods + 2*maxSample
	release := uint32(0)
	if !reset {
		release = 1 << (b.pins["rst_n"] % bankPins)
	}
	request := binary.LittleEndian.AppendUint16(nil, uint16(len(b.score.ops)))
	request = binary.LittleEndian.AppendUint32(request, uint32(b.at.Clock))
	request = append(request, words(3*b.score.looks+2, uint32(ticks/cyclesOfALook+1000))...)
	request = append(request, words(3*b.score.rst+1, release)...)
	for channel, at := range b.score.counts {
		n := periods + 1 // clk falls in the additional one
		if channel == moveDirections {
			n = (n + 3) / 4
		}
		request = append(request, words(3*at+1, uint32(n))...)
	}
	f, err := t.exchange(ctx, kindBurst, request)
	if due := 4 * foundWords; err == nil && len(f.payload) != due {
		err = fmt.Errorf("the board sent %d bytes for a burst, want %d", len(f.payload), due)
	}
	return err == nil && b.whole(f.payload), err
}

func (t *Transport) taken(ctx context.Context, samples []transport.Sample) error {
	released := make([]transport.Step, min(len(samples), t.board.steps))
	var packed unpacker
	count := func(rest int) int { return min(rest, len(released)) } // number of samples in the next frame
	unsent := len(samples)
	return t.pipeline(ctx, kindTaken, t.board.inFlight, func() []byte {
		n := count(unsent)
		if n == 0 {
			return nil
		}
		unsent -= n
		return binary.LittleEndian.AppendUint16(nil, uint16(n))
	}, func(answer []byte) error {
		n := count(len(samples))
		err := packed.unpack(answer, released[:n], samples[:n])
		samples = samples[n:]
		return err
	})
}
