//go:build unix

package boardtest

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"strings"
	"sync"

	"utfbench/fault"
	"utfbench/model"
	"utfbench/tile"
	"utfbench/transport"
)

// A registerSet holds one bank's register offsets from D0000000 (RP2040 datasheet, 2.3.1.7; RP2350 datasheet, 3.1.11).
type registerSet struct{ in, out, set, clr, xor, oeSet, oeClr uint32 }

var (
	rp2040 = []registerSet{{0x04, 0x10, 0x14, 0x18, 0x1C, 0x24, 0x28}}
	rp2350 = []registerSet{
		{0x04, 0x10, 0x18, 0x20, 0x28, 0x38, 0x40},
		{0x08, 0x14, 0x1C, 0x24, 0x2C, 0x3C, 0x44},
	}
)

// pins is a microcontroller's I/O block wired to a chip. It handles register accesses, clocks the chip on a rising clk,
// and records contention.
type pins struct {
	up       chan struct{} // closed when the board has started
	mu       sync.Mutex
	banks    []registerSet
	signal   map[string]int
	at       []int // GPIO numbers, by the line's index in transport.Lines
	chip     *model.Chip
	designs  map[int]fault.AsynchronousChip // by number: the factory test, and the designs of Config
	shuttle  shuttle
	switches uint64
	shorts   uint64
	pmod     Pmod
	looks    int // samples of single pins
	reads    int // reads of the lowest bank
	pulse    int // see Config
	out, oe  uint64
	pull     uint64
	down     uint64 // pull-downs
	pwm      uint64 // pins with the PWM function, which ignore out
	pulled   uint64 // by the board
	inverted uint64
	e9       bool
	// inputs of the chip that erratum E9 holds high; it is too weak for lines that the chip drives
	latched uint64
	edges   int     // rising edges of clk so far
	now     float64 // nanoseconds; 0 without an emulator
	past    past
	wires   wires
	faults  []string // contention and invalid accesses
}

func newPins(c Config) *pins {
	factory := tile.WiredChip(tile.FactoryTest{}).(fault.AsynchronousChip)
	p := &pins{up: make(chan struct{}), banks: rp2040, signal: c.Pins, chip: model.New(c.Revision),
		designs: map[int]fault.AsynchronousChip{factoryTest: factory}}
	maps.Copy(p.designs, c.Designs)
	if strings.Contains(c.Machine, "RP2350") {
		p.banks = rp2350
	}
	for _, line := range transport.Lines {
		p.at = append(p.at, c.Pins[line])
	}
	p.past, p.wires = newPast(c), newWires(c)
	p.shuttle, p.e9, p.pmod, p.pulse = shuttle{mux: c.Mux, enabled: -1}, c.E9, c.Pmod, c.Pulse
	if !c.Unpulled {
		p.pulled = p.bit("rst_n")
	}
	if c.Inverted {
		p.inverted = p.bit("clk")
	}
	p.switches, p.shorts = p.spread(c.Switches, transport.UI), p.spread(c.Shorts, transport.UI)
	return p
}

func (p *pins) bit(signal string) uint64 { return 1 << p.signal[signal] }

// byteOf returns the byte of a bus from the levels of the pins.
func (p *pins) byteOf(levels uint64, bus int) (v uint8) {
	for i := range 8 {
		v |= uint8(levels>>p.at[bus+i]&1) << i
	}
	return v
}

func (p *pins) spread(v uint8, bus int) (levels uint64) {
	for i := range 8 {
		levels |= uint64(v>>i&1) << p.at[bus+i]
	}
	return levels
}

// outer returns the levels from all sources except the chip.
func (p *pins) outer() uint64 {
	return (p.driven() | (p.pull|p.pulled|p.switches|p.latched|p.pmodGives())&^p.oe | p.shorts | p.both(p.pmod.High)) &^
		p.both(p.pmod.Low)
}

// both converts a mask of ui and uio to pins.
func (p *pins) both(lines uint16) uint64 {
	return p.spread(uint8(lines), transport.UI) | p.spread(uint8(lines>>8), transport.UIO)
}

// pmodGives returns a PMOD's levels on undriven lines, on uio only while the chip's design is selected.
func (p *pins) pmodGives() uint64 {
	up := p.both(p.pmod.Pulled)
	if p.looks/13%2 == 1 {
		up |= p.spread(p.pmod.Moving, transport.UI)
	}
	if p.shuttle.selected() != p.shuttle.chip() || p.byteOf(p.driven(), transport.UI)&model.READ != 0 {
		up &^= p.spread(0xFF, transport.UIO) // this design may drive uio
	}
	return up
}

