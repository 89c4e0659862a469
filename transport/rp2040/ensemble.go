package rp2040

import (
	"encoding/binary"

	"utfbench/transport"
)

// A periphery describes the registers for bursts and the layout of DMA control words, which differ between
// microcontrollers (RP2040 datasheet, 2.1.2, 2.5.7 and 2.19.6; RP2350 datasheet, 2.1.2, 9.11.1 and 12.6.10).
type periphery struct {
	busPriority uint32
	functions   uint32 // function register of GPIO0; the others follow at intervals of 8 bytes
	abort       uint32 // register of DMA
	synchronous bool   // PIO blocks share flags and have a register for their window

	// shifts within a DMA channel's control word
	writeNext, chain, request int
}

var (
	rp2040PIO = periphery{busPriority: 0x40030000, functions: 0x40014004, abort: dma + 0x444,
		writeNext: 5, chain: 11, request: 15}
	rp2350PIO = periphery{busPriority: 0x40068000, functions: 0x40028004, abort: dma + 0x464, synchronous: true,
		writeNext: 6, chain: 13, request: 17}
)

// A block describes a PIO block: its number, its first reachable pin, and the bench's pins that it drives.
type block struct {
	n, first int
	pins     []int
}

// Registers of a block.
const (
	pioCtrl    = 0x00
	pioDebug   = 0x08 // sticky flags: TXSTALL from bit 24, RXSTALL from bit 0
	pioTX      = 0x10 // FIFO of machine 0
	pioRX      = 0x20
	pioIRQ     = 0x30
	pioBypass  = 0x38
	pioPadOut  = 0x3C
	pioPadOE   = 0x40
	pioMemory  = 0x48
	pioMachine = 0xC8
	pioFirst   = 0x168 // GPIOBASE; only RP2350
)

func (b block) at(register uint32) uint32 { return 0x50200000 + uint32(b.n)<<20 + register }

// Registers of a machine.
const (
	smClkDiv = iota
	smExec
	smShift
	smAddr
	smInstr
	smPins
)

func (b block) machine(n, register int) uint32 { return b.at(pioMachine + uint32(0x18*n+4*register)) }

// function returns the function number with which the block drives pins.
func (b block) function() uint32 { return 6 + uint32(b.n) }

const functionSIO = 5

// tx and rx return a machine's DMA request numbers.
func (b block) tx(machine int) int { return 8*b.n + machine }
func (b block) rx(machine int) int { return 8*b.n + 4 + machine }

// Bits of FDEBUG: machines 0 and 1 starved, and machine 2 blocked.
const stalledLevels, stalledDirections, stalledSamples = 1 << 24, 1 << 25, 1 << 2

// An ensemble describes the peripherals that play bursts on a board.
type ensemble struct {
	family *family
	window
	pins     map[string]int
	memory   uint32 // address of the periods' words
	words    uint32 // size of these words in bytes; the directions follow
	found    uint32 // address of the results, see below
	channels []byte // numbers of DMA channels
}

// Words of the results: FDEBUG after the last levels and after the last sample; channels that have ended; FDEBUG of the
// block that drives rst_n after its last word; scratch for register copies.
const (
	foundLevels = iota
	foundSamples
	foundEnded
	foundResets
	foundWords
)

// blocks returns the block that samples and, if that cannot reach rst_n, the block that drives rst_n.
func (e *ensemble) blocks() []block {
	main := block{first: e.first, pins: []int{e.pins["clk"]}}
	for _, bus := range []int{transport.UI, transport.UIO} {
		main.pins = append(main.pins, busPins(e.pins, bus)...)
	}
	rst := e.pins["rst_n"]
	if !e.far {
		main.pins = append(main.pins, rst)
		return []block{main}
	}
	other := block{n: 1, pins: []int{rst}}
	if rst >= bankPins {
		other.first = highPin
	}
	return []block{main, other}
}

// gap returns the ticks from clk's fall to the change of levels.
func (e *ensemble) gap() int {
	if e.far {
		return gapTicks + farTicks
	}
	return gapTicks
}

// borrowed lists the registers to restore at the end of the program. Pin functions are restored after each burst.
func (e *ensemble) borrowed() (all []uint32) {
	all = []uint32{e.family.pio.busPriority}
	for _, b := range e.blocks() {
		all = append(all, b.at(pioBypass))
		if e.family.pio.synchronous {
			all = append(all, b.at(pioFirst))
		}
		for m := range 3 {
			for _, r := range []int{smClkDiv, smExec, smShift, smPins} {
				all = append(all, b.machine(m, r))
			}
		}
	}
	return all
}

// whole reports whether a burst completed without a stall: no state machine waited, and all words were transferred.
func (e *ensemble) whole(found []byte) bool {
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(found[4*i:]) }
	all := uint32(1)<<e.channels[moveLevels] | 1<<e.channels[moveSamples]
	return word(foundLevels)&(stalledLevels|stalledDirections) == 0 && word(foundSamples)&stalledSamples == 0 &&
		word(foundEnded)&all == all && (!e.far || word(foundResets)&stalledLevels == 0)
}

// DMA channels: three transfer levels, directions and samples, and two read FDEBUG after the last levels and the last
// sample. The others are used if another block drives rst_n.
const (
	moveLevels = iota
	moveDirections
	moveSamples
	findLevels
	findSamples
	nearChannels
	moveResets = iota - 1
	findResets
	farChannels
)

func (e *ensemble) wants() int {
	if e.far {
		return farChannels
	}
	return nearChannels
}

func (e *ensemble) channel(n int, register uint32) uint32 {
	return dma + 0x40*uint32(e.channels[n]) + register
}

// Registers and bits of DMA. A channel that ends sets its bit of dmaEnded.
const (
	dma      = 0x50000000
	dmaEnded = dma + 0x400

	dmaRead, dmaWrite, dmaCount, dmaTrigger, dmaControl = 0x0, 0x4, 0x8, 0xC, 0x10

	dmaOn       = 1
	dmaWords    = 2 << 2
	dmaReadNext = 1 << 4
	dmaAlways   = 0x3F
)

// control returns the control word of a channel, with its request and the channel to be started next.
func (e *ensemble) control(bits uint32, request, then int) uint32 {
	p := e.family.pio
	return bits | dmaOn | dmaWords | uint32(request)<<p.request | uint32(e.channels[then])<<p.chain
}
