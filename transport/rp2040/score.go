package rp2040

import (
	"slices"

	"utfbench/transport"
)

// An op is an operation on a register of the board; see burst.py.
type op [3]uint32

func put(register, value uint32) op { return op{register, value} }

// merge copies bits from another register, optionally shifted by 16.
func merge(register, from, mask uint32) op { return op{register | 1, from, mask} }

const shiftedLeft, shiftedRight = 1, 2 // added to merge's from

func await(register, bits, looks uint32) op { return op{register | 2, bits, looks} }

func fetch(register, from, set uint32) op { return op{register | 3, from, set} }

// A score holds the operations of a burst, and the indices of the operations that vary from burst to burst.
type score struct {
	ops   []op
	looks int // index of the time limit
	// by channel: index of the operation that sets the number of words to transfer
	counts map[int]int
	rst    int // index of the operation that releases rst_n to its pull-up if it is high
}

// maxOperations is the number of operations for which the board has room.
const maxOperations = 180

func (s *score) add(ops ...op) { s.ops = append(s.ops, ops...) }

// Bits of a machine's SHIFTCTRL register.
const autopush, autopull, inRight, right, joinTX, joinRX = 1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 30, 1 << 31

// score returns all operations of a burst with the given timing.
func (e *ensemble) score(t ticks) (*score, error) {
	programs, at, err := t.programs()
	if err != nil {
		return nil, err
	}
	s := &score{counts: map[int]int{}}
	s.add(put(e.family.pio.busPriority, 1<<12|1<<8)) // DMA has priority on the bus
	blocks := e.blocks()
	if t.still() {
		blocks = blocks[:1]
	}
	for _, b := range blocks {
		e.take(s, b)
	}
	main := blocks[0]
	s.load(main, programs, at)
	s.machine(main, 0, programs[0], at[0], joinTX|right, 2<<29|uint32(e.bits["clk"])<<10|32<<20)
	uio := uint32(e.bits[transport.Lines[transport.UIO]])
	s.machine(main, 1, programs[1], at[1], joinTX|right|autopull, 8<<20|uio)
	s.machine(main, 2, programs[2], at[2], joinRX|autopush|inRight, 0)
	e.arm(s, main)
	if !t.still() {
		e.armDirections(s, main)
	}
	s.add(put(e.foundAt(foundResets), 0))
	if len(blocks) > 1 {
		e.armResets(s, blocks[1])
	}
	e.begin(s, blocks, t.still())
	s.add(await(dmaEnded, 1<<e.channels[moveSamples], 0))
	s.looks = len(s.ops) - 1
	s.add(fetch(e.foundAt(foundEnded), dmaEnded, 0))
	e.give(s, blocks)
	return s, nil
}

func (s *score) load(b block, programs []*pioProgram, at []int) {
	word := b.at(pioMemory)
	for n, p := range programs {
		for _, code := range p.at(at[n]) {
			s.add(put(word, uint32(code)))
			word += 4
		}
	}
}

// machine sets up a stopped machine at the start of its program with empty FIFOs.
func (s *score) machine(b block, n int, p *pioProgram, at int, shift, pins uint32) {
	exec := uint32(at+len(p.code)-1)<<12 | uint32(at+p.wrap)<<7
	if p.side {
		exec |= 1 << 30
	}
	s.add(put(b.machine(n, smClkDiv), 1<<16), put(b.machine(n, smExec), exec), put(b.machine(n, smPins), pins),
		put(b.machine(n, smShift), 0), put(b.machine(n, smShift), shift), // joining FIFOs empties them
		put(b.machine(n, smInstr), uint32(at))) // a jump
}

const stop = 0xF0 // stops and restarts all machines

// take initialises a stopped block with its pins' current levels and directions, and drives rst_n, which may be pulled.
func (e *ensemble) take(s *score, b block) {
	s.add(put(b.at(pioCtrl), stop), put(b.at(pioBypass), 0))
	if e.family.pio.synchronous {
		s.add(put(b.at(pioFirst), uint32(b.first)))
	}
	s.add(put(b.machine(0, smExec), 31<<12), put(b.machine(0, smPins), 32<<20), put(b.machine(0, smShift), 0))
	e.gather(s, b, func(r registers) uint32 { return r.out })
	s.add(fetch(b.at(pioTX), e.foundAt(foundWords), 0), put(b.machine(0, smInstr), pull),
		put(b.machine(0, smInstr), outPins))
	e.gather(s, b, func(r registers) uint32 { return r.oe })
	var rst uint32
	if bit := e.pins["rst_n"] - b.first; slices.Contains(b.pins, e.pins["rst_n"]) {
		rst = 1 << bit
	}
	s.add(fetch(b.at(pioTX), e.foundAt(foundWords), rst), put(b.machine(0, smInstr), pull),
		put(b.machine(0, smInstr), outDirs), put(b.at(pioCtrl), stop))
	s.add(put(b.at(pioDebug), 0xFFFFFFFF)) // before DMA starts, since it completes short bursts at once
}