// driven returns the pins that the microcontroller drives high. PWM always reads as low.
func (p *pins) driven() uint64 { return p.out & p.oe &^ p.pwm }

// chipSide returns the levels at the chip's end of the lines that it does not drive.
func (p *pins) chipSide() uint64 {
	levels := p.wires.toChip(p.wires.joined(p.outer())) ^ p.inverted
	if p.pulse > 0 && p.reads >= p.pulse && p.reads < p.pulse+3 {
		levels &^= p.bit("rst_n")
	}
	return levels
}

// step returns the current levels, as a step without clocks.
func (p *pins) step() transport.Step {
	levels := p.chipSide()
	drive := p.byteOf(p.oe, transport.UIO)
	kept := p.past.kept(p.now)
	return transport.Step{
		In: p.byteOf(levels, transport.UI), Drive: drive,
		IO: p.byteOf(levels, transport.UIO)&(drive|p.byteOf(p.wires.openHigh, transport.UIO)) |
			p.byteOf(kept, transport.UIO)&^drive,
		Reset: levels&p.bit("rst_n") == 0,
	}
}

// seen returns the outputs of the selected design.
func (p *pins) seen(s transport.Step) transport.Sample {
	switch p.shuttle.selected() {
	case p.shuttle.chip():
		return p.chip.Sample(s)
	case 0:
		return transport.Sample{Out: p.shuttle.rom(s.In)}
	case p.shuttle.other():
		return transport.Sample{Out: s.In + 1, IO: 0x5A}
	}
	if d := p.designs[p.shuttle.selected()]; d != nil {
		_, out, _ := p.settled(d, s)
		return transport.Sample{Out: uint8(out.V >> fault.UO), IO: uint8(out.V >> fault.UIO)}
	}
	return transport.Sample{}
}

const factoryTest = 1

// ends returns the levels at a design's inputs. Undriven lines are low.
func (p *pins) ends(s transport.Step) fault.Levels {
	l := fault.Levels{V: uint32(s.In)<<fault.UI | uint32(s.IO)<<fault.UIO}
	if !s.Reset {
		l.V |= fault.MaskRst
	}
	if p.chipSide()&p.bit("clk") != 0 {
		l.V |= fault.MaskClk
	}
	return l
}

// settled returns the levels at a design's inputs, including those that it drives on uio, its outputs, and the lines
// that it drives.
func (p *pins) settled(d fault.AsynchronousChip, s transport.Step) (in, out fault.Levels, lines uint32) {
	in = p.ends(s)
	for range 4 { // a level that the design drives may change another level
		out, lines = d.Drives(in)
		own := lines & fault.MaskUIO &^ (uint32(s.Drive) << fault.UIO)
		in.V = in.V&^own | out.V&own
	}
	return in, out, lines
}

// apply applies levels, and an edge of clk if rises is set, to a design, and records contention on uio.
func (p *pins) apply(d fault.AsynchronousChip, s transport.Step, rises bool) {
	in, _, lines := p.settled(d, s)
	d.Settle(in)
	if lines>>fault.UIO&uint32(s.Drive) != 0 {
		p.complain("design %d and the bench drive uio: %+v", p.shuttle.selected(), s)
	}
	if rises {
		d.ClockEdge(in)
	}
}

func (p *pins) levels() uint64 {
	s := p.step()
	seen := p.wires.holds(p.seen(s), p.shuttle.selected() == p.shuttle.chip())
	uo := p.spread(seen.Out, transport.UO)
	if p.shuttle.admin(p.out & p.oe) {
		uo = 0
	}
	levels := p.outer() | (uo|p.spread(seen.IO&^s.Drive, transport.UIO))&^p.oe
	return p.wires.toBoard(p.wires.joined(levels)&^p.both(p.pmod.Low), p.driven(), p.oe)
}

func (p *pins) complain(format string, args ...any) {
	if len(p.faults) < 10 {
		p.faults = append(p.faults, fmt.Sprintf(format, args...))
	}
}

