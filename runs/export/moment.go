package export

import (
	"utfbench/driver"
	"utfbench/transport"
)

// Nominal times within a step, in ns from its beginning. A pulse is high for a slot and low for a slot. A step without
// a pulse is as long as a step with one.
const (
	slot   = 10
	levels = 1 * slot // ui and rst_n are set; before that, at 0, uio is released
	drive  = 2 * slot // uio is driven
	pulses = 3 * slot // clk rises for the first time
	hold   = 4 * slot // from the sample to the end of the step
)

// sampled returns the sample time of a step with this many pulses.
func sampled(clocks uint8) int { return pulses + slot + 2*slot*max(1, int(clocks)) }

// A bus is up to eight lines, or marks about them, that change together.
type bus int

const (
	busClk bus = iota
	busReset
	busUI
	busDrive // levels that the bench drives on uio
	busGotOut
	busGotIO
	busWantOut
	busWantIO
	busDiffers // 1 while any line differs
	busOutDiff
	busIODiff
	buses
)

// bits are the levels of a bus. A bit in x is unknown, one in z is released; both are 0 in v.
type bits struct{ v, x, z uint8 }

var unknown = bits{x: 0xFF}

// knownBits returns levels with the bits in x unknown.
func knownBits(v, x uint8) bits { return bits{v: v &^ x, x: x} }

func singleBit(high bool) bits {
	if high {
		return bits{v: 1}
	}
	return bits{}
}

// A moment is the levels of all buses from a point in time on.
type moment struct {
	at   int // in ns from the beginning of the excerpt
	step int // index in the excerpt
	bus  [buses]bits

	looked bool // a sample is displayed
}

// play calls to for each moment in order, and returns the end time of the last step. Before a vector's first step, ui,
// rst_n and uio are unknown, since the previous vector set them.
func (e *Excerpt) play(to func(*moment)) (end int) {
	m := moment{}
	for _, b := range []bus{busReset, busUI, busDrive} {
		m.bus[b] = unknown
	}
	if e.prior != nil {
		m.set(*e.prior)
		m.drive(*e.prior)
	}
	for i, s := range e.Trace.Steps {
		m.step = i
		m.apply(s, end, to)
		m.look(&e.Trace, i)
		to(&m)
		end = m.at + hold
	}
	return end
}

// apply plays a step from its beginning up to the sample, in the order that package transport specifies.
func (m *moment) apply(s transport.Step, begin int, to func(*moment)) {
	m.at = begin
	m.lookAway()
	lingers := s.Linger && s.Clocks > 0
	if !lingers {
		m.bus[busDrive] = m.bus[busDrive].release(^s.Drive)
	}
	to(m)
	m.at = begin + levels
	m.set(s)
	to(m)
	m.at = begin + drive
	if lingers {
		m.bus[busDrive] = m.bus[busDrive].with(s)
	} else {
		m.drive(s)
	}
	to(m)
	m.at = begin + pulses
	for range s.Clocks {
		m.drive(s)
		m.bus[busClk] = singleBit(true)
		to(m)
		m.at += slot
		m.bus[busClk] = singleBit(false)
		to(m)
		m.at += slot
	}
	m.at = begin + sampled(s.Clocks)
}

func (m *moment) set(s transport.Step) {
	m.bus[busUI], m.bus[busReset] = bits{v: s.In}, singleBit(!s.Reset)
}

func (m *moment) drive(s transport.Step) {
	m.bus[busDrive] = bits{v: s.IO & s.Drive, z: ^s.Drive}
}

// with returns the levels after the bench has driven its lines of a step.
func (b bits) with(s transport.Step) bits {
	return bits{b.v&^s.Drive | s.IO&s.Drive, b.x &^ s.Drive, b.z &^ s.Drive}
}

func (b bits) release(lines uint8) bits { return bits{b.v &^ lines, b.x &^ lines, b.z | lines} }

// lookAway ends the display of a sample and its marks.
func (m *moment) lookAway() {
	m.looked = false
	for b := busGotOut; b <= busWantIO; b++ {
		m.bus[b] = unknown
	}
	for b := busDiffers; b < buses; b++ {
		m.bus[b] = bits{}
	}
}

// look begins the display of a step's sample, if any, and of the expected one.
func (m *moment) look(t *driver.Trace, i int) {
	want := &t.Want[i]
	m.bus[busWantOut], m.bus[busWantIO] = knownBits(want.Out, want.OutX), knownBits(want.IO, want.IOX)
	m.looked = true
	if i >= len(t.Got) {
		return
	}
	got := &t.Got[i]
	m.bus[busGotOut], m.bus[busGotIO] = knownBits(got.Out, got.OutX), knownBits(got.IO, got.IOX)
	out, io := t.Differ(i).Bytes()
	m.bus[busOutDiff], m.bus[busIODiff], m.bus[busDiffers] = bits{v: out}, bits{v: io}, singleBit(out|io != 0)
}
