package rp2040

import (
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/transport"
)

// An event is an access to SIO. cycles is its exact distance from the previous one, if they have a wait between them.
type event struct {
	offset, value uint32
	cycles        int
}

// Offsets of an RP2040's SIO registers.
const offIn, offOut, offSet, offClr, offXor, offDrive, offRelease = 0x04, 0x10, 0x14, 0x18, 0x1C, 0x24, 0x28

// Addresses of a madeRun's tables.
const tableAt, recordsAt, fieldsAt, bytesAt = 0x20001000, 0x20002000, 0x20003000, 0x20004000

// A madeRun is a run of three-step cases, the second step with a field, at pins with random levels.
type madeRun struct {
	*processor
	w              wiring
	out            uint32 // of SIO
	random         *rand.Rand
	records        [][6]uint32
	loops          [4]uint32
	field          [4]uint32 // of cases.py
	cases, counter uint32

	events  []event
	samples []byte
	latest  int // up to the latest event
}

func drawMadeRun(t *testing.T, rt *rapid.T) *madeRun {
	m := &madeRun{w: wiring{}, out: rapid.Uint32().Draw(rt, "out")}
	pins := make([]int, hashBits)
	for i := range pins {
		pins[i] = i
	}
	if rapid.Bool().Draw(rt, "in no order") {
		pins = rapid.Permutation(pins).Draw(rt, "pins")
	}
	for i, line := range transport.Lines {
		m.w[line] = pins[i]
	}
	m.processor = assembled(t, m.w, "_made")
	m.sio, m.random = m.access, rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
	draw := func(bus int, name string) uint32 { return m.levels(bus, rapid.Byte().Draw(rt, name)) }
	rst, clk, drive := uint32(1)<<m.w["rst_n"], uint32(1)<<m.w["clk"], draw(transport.UIO, "drive")
	all, ui := m.w.mask(transport.UIO), draw(transport.UI, "ui")
	m.records = [][6]uint32{{all, draw(transport.UI, "ui in reset"), rst, 0, 0, clk},
		{all &^ drive, ui | rst, 0, drive, 0, clk}, {all | rst, ui ^ m.w.mask(transport.UI) | rst, 0, 0, 0, 0}, {rst}}
	for i := range m.loops {
		m.loops[i] = rapid.Uint32Max(20).Draw(rt, "loops")
	}
	m.field = [4]uint32{recordsAt + 24 + 16, rapid.Uint32Max(255).Draw(rt, "base"),
		rapid.Uint32Max(24).Draw(rt, "shift"), rapid.Uint32Max(255).Draw(rt, "mask")}
	m.cases, m.counter = rapid.Uint32Range(1, 5).Draw(rt, "cases"), rapid.Uint32().Draw(rt, "counter")
	return m
}

func (m *madeRun) access(p *processor, offset uint32, value *uint32) {
	e := event{offset: offset, cycles: p.cycles - m.latest}
	switch {
	case value != nil:
		e.value = *value
		m.out ^= map[uint32]uint32{offXor: *value, offSet: *value &^ m.out, offClr: *value & m.out}[offset]
	case offset == offIn:
		p.seen = m.random.Uint32()
		m.samples = append(m.samples, m.sample(p.seen)...)
	default: // outputs, invisible at the chip
		p.seen = m.out
		return
	}
	m.events, m.latest = append(m.events, e), p.cycles
}

// sample returns uo and uio for the pins' levels.
func (m *madeRun) sample(levels uint32) []byte {
	var v [2]byte
	for i, bus := range []int{transport.UO, transport.UIO} {
		for bit, pin := range busPins(m.w, bus) {
			v[i] |= byte(levels>>pin&1) << bit
		}
	}
	return v[:]
}

func (m *madeRun) levels(bus int, v byte) (levels uint32) {
	for bit, pin := range busPins(m.w, bus) {
		levels |= uint32(v>>bit&1) << pin
	}
	return levels
}

