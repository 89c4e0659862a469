package rp2040

import (
	"encoding/binary"
	"fmt"
	"slices"

	"utfbench/transport"
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
// Facts are of the RP2040 datasheet: PIO 3.4 to 3.7, DMA 2.5. That a machine takes a word in the cycle in which it
// arrives without showing that it had none holds for autopull alone, so machine 0 pulls its words itself.
const (
	highTicks   = 2 // clk is high for that long at least
	gapTicks    = 2 // from the fall of clk to the change of levels
	leastPeriod = highTicks + gapTicks + 1
	mostPeriod  = 250
	mostSample  = 250

	instructions = 32 // a PIO has room for so many
)

// Instructions (RP2040 datasheet, 3.4), with no side-set and no delay.
const (
	nop     = 0xA042 // mov y, y
	setX    = 0xE020 // to what is added, 31 at most
	jumpX   = 0x0040 // if x is not 0, which is then 1 less
	pull    = 0x80A0
	setIRQ  = 0xC000 // flag 0, without waiting
	waitIRQ = 0x20C0 // until flag 0 is 1, which clears it
	movPins = 0xA007 // mov pins, osr
	outPins = 0x6000 // 32 bits
	outDirs = 0x6080 // 32 bits, or as many as are added
	inPins  = 0x4000 // 32 bits
)

// A pioProgram is the instructions of a machine. With side-set their delay has 3 bits, and 5 without.
type pioProgram struct {
	code  []uint16
	jumps []int // instructions whose targets count from the program's begin
	wrap  int   // the loop begins here, and ends with the last
	side  bool
}

// op appends an instruction that takes so many cycles, with others after it that do nothing where its own delay is not
// long enough: at most two, and then a loop.
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

// clkLow is the side-set of clk low: its bit is there, and 0. An instruction without leaves clk to the data.
const clkLow = 1 << 12

// ticks is a timing in cycles of the system clock.
type ticks struct{ period, lead, sample int }

func ticksOf(g transport.Grid, t transport.Timing) ticks {
	return ticks{g.Ticks(t.Period), g.Ticks(t.Lead), g.Ticks(t.Sample)}
}

// levels, directions and samples are the programs of the machines.
func (t ticks) levels() *pioProgram {
	p := &pioProgram{side: true}
	p.op(pull, 1, 0)
	p.op(setIRQ, gapTicks, clkLow)
	p.op(movPins, t.lead, clkLow)
	p.op(movPins, t.period-1-gapTicks-t.lead, 0)
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
	p.op(nop, 1+gapTicks+t.lead+t.sample+synchroniser, 0) // clk rises at the end of cycle 3+lead
	p.wrap = len(p.code)
	p.op(inPins, t.period, 0)
	return p
}

// programs gives those of the three machines, and where each begins.
func (t ticks) programs() (all []*pioProgram, at []int, err error) {
	all = []*pioProgram{t.levels(), t.directions(), t.samples()}
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

// # Operations
//
// An op is what the board is to do with a register; see burst.py.
type op [3]uint32

func put(register, value uint32) op { return op{register, value} }

func merge(register, from, mask uint32) op { return op{register | 1, from, mask} }

func await(register, bits, looks uint32) op { return op{register | 2, bits, looks} }

func fetch(register, from, set uint32) op { return op{register | 3, from, set} }

// Registers of the RP2040.
const (
	pio0       = 0x50200000
	pioCtrl    = pio0 + 0x00
	pioDebug   = pio0 + 0x08 // sticky: TXSTALL from bit 24, RXSTALL from bit 0
	pioTX      = pio0 + 0x10 // of machine 0
	pioRX      = pio0 + 0x20
	pioIRQ     = pio0 + 0x30
	pioBypass  = pio0 + 0x38
	pioPadOut  = pio0 + 0x3C
	pioPadOE   = pio0 + 0x40
	pioMemory  = pio0 + 0x48
	pioMachine = pio0 + 0xC8

	dma         = 0x50000000
	dmaEnded    = dma + 0x400
	dmaAbort    = dma + 0x444
	busPriority = 0x40030000
	functions   = 0x40014004 // of GPIO0, then every 8 bytes

	functionSIO = 5
	functionPIO = 6
)

// Registers of a machine.
const (
	smClkDiv = iota
	smExec
	smShift
	smAddr
	smInstr
	smPins
)

func machine(n, register int) uint32 { return pioMachine + uint32(0x18*n+4*register) }

// Bits of FDEBUG: machines 0 and 1 found nothing to take, machine 2 found no room.
const stalledTX, stalledRX = 1<<24 | 1<<25, 1 << 2

// borrowed are the registers that are put back when the board is given back. The pins' functions are after each burst.
func borrowed() (all []uint32) {
	all = []uint32{busPriority, pioBypass}
	for m := range 3 {
		for _, r := range []int{smClkDiv, smExec, smShift, smPins} {
			all = append(all, machine(m, r))
		}
	}
	return all
}

// An ensemble is what plays bursts on a board.
type ensemble struct {
	sio      registers
	pins     []int // that the bench drives: clk, rst_n, ui, uio
	clk, rst int
	uio      int    // the first of eight in a row
	lists    uint32 // where the words of periods are, to be moved and to be written, and their directions
	found    uint32 // where FDEBUG is put, twice, and which channels have ended
	channels []byte // of DMA
}

// The DMA channels: what moves levels, directions and samples; what gives each of them its next piece of memory; and
// what reads FDEBUG, after a piece of levels and after one of samples.
const (
	moveLevels = iota
	moveDirections
	moveSamples
	nextLevels
	nextDirections
	nextSamples
	findLevels
	findSamples
	allChannels
)

// mask has the pins that the bench drives.
func (e *ensemble) mask() (bits uint32) {
	for _, p := range e.pins {
		bits |= 1 << p
	}
	return bits
}

// Distances of the lists, which have two words for each piece; burst.py has the same number of pieces.
const (
	mostPieces = 160
	listBytes  = 8 * (mostPieces + 1)
)

const found = 12 // bytes

// whole says whether a burst is: no machine waited for a word or for room, and all words were moved both ways.
func (e *ensemble) whole(words []byte) bool {
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(words[4*i:]) }
	all := uint32(1)<<e.channels[moveLevels] | 1<<e.channels[moveSamples]
	return word(0)&stalledTX == 0 && word(1)&stalledRX == 0 && word(2)&all == all
}

// channel is a register of one of the DMA channels.
func (e *ensemble) channel(n int, register uint32) uint32 {
	return dma + 0x40*uint32(e.channels[n]) + register
}

// Registers and bits of a DMA channel. A list gives count and address of what is read, or address and count of what is
// written; the second of each starts the channel, unless it is 0: then it ends, and its bit of dmaEnded is set.
const (
	dmaRead, dmaWrite, dmaCount, dmaTrigger, dmaControl = 0x0, 0x4, 0x8, 0xC, 0x10

	dmaWriteThenCount = 0x18
	dmaCountThenRead  = 0x38

	dmaOn        = 1
	dmaWords     = 2 << 2
	dmaReadNext  = 1 << 4
	dmaWriteNext = 1 << 5
	dmaInPairs   = 3<<6 | 1<<10 // what is written goes to two words in turn
	dmaQuiet     = 1 << 21
	dmaAlways    = 0x3F
)

// control is how a channel works: on request, and then another one.
func (e *ensemble) control(bits uint32, request, then int) uint32 {
	return bits | dmaOn | dmaWords | dmaQuiet | uint32(request)<<15 | uint32(e.channels[then])<<11
}

// chain has three channels move what a list says: one moves a piece, the next gives it its next piece, and the third
// reads FDEBUG. A channel that is to find nothing is the one that gives pieces.
func (e *ensemble) chain(s *score, move, next, find int, list int, pair uint32, bits uint32, request int) {
	s.add(put(e.channel(move, dmaControl), e.control(bits, request, next)))
	s.add(put(e.channel(next, dmaRead), e.lists+uint32(list*listBytes)),
		put(e.channel(next, dmaWrite), e.channel(move, pair)), put(e.channel(next, dmaCount), 2),
		put(e.channel(next, dmaTrigger), e.control(dmaReadNext|dmaWriteNext|dmaInPairs, dmaAlways, find)))
}

// A score is the operations of a burst, and which of them depend on the burst.
type score struct {
	ops   []op
	looks int // how long it may take
	rst   int // rst_n is left to its pull-up where it is high
}

// score is all that is done for a burst of a timing.
func (e *ensemble) score(t ticks) (*score, error) {
	programs, at, err := t.programs()
	if err != nil {
		return nil, err
	}
	s := &score{}
	s.add(put(pioCtrl, 0xF0), put(pioBypass, 0), put(busPriority, 1<<12|1<<8)) // stopped; DMA is first on the bus
	word := uint32(pioMemory)
	for n, p := range programs {
		for _, code := range p.at(at[n]) {
			s.add(put(word, uint32(code)))
			word += 4
		}
	}
	e.take(s)
	const right, autopull, autopush = 1 << 19, 1 << 17, 1 << 16
	const joinTX, joinRX = 1 << 30, 1 << 31
	s.machine(0, programs[0], at[0], joinTX|right, 2<<29|uint32(e.clk)<<10|32<<20)
	s.machine(1, programs[1], at[1], joinTX|right|autopull, 8<<20|uint32(e.uio))
	s.machine(2, programs[2], at[2], joinRX|autopush, 0)
	e.arm(s)
	e.switchPins(s, functionPIO)
	s.add(put(pioIRQ, 0xFF), put(pioDebug, 0xFFFFFFFF), put(pioCtrl, 0xF07)) // all three in the same cycle
	s.add(await(dmaEnded, 1<<e.channels[moveSamples], 0))
	s.looks = len(s.ops) - 1
	s.add(fetch(e.found+8, dmaEnded, 0))
	e.give(s)
	return s, nil
}

func (s *score) add(ops ...op) { s.ops = append(s.ops, ops...) }

// machine sets a stopped machine up, at the beginning of its program, with empty FIFOs.
func (s *score) machine(n int, p *pioProgram, at int, shift, pins uint32) {
	exec := uint32(at+len(p.code)-1)<<12 | uint32(at+p.wrap)<<7
	if p.side {
		exec |= 1 << 30
	}
	s.add(put(machine(n, smClkDiv), 1<<16), put(machine(n, smExec), exec), put(machine(n, smPins), pins),
		put(machine(n, smShift), 0), put(machine(n, smShift), shift), // what joins FIFOs empties them
		put(machine(n, smInstr), uint32(at))) // a jump
}

// take gives the PIO the levels and directions that the pins have. rst_n, which may be left to its pull-up, is driven.
func (e *ensemble) take(s *score) {
	s.add(put(machine(0, smExec), 31<<12), put(machine(0, smPins), 32<<20), put(machine(0, smShift), 0),
		fetch(pioTX, e.sio.out, 0), put(machine(0, smInstr), pull), put(machine(0, smInstr), outPins),
		fetch(pioTX, e.sio.out+0x10, 1<<e.rst), put(machine(0, smInstr), pull), put(machine(0, smInstr), outDirs),
		put(pioCtrl, 0xF0))
}

// arm has DMA begin with the lists. Samples are first, so that none is lost.
func (e *ensemble) arm(s *score) {
	for i, n := range []int{findLevels, findSamples} {
		at := e.found + uint32(4*i)
		s.add(put(at, 0xFFFFFFFF), put(e.channel(n, dmaRead), pioDebug), put(e.channel(n, dmaWrite), at),
			put(e.channel(n, dmaCount), 1), put(e.channel(n, dmaControl), e.control(0, dmaAlways, n)))
	}
	const rx2, tx0, tx1 = 6, 0, 1
	s.add(put(e.channel(moveSamples, dmaRead), pioRX+8), put(e.channel(moveLevels, dmaWrite), pioTX),
		put(e.channel(moveDirections, dmaWrite), pioTX+4), put(dmaEnded, 1<<e.channels[moveLevels]|
			1<<e.channels[moveSamples]))
	e.chain(s, moveSamples, nextSamples, findSamples, 1, dmaWriteThenCount, dmaWriteNext, rx2)
	e.chain(s, moveLevels, nextLevels, findLevels, 0, dmaCountThenRead, dmaReadNext, tx0)
	e.chain(s, moveDirections, nextDirections, nextDirections, 2, dmaCountThenRead, dmaReadNext, tx1)
}

func (e *ensemble) switchPins(s *score, function uint32) {
	for _, p := range e.pins {
		s.add(put(functions+8*uint32(p), function))
	}
}

// give stops all, and gives the pins back with the levels that they have, clk low.
func (e *ensemble) give(s *score) {
	var channels uint32
	for _, c := range e.channels {
		channels |= 1 << c
	}
	s.add(put(pioCtrl, 0), put(dmaAbort, channels))
	s.add(merge(e.sio.out, pioPadOut, e.mask()), merge(e.sio.out+0x10, pioPadOE, e.mask()))
	e.switchPins(s, functionSIO)
	s.add(put(e.sio.clr, 1<<e.clk), put(e.sio.oeClr, 0))
	s.rst = len(s.ops) - 1
}