// change calls f, which changes levels and directions, and applies the effects to shuttle and chip.
func (p *pins) change(f func()) {
	wasHigh := p.chipSide()&p.bit("clk") != 0
	before, drove := p.levels(), p.oe
	f()
	if released := drove &^ p.oe & p.spread(0xFF, transport.UIO); released != 0 {
		// an RP2350 releases its two banks one after another
		p.past.high, p.past.since = p.past.kept(p.now)&^(p.oe|released)|before&released, p.now
	}
	if p.e9 {
		p.latched = (p.latched | before) & p.down &^ p.oe &^ p.spread(0xFF, transport.UO) &^ p.spread(0xFF,
			transport.UIO)
	}
	p.shuttle.see(p.wires.joined(p.driven()), p.oe)
	s := p.step()
	ours := p.shuttle.selected() == p.shuttle.chip()
	if selected := p.shuttle.selected(); selected > 0 && selected == p.shuttle.other() && s.Drive != 0 {
		p.complain("another design and the bench drive uio: %+v", s)
	}
	if ours && s.In&model.READ != 0 && s.Drive != 0 {
		p.complain("both sides drive uio: %+v", s)
	}
	if p.oe&p.spread(0xFF, transport.UO) != 0 && !p.shuttle.admin(p.out&p.oe) {
		p.complain("the bench drives uo")
	}
	rises := p.chipSide()&p.bit("clk") != 0 && !wasHigh
	switch {
	case ours && rises:
		p.edges++
		p.chip.ClockEdge(s.In, s.IO, s.Reset)
	case !ours && p.shuttle.selected() != p.shuttle.other() && p.designs[p.shuttle.selected()] != nil:
		p.apply(p.designs[p.shuttle.selected()], s, rises)
	}
	p.remember(s)
}

// write handles a register write.
func (p *pins) write(offset, value uint32) {
	for bank, r := range p.banks {
		v := uint64(value) << (32 * bank)
		switch offset {
		case r.set:
			p.change(func() { p.out |= v })
		case r.clr:
			p.change(func() { p.out &^= v })
		case r.xor:
			p.change(func() { p.out ^= v })
		case r.oeSet:
			p.change(func() { p.oe |= v })
		case r.oeClr:
			p.change(func() { p.oe &^= v })
		default:
			continue
		}
		return
	}
	if offset != 0 { // the transport writes 0 for a bank that it does not use
		p.complain("register %02X was written", offset)
	}
}

func (p *pins) read(offset uint32) uint32 {
	for bank, r := range p.banks {
		switch offset {
		case r.in:
			if bank == 0 {
				p.reads++
			}
			return uint32(p.levels() >> (32 * bank))
		case r.out:
			return uint32(p.out >> (32 * bank))
		}
	}
	p.complain("register %02X was read", offset)
	return 0
}

// Bits of a set-up message's last word.
const (
	levelBit  = 1
	pullUp    = 2
	outputBit = 4
	keepLevel = 8
	pullDown  = 16
)

// setUp handles machine.Pin.
func (p *pins) setUp(pin, flags uint32) {
	bit := uint64(1) << pin
	p.change(func() {
		p.pwm &^= bit
		p.pull &^= bit
		if flags&pullUp != 0 {
			p.pull |= bit
		}
		p.down &^= bit
		if flags&pullDown != 0 {
			p.down |= bit
		}
		if flags&keepLevel == 0 {
			p.out = p.out&^bit | uint64(flags&levelBit)<<pin
		}
		p.oe &^= bit
		if flags&outputBit != 0 {
			p.oe |= bit
		}
	})
}

// serve handles messages until their end.
func (p *pins) serve(messages io.Reader, answers io.Writer) {
	var m [6]byte
	for {
		if _, err := io.ReadFull(messages, m[:]); err != nil {
			return
		}
		if answer, ok := p.message(m[0], uint32(m[1]), binary.LittleEndian.Uint32(m[2:])); ok {
			answers.Write(binary.LittleEndian.AppendUint32(nil, answer))
		}
	}
}

func (p *pins) message(kind byte, at, value uint32) (answer uint32, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch kind {
	case 'R': // a register
		return p.read(at), true
	case 'L': // the level of a pin
		p.looks++
		return uint32(p.levels() >> at & 1), true
	case 'W':
		p.write(at, value)
	case 'S':
		p.setUp(at, value)
	case 'F': // the PWM function
		p.change(func() { p.pwm |= 1 << at; p.oe |= 1 << at })
	case 'B': // the board has started
		close(p.up)
	}
	return 0, false
}