// gather copies a register of both banks into the word after the results, in a block's bit order.
func (e *ensemble) gather(s *score, b block, register func(registers) uint32) {
	low, word := register(e.family.banks[0]), e.foundAt(foundWords)
	if b.first == 0 {
		s.add(merge(word, low, 0xFFFFFFFF))
		return
	}
	s.add(merge(word, low|shiftedRight, 0xFFFF), merge(word, register(e.family.banks[1])|shiftedLeft, 0xFFFF0000))
}

// scatter copies a block's pins back into a register of both banks.
func (e *ensemble) scatter(s *score, b block, from uint32, register func(registers) uint32) {
	for bank, r := range e.family.banks {
		var mask uint32
		for _, pin := range b.pins {
			if pin/bankPins == bank {
				mask |= 1 << (pin % bankPins)
			}
		}
		way := uint32(0)
		if b.first > 0 {
			way = []uint32{shiftedLeft, shiftedRight}[bank]
		}
		if mask != 0 {
			s.add(merge(register(r), from|way, mask))
		}
	}
}

func (e *ensemble) foundAt(word int) uint32 { return e.found + uint32(4*word) }

// arm starts the DMA channels at the beginning of memory, the samples' channel first so that none is lost.
func (e *ensemble) arm(s *score, b block) {
	s.add(put(dmaEnded, 1<<e.channels[moveLevels]|1<<e.channels[moveSamples]))
	e.find(s, findLevels, foundLevels, b)
	e.find(s, findSamples, foundSamples, b)
	e.move(s, moveSamples, b.at(pioRX)+8, e.memory, e.control(1<<e.family.pio.writeNext, b.rx(2), findSamples))
	e.move(s, moveLevels, e.memory, b.at(pioTX), e.control(dmaReadNext, b.tx(0), findLevels))
}

// armDirections starts the transfer of the directions, four in a word.
func (e *ensemble) armDirections(s *score, b block) {
	e.move(s, moveDirections, e.memory+e.words, b.at(pioTX)+4, e.control(dmaReadNext, b.tx(1), moveDirections))
}

// armResets starts the transfer of the levels' words to the block that drives only rst_n.
func (e *ensemble) armResets(s *score, b block) {
	p := resets(e.bits["rst_n"])
	s.load(b, []*pioProgram{p}, []int{0})
	s.machine(b, 0, p, 0, joinTX|right, 1<<20|uint32(e.pins["rst_n"]-b.first))
	e.find(s, findResets, foundResets, b)
	e.move(s, moveResets, e.memory, b.at(pioTX), e.control(dmaReadNext, b.tx(0), findResets))
}

// find makes a channel store a block's FDEBUG in the results.
func (e *ensemble) find(s *score, channel, word int, b block) {
	at := e.foundAt(word)
	s.add(put(at, 0xFFFFFFFF), put(e.channel(channel, dmaRead), b.at(pioDebug)), put(e.channel(channel, dmaWrite), at),
		put(e.channel(channel, dmaCount), 1), put(e.channel(channel, dmaControl), e.control(0, dmaAlways, channel)))
}

// move starts a channel that transfers all words of a burst.
func (e *ensemble) move(s *score, channel int, from, to, control uint32) {
	s.add(put(e.channel(channel, dmaRead), from), put(e.channel(channel, dmaWrite), to),
		put(e.channel(channel, dmaCount), 0), put(e.channel(channel, dmaTrigger), control))
	s.counts[channel] = len(s.ops) - 2
}

// begin assigns the pins to their blocks and starts all machines of the first block at once; the other's waits.
func (e *ensemble) begin(s *score, blocks []block, still bool) {
	for _, b := range blocks {
		s.pins(e.family, b.pins, b.function())
		s.add(put(b.at(pioIRQ), 0xFF))
	}
	if len(blocks) > 1 {
		s.add(put(blocks[1].at(pioCtrl), 0x101))
	}
	machines := uint32(0x707)
	if still {
		machines = 0x505
	}
	s.add(put(blocks[0].at(pioCtrl), machines))
}

func (s *score) pins(f *family, pins []int, function uint32) {
	for _, p := range pins {
		s.add(put(f.pio.functions+8*uint32(p), function))
	}
}

// give stops all machines, lowers clk, and returns the pins to SIO with their current levels.
func (e *ensemble) give(s *score, blocks []block) {
	for _, b := range blocks {
		s.add(put(b.at(pioCtrl), stop))
	}
	s.add(put(blocks[0].machine(0, smInstr), nop|clkLow))
	var channels uint32
	for _, c := range e.channels {
		channels |= 1 << c
	}
	s.add(put(e.family.pio.abort, channels))
	for _, b := range blocks {
		e.scatter(s, b, b.at(pioPadOut), func(r registers) uint32 { return r.out })
		e.scatter(s, b, b.at(pioPadOE), func(r registers) uint32 { return r.oe })
		s.pins(e.family, b.pins, functionSIO)
	}
	s.add(put(e.family.banks[e.pins["rst_n"]/bankPins].oeClr, 0))
	s.rst = len(s.ops) - 1
}
