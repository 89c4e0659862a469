package rp2040

import (
	"fmt"
	"slices"
)

// # Bursts by PIO and DMA
//
// Three machines of PIO 0 run side by side, each a period of clk in a loop, with a tick for each cycle of the system
// clock. DMA feeds the first two from memory and empties the third into it, so that the processor has no part in it.
//
//	0  levels     takes a word for each period. clk is low by side-set while the other levels change, and then as the
//	              word has it: a period without a rising edge is a word whose bit of clk is 0
//	1  directions takes a byte for each period, the directions of uio, when machine 0 says that clk falls
//	2  samples    gives a word for each period: the levels of all pins, which DMA writes over the period's own word
//
//	cycle       0     1      2     3 .. 2+lead   3+lead .. period-1
//	machine 0   PULL  IRQ    NOP   MOV PINS      MOV PINS
//	clk               falls                      is as the word has it, until the next cycle 1
//	levels                         change
//	machine 1               WAIT   OUT
//
// A word that is late stops machine 0 in its PULL, and with it machine 1, which waits for each period's IRQ: the bench
// would drive uio where the chip does if they went apart. It sticks in FDEBUG. At the end both stop so, rightly, and
// one more period than the steps have lets clk fall: another DMA channel reads FDEBUG right after the last word of
// levels was moved, when some eight periods are still in the FIFO, and one more after the last sample. So a burst in
// which a machine waited is known, and void. Memory comes in pieces, and the FIFOs last for the few cycles in which DMA
// goes from one to the next.
//
// # A reset of another block
//
// A block of an RP2350 reaches 32 of the 48 pins, from GPIO0 or from GPIO16 on. Where rst_n is not among those with
// the others (GPIO14 on the demo board) a machine of the next block drives it, from the same words, in which rst_n has
// a bit that no pin uses. DMA reads them a second time, before samples are written over them. Machine 0 has two IRQs
// then, and a period is a cycle longer:
//
//	cycle       0     1         2     3     4 .. 3+lead
//	machine 0   PULL  IRQ NEXT  IRQ   NOP   MOV PINS
//	machine 1                         WAIT  OUT
//	PIO 1             WAIT since the last   OUT PINS in cycle 3; in 4 if a flag takes a cycle more from block to block
//
// # Still bursts
//
// Where neither rst_n nor a direction changes within a burst machine 0 runs without IRQs, and the levels change when
// clk falls: 3 cycles are enough then. Directions are set before, and what drives rst_n alone is not needed.
//
// # Plain bursts
//
// A burst in which no direction changes, and for which there would not be room with them, is played as others are, but
// machine 1 is given the same bytes for each 512 periods. Directions are set before, too.
//
// Facts are of the RP2040 datasheet: PIO 3.4 to 3.7, DMA 2.5; and of the RP2350's: PIO 11, DMA 12.6. That a machine
// takes a word in the cycle in which it arrives without showing that it had none holds for autopull alone, so machine 0
// pulls its words itself.
const (
	highTicks  = 2 // clk is high for that long at least
	gapTicks   = 2 // from the fall of clk to the change of levels
	farTicks   = 1 // more, where rst_n is of another block
	leastStill = 3
	mostPeriod = 250
	mostSample = 250

	instructions = 32 // a PIO has room for so many
)

// Instructions (RP2040 datasheet, 3.4), with no side-set and no delay.
const (
	nop     = 0xA042 // mov y, y
	setX    = 0xE020 // to what is added, 31 at most
	jumpX   = 0x0040 // if x is not 0, which is then 1 less
	pull    = 0x80A0
	setIRQ  = 0xC000 // flag 0, without waiting
	nextIRQ = 0xC018 // flag 0 of the next block (RP2350 datasheet, 11.4)
	waitIRQ = 0x20C0 // until flag 0 is 1, which clears it
	movPins = 0xA007 // mov pins, osr
	outPins = 0x6000 // 32 bits, or as many as are added
	outNull = 0x6060
	outDirs = 0x6080
	inPins  = 0x4000 // 32 bits
)

// A pioProgram is the instructions of a machine. With side-set their delay has 3 bits, and 5 without.
type pioProgram struct {
	code  []uint16
	jumps []int // instructions whose targets count from the program's begin
	wrap  int   // the loop begins here, and ends with the last
	side  bool
}

// op appends an instruction of this many cycles, padded by idle ones if its own delay is too short: at most two, and
// then a loop.
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

// at gives the code as it is from an address on.
func (p *pioProgram) at(address int) []uint16 {
	code := slices.Clone(p.code)
	for _, i := range p.jumps {
		code[i] += uint16(address)
	}
	return code
}

// clkLow is the side-set of clk low: present, and 0. An instruction without it leaves clk to the data.
const clkLow = 1 << 12

// ticks is a timing in cycles of the system clock.
type ticks struct{ period, gap, lead, sample int }

// still reports whether the timing is of a still burst.
func (t ticks) still() bool { return t.gap == 0 }

// levels, directions and samples are the programs of the machines.
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

// synchroniser is how many cycles the levels that IN takes are old (RP2040 datasheet, 3.5.6.3).
const synchroniser = 2

func (t ticks) samples() *pioProgram {
	p := &pioProgram{}
	p.op(nop, 1+t.gap+t.lead+t.sample+synchroniser, 0) // clk rises at the end of cycle 1+gap+lead
	p.wrap = len(p.code)
	p.op(inPins, t.period, 0)
	return p
}

// resets returns the program of the machine that drives only rst_n, from a bit of the words.
func resets(bit int) *pioProgram {
	p := &pioProgram{}
	p.op(pull, 1, 0)
	p.op(outNull|uint16(bit), 1, 0) // a bit that is 0 would be 32 of them; no window is without pins before it
	p.op(waitIRQ, 1, 0)
	p.op(outPins|1, 1, 0)
	return p
}

// programs returns the programs of the three machines, and their offsets.
func (t ticks) programs() (all []*pioProgram, at []int, err error) {
	all = []*pioProgram{t.levels(), t.directions(), t.samples()} // that of directions is not used in a still burst
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