// make fills in the tables of cases.py and runs it.
func (m *madeRun) make() {
	steps := uint32(len(m.records) - 1)
	words := append([]uint32{sio}, m.loops[:]...)
	words = append(words, m.w.mask(transport.UI)|1<<m.w["rst_n"], recordsAt, recordsAt+24*steps, fieldsAt, fieldsAt+16,
		m.cases, m.counter, 0x9A1C9D90, 0, bytesAt)
	words = append(append(words, make([]uint32, 31-len(words))...), crc32.IEEETable[:]...)
	var bytes []uint32
	for v := range 256 {
		bytes = append(bytes, m.levels(transport.UIO, byte(v)))
	}
	var records []uint32
	for _, r := range m.records {
		records = append(records, r[:]...)
	}
	for at, words := range map[uint32][]uint32{tableAt: words, recordsAt: records, fieldsAt: m.field[:],
		bytesAt: bytes} {
		for i, v := range words {
			m.memory[at+uint32(4*i)] = v
		}
	}
	m.r[0] = tableAt
	m.run()
}

// due returns the expected events in order; out is the pins' initial output.
func (m *madeRun) due(out uint32) (all []event) {
	add := func(offset, value uint32, cycles int) { all = append(all, event{offset, value, cycles}) }
	wait := func(base, n int) int { return base + makerLoop*int(m.loops[n]) }
	last := len(m.records) - 1
	for n := range m.cases {
		for i, r := range m.records[:last] {
			if i == 1 {
				r[4] = m.levels(transport.UIO, byte(m.field[1]|(m.counter+n)>>m.field[2]&m.field[3]))
			}
			change := (out ^ r[1]) & (m.w.mask(transport.UI) | 1<<m.w["rst_n"])
			out ^= change
			add(offRelease, r[0], 0)
			add(offXor, change, 0)
			add(offDrive, r[2], 0)
			settle := wait(makerSettle+len(m.w.gather(transport.UO)), 2)
			if r[3] != 0 {
				change = (out ^ r[4]) & r[3]
				out ^= change
				add(offXor, change, settle+4)
				add(offDrive, r[3], 0)
				settle = wait(makerDriven, 3)
			}
			out &^= r[5]
			add(offSet, r[5], settle)
			add(offClr, r[5], wait(makerHigh, 0))
			add(offIn, 0, wait(makerLow+len(m.w.gather(transport.UIO)), 1))
		}
	}
	add(offRelease, m.records[last][0], 0)
	return all
}

// For any pins, the cases of a series keep the order of package transport, each wait has the length set by the host,
// and the CRC covers the sampled levels.
func TestCasesInAssembler(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := drawMadeRun(t, rt)
		due := m.due(m.out)
		m.make()
		for i := range m.events {
			if i < len(due) && due[i].cycles == 0 { // no wait before it
				m.events[i].cycles = 0
			}
		}
		if !slices.Equal(m.events, due) {
			rt.Fatalf("it did\n%v\nand has to do\n%v", m.events, due)
		}
		state, last := m.memory[tableAt+48], m.memory[tableAt+52]
		want := crc32.ChecksumIEEE(m.samples)
		if got := crc32.Update(^state, crc32.IEEETable, m.sample(last)); got != want {
			rt.Fatalf("the CRC is %08X; want %08X", got, want)
		}
	})
}

// If a board rejects cases.py, program.py generates the cases.
func TestCasesRefused(t *testing.T) {
	steps := []transport.Step{{In: model.Idle, Reset: true, Clocks: 1}, {In: model.Idle, Clocks: 1}}
	for _, c := range []struct {
		fake      *fake
		assembler bool
	}{
		{&fake{}, true},
		{&fake{refuses: "SyntaxError: invalid micropython decorator"}, false},
		{&fake{machine: "Raspberry Pi Pico2 with RP2350"}, false},
	} {
		tr := mustOpen(t, c.fake, Config{})
		series := []transport.Series{{Steps: steps, Count: 3,
			Want: testkit.ModelSamples(model.TT09, slices.Repeat(steps, 3))}}
		n, err := tr.Sign(t.Context(), series)
		if n != 1 || err != nil || !series[0].Same || tr.maker.assembler != c.assembler {
			t.Errorf("%+v: Sign = %d, %v, same %v; in assembler %v", c.fake.refuses, n, err, series[0].Same,
				tr.maker.assembler)
		}
		tr.Close()
	}
}
