package rp2040

import (
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"utfbench/model"
	"utfbench/transport"
)

// simPins is a microcontroller's I/O block with a chip wired to it: it takes register accesses, clocks the chip on a rising
// clk, and notes when both sides drive a line.
type simPins struct {
	mu      sync.Mutex
	family  *family
	signal  map[string]int
	chip    *model.Chip
	out, oe uint64
	pull    uint64
	faults  []string // contention and accesses that are wrong
}

func newSimPins(f *family, pins map[string]int, rev model.Revision) *simPins {
	return &simPins{family: f, signal: pins, chip: model.New(rev)}
}

func (p *simPins) bit(signal string) uint64 { return 1 << p.signal[signal] }

// byteOf gathers a bus.
func (p *simPins) byteOf(levels uint64, bus string) (v uint8) {
	for i := range 8 {
		v |= uint8(levels>>p.signal[fmt.Sprint(bus, i)]&1) << i
	}
	return v
}

func (p *simPins) spread(v uint8, bus string) (levels uint64) {
	for i := range 8 {
		levels |= uint64(v>>i&1) << p.signal[fmt.Sprint(bus, i)]
	}
	return levels
}

// step is what the lines are now, as a step without clocks.
func (p *simPins) step() transport.Step {
	levels := p.out&p.oe | p.pull&^p.oe
	drive := p.byteOf(p.oe, "uio")
	return transport.Step{
		In: p.byteOf(levels, "ui"), IO: p.byteOf(levels, "uio") & drive, Drive: drive,
		Reset: levels&p.bit("rst_n") == 0,
	}
}

func (p *simPins) levels() uint64 {
	s := p.step()
	seen := p.chip.Sample(s)
	chip := p.spread(seen.Out, "uo") | p.spread(seen.IO&^s.Drive, "uio")
	return p.out&p.oe | p.pull&^p.oe | chip&^p.oe
}

func (p *simPins) complain(format string, args ...any) {
	if len(p.faults) < 10 {
		p.faults = append(p.faults, fmt.Sprintf(format, args...))
	}
}

// write is a write to a register, with its effects on the chip.
func (p *simPins) write(offset, value uint32) {
	wasHigh := p.out&p.oe&p.bit("clk") != 0
	for bank, r := range p.family.banks {
		v := uint64(value) << (32 * bank)
		switch sio + offset {
		case 0:
		case r.set:
			p.out |= v
		case r.clr:
			p.out &^= v
		case r.xor:
			p.out ^= v
		case r.oeSet:
			p.oe |= v
		case r.oeClr:
			p.oe &^= v
		}
	}
	p.settle(wasHigh)
}

func (p *simPins) settle(wasHigh bool) {
	s := p.step()
	if s.In&model.READ != 0 && s.Drive != 0 {
		p.complain("both sides drive uio: %+v", s)
	}
	if p.oe&(p.spread(0xFF, "uo")) != 0 {
		p.complain("the bench drives uo")
	}
	if p.out&p.oe&p.bit("clk") != 0 && !wasHigh {
		p.chip.Edge(s.In, s.IO, s.Reset)
	}
}

// setup is machine.Pin.
func (p *simPins) setup(pin, mode, flags uint32) {
	bit := uint64(1) << pin
	wasHigh := p.out&p.oe&p.bit("clk") != 0
	p.pull &^= bit
	if flags&2 != 0 {
		p.pull |= bit
	}
	p.out &^= bit
	if p.oe &^= bit; mode == 1 {
		p.oe |= bit
		p.out |= uint64(flags&1) << pin
	}
	p.settle(wasHigh)
}

func (p *simPins) read(offset uint32) uint32 {
	for bank, r := range p.family.banks {
		switch sio + offset {
		case r.in:
			return uint32(p.levels() >> (32 * bank))
		case r.out:
			return uint32(p.out >> (32 * bank))
		}
	}
	p.complain("register %02X was read", offset)
	return 0
}

// serve does what the messages say until they end.
func (p *simPins) serve(messages io.Reader, answers io.Writer) error {
	var m [10]byte
	for {
		if _, err := io.ReadFull(messages, m[:]); err != nil {
			return err
		}
		at, a, b := uint32(m[1]), binary.LittleEndian.Uint32(m[2:]), binary.LittleEndian.Uint32(m[6:])
		p.mu.Lock()
		switch m[0] {
		case 'R':
			answers.Write(binary.LittleEndian.AppendUint32(nil, p.read(at)))
		case 'W':
			p.write(at, a)
		case 'S':
			p.setup(at, a, b)
		}
		p.mu.Unlock()
	}
}
