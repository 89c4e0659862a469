package export

import (
	"utfbench/driver"
	"utfbench/transport"
)

// Nominal times within a step, in ns from its beginning. A pulse is high for one slot and low for one. A step without
// pulses takes as long as a step with one.
const (
	slot   = 10
	levels = 1 * slot // ui and rst_n are set; uio was released at 0
	drive  = 2 * slot // uio is driven
	pulses = 3 * slot // first rising edge of clk
	hold   = 4 * slot // duration from the sample to the end of the step
)

// sampled returns the sample time of a step with some number of pulses.
func sampled(clocks uint8) int { return pulses + slot + 2*slot*max(1, int(clocks)) }

// A bus consists of up to eight lines that change together, or of marks on these lines.
type bus int

const (
	busClk bus = iota
	busReset
	busUI
	busDrive // levels of uio that the bench drives
	busGotOut
	busGotIO
	busWantOut
	busWantIO
	busDiffers // 1 while any line of the bus differs
	busOutDiff
	busIODiff
	buses
)

// bits holds the levels of a bus. A bit set in x is unknown, and a bit set in z is released; both are 0 in v.
type bits struct{ v, x, z uint8 }

var unknown = bits{x: 0xFF}

// knownBits returns the levels v, where the bits in x are unknown.
func knownBits(v, x uint8) bits { return bits{v: v &^ x, x: x} }

func singleBit(high bool) bits {
	if high {
		return bits{v: 1}
	}
	return bits{}
}

// A moment holds the levels of all buses from a point in time on.
type moment struct {
	at   int // time from the beginning of the excerpt, in ns
	step int // index of the step in the excerpt
	bus  [buses]bits

	looked bool // a sample is shown
}

// play calls to(m) for each moment m, in order, and returns the end time of the last step. Before the first step of a
// vector, ui, rst_n and uio are unknown, since the previous vector has set them.
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

// apply plays a step from its beginning to the sample, in the order that package transport specifies.
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

// with returns the levels after the bench has driven the lines of a step.
func (b bits) with(s transport.Step) bits {
	return bits{b.v&^s.Drive | s.IO&s.Drive, b.x &^ s.Drive, b.z &^ s.Drive}
}

func (b bits) release(lines uint8) bits { return bits{b.v &^ lines, b.x &^ lines, b.z | lines} }

// lookAway ends the display of a sample, and of the marks on it.
func (m *moment) lookAway() {
	m.looked = false
	for b := busGotOut; b <= busWantIO; b++ {
		m.bus[b] = unknown
	}
	for b := busDiffers; b < buses; b++ {
		m.bus[b] = bits{}
	}
}

// look begins the display of a step's sample, if any, and of the expected sample.
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
