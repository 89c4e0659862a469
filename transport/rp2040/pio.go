package rp2040

import (
	"fmt"
	"slices"
)

// # Bursts by PIO and DMA
//
// Three state machines of PIO 0 run in parallel, each in a loop of one period of clk. A tick is a cycle of the system
// clock. DMA feeds the first two machines from memory and stores the output of the third, without the processor.
//
// 0  levels     takes a word per period. Side-set holds clk low while the other levels change; then clk follows the
// word: in a period without a rising edge its bit is 0
// 1  directions takes a byte of uio's directions per period, when machine 0 signals clk's fall
// 2  samples    outputs a word per period: the levels of all pins, which DMA writes over the period's own word
//
// cycle       0     1      2     3 .. 2+lead   3+lead .. period-1
// machine 0   PULL  IRQ    NOP   MOV PINS      MOV PINS
// clk               falls                      follows the word, until the next cycle 1
// levels                         change
// machine 1               WAIT   OUT
//
// A late word stalls machine 0 in its PULL, and with it machine 1, which waits for each period's IRQ: if they drifted
// apart, the bench might drive uio against the chip. The stall is latched in FDEBUG. At the end of a burst both stall
// as expected, after an additional period in which clk falls. Therefore another DMA channel reads FDEBUG right after
// the last word of levels was transferred, when some eight periods are still in the FIFO, and one more reads it after
// the last sample. A burst in which a machine waited is thus detected and declared void.
//
// # rst_n driven by another block
//
// A block of an RP2350 reaches 32 of the 48 pins, from GPIO0 or from GPIO16 on. If the block of the other pins cannot
// reach rst_n (GPIO14 on the demo board), a machine of the next block drives it from the same words, in which an unused
// bit stands for rst_n. DMA reads the words for it before samples overwrite them. Machine 0 then has two IRQs, and the
// minimum period is a cycle longer:
//
// cycle       0     1         2     3     4 .. 3+lead
// machine 0   PULL  IRQ NEXT  IRQ   NOP   MOV PINS
// machine 1                         WAIT  OUT
// PIO 1             WAIT since the last   OUT PINS in cycle 3; in 4 if a flag takes a cycle more between blocks
//
// # Still bursts
//
// If neither rst_n nor a direction changes within a burst, machine 0 runs without IRQs, and the levels change when clk
// falls: a period can be as short as 3 cycles. Directions are set beforehand, and the additional machine for rst_n is
// unused.
//
// Sources: RP2040 datasheet, PIO 3.4 to 3.7, DMA 2.5; RP2350 datasheet, PIO 11, DMA 12.6. Only with autopull can a
// machine take a word in the cycle of its arrival without a stall flag, so machine 0 uses explicit PULLs.
const (
	highTicks = 2 // minimum high time of clk
	gapTicks  = 2 // minimum from clk's fall to the change of levels
	farTicks  = 1 // additional ticks if another block drives rst_n
	minStill  = 3
	maxPeriod = 250
	maxSample = 250

	instructions = 32 // capacity of a PIO block
)

// Instructions without side-set and delay (RP2040 datasheet, 3.4).
const (
	nop     = 0xA042 // mov y, y
	setX    = 0xE020 // plus the value, at most 31
	jumpX   = 0x0040 // jump and decrement x if x is not 0
	pull    = 0x80A0
	setIRQ  = 0xC000 // flag 0, without waiting
	nextIRQ = 0xC018 // flag 0 of the next block (RP2350 datasheet, 11.4)
	waitIRQ = 0x20C0 // wait for flag 0 and clear it
	movPins = 0xA007 // mov pins, osr
	outPins = 0x6000 // 32 bits, or the number added
	outNull = 0x6060
	outDirs = 0x6080
	inPins  = 0x4000 // 32 bits
)

// A pioProgram is the program of a PIO state machine. Instructions have 3 bits of delay with side-set, and 5 without.
type pioProgram struct {
	code  []uint16
	jumps []int // indices of jumps, whose targets are relative to the program's start
	wrap  int   // first instruction of the loop, which ends with the last one
	side  bool
}

// op appends an instruction that takes the given number of cycles. If its delay field is too short for that, it adds at
// most two idle instructions, or a loop.
func (p *pioProgram) op(code uint16, cycles int, side uint16) {
	most := 32
	if p.side {
		most = 8
	}
	add := func(code uint16, n int) { p.code = append(p.code, code|uint16(n-1)<<8|side) }
	n := min(cycles, most)
	add(code, n)
	if cycles -= n; cycles > 2*most {
		times := (cycles - 1) / most
		n = cycles - times*most
		add(setX|uint16(times-1), n)
		p.jumps = append(p.jumps, len(p.code))
		add(jumpX|uint16(len(p.code)), most)
		return
	}
	for ; cycles > 0; cycles -= n {
		n = min(cycles, most)
		add(nop, n)
	}
}

func (p *pioProgram) at(address int) []uint16 {
	code := slices.Clone(p.code)
	for _, i := range p.jumps {
		code[i] += uint16(address)
	}
	return code
}

// clkLow is the side-set that holds clk low. Without side-set clk follows the data, or keeps its level.
const clkLow = 1 << 12

// ticks is a timing in cycles of the system clock.
type ticks struct{ period, gap, lead, sample int }

func (t ticks) still() bool { return t.gap == 0 }

// levels, directions and samples return the machines' programs.
func (t ticks) levels() *pioProgram {
	p := &pioProgram{side: true}
	p.op(pull, 1, 0)
	if t.gap > gapTicks {
		p.op(nextIRQ, t.gap-gapTicks, clkLow)
	}
	if t.gap > 0 {
		p.op(setIRQ, gapTicks, clkLow)
	}
	p.op(movPins, t.lead, clkLow)
	p.op(movPins, t.period-1-t.gap-t.lead, 0)
	return p
}

func (t ticks) directions() *pioProgram {
	p := &pioProgram{}
	p.op(waitIRQ, 1, 0)
	p.op(outDirs|8, 1, 0)
	return p
}

// synchroniser is the delay of the inputs' synchroniser, in cycles (RP2040 datasheet, 3.5.6.3).
const synchroniser = 2

func (t ticks) samples() *pioProgram {
	p := &pioProgram{}
	p.op(nop, 1+t.gap+t.lead+t.sample+synchroniser, 0) // clk rises at the end of cycle 1+gap+lead
	p.wrap = len(p.code)
	p.op(inPins, t.period, 0)
	return p
}

// resets returns the program of the machine that drives only rst_n, from a bit of each word.
func resets(bit int) *pioProgram {
	p := &pioProgram{}
	p.op(pull, 1, 0)
	p.op(outNull|uint16(bit), 1, 0) // a count of 0 would mean 32, but rst_n's bit is never bit 0
	p.op(waitIRQ, 1, 0)
	p.op(outPins|1, 1, 0)
	return p
}

func (t ticks) programs() (all []*pioProgram, at []int, err error) {
	all = []*pioProgram{t.levels(), t.directions(), t.samples()} // a still burst needs no directions
	n := 0
	for _, p := range all {
		at = append(at, n)
		n += len(p.code)
	}
	if n > instructions {
		return nil, nil, fmt.Errorf("a burst of %+v takes %d instructions of the PIO, and it has %d",
			t, n, instructions)
	}
	return all, at, nil
}
