package grade

import (
	"fmt"
	"regexp"
	"slices"

	"utfbench/internal/printable"
	"utfbench/tile/gates/sim"
	"utfbench/tile/project"
	"utfbench/transport"
)

// A pace is the number of clocks for which a move holds its levels. All lanes use the same one, since a step takes as
// long as the longest of its 64 vectors.
type pace struct{ gain, work float64 }

// Paces.
const (
	quick = iota // 0 to 4 clocks
	slow         // up to 255
	long         // up to 100,000, in a single vector
	paces
)

// paceTicks holds the number of steps in a phase.
var paceTicks = [...]int{96, 64}

// choose returns a pace, more often one that has found much for its work.
func (e *Explorer) choose() int {
	var share [paces]float64
	total := 0.0
	for i, p := range e.paces {
		share[i] = p.gain / p.work
		total += share[i]
	}
	least := [paces]float64{0.2, 0.1, 0.2}
	r := e.rng.Float64()
	for i := range share {
		if r -= max(share[i]/total, least[i]) / 1.5; r < 0 {
			return i
		}
	}
	return quick
}

// A lines holds the likely lines of serial protocols: ui (0 to 7) and uio (8 to 15).
type lines struct {
	used                      []int // those that a cell reads, or one
	uart, clock, data, chosen []int
	bauds                     []int // clocks per bit
}

var (
	receives = printable.Regexp(`(?i)\brxd?\b|rx_?(d|in)?$|_rx|uart_?in`)
	clocks   = printable.Regexp(`(?i)scl|sck|clk|clock`)
	carries  = printable.Regexp(`(?i)sda|mosi|copi|sdi|miso|cipo|data`)
	selects  = printable.Regexp(`(?i)\bn?cs_?n?\b|\bss_?n?\b|_n?cs|select|enable`)
)

// Usual rates, in Hz.
var (
	usualClocks = []int{10_000_000, 25_000_000, 50_000_000}
	usualBauds  = []int{9600, 31250, 19200, 38400, 57600, 115200, 1_000_000}
)

// linesOf finds the lines that a circuit reads, and lines of serial protocols by the author's names.
func linesOf(p *project.Project, c *sim.Circuit) (l lines) {
	nets := slices.Concat(c.Port("ui_in"), c.Port("uio_in"))
	for i := range c.Cells {
		for _, n := range c.Cells[i].In {
			if line := slices.Index(nets, n); line >= 0 && !slices.Contains(l.used, line) {
				l.used = append(l.used, line)
			}
		}
	}
	if len(l.used) == 0 {
		l.used = []int{0}
	}
	for i := range 16 {
		name := p.Pins[fmt.Sprint([]string{"ui", "uio"}[i/8], i%8)]
		if name == "" {
			continue
		}
		for _, k := range []struct {
			is *regexp.Regexp
			to *[]int
		}{{receives(), &l.uart}, {clocks(), &l.clock}, {carries(), &l.data}, {selects(), &l.chosen}} {
			if k.is.MatchString(name) {
				*k.to = append(*k.to, i)
			}
		}
	}
	clock := []int{p.ClockHz}
	if p.ClockHz == 0 && len(l.uart) > 0 { // and the author gives none
		clock = usualClocks
	}
	for _, hz := range clock {
		for _, baud := range usualBauds {
			if n := hz / baud; n > 1 {
				l.bauds = append(l.bauds, n)
			}
		}
	}
	return l
}

// move appends a move to a lane.
func (e *Explorer) move(l *lane, at int) {
	if e.lost(l) && e.rng.IntN(revival) == 0 {
		l.todo = append(l.todo, e.resets...)
		return
	}
	s := step{l.now}
	s.Reset = e.Tile.About.Reset.High != e.inverts(l)
	hold := e.clocks(at)
	l.hold = hold
	if l.wild && at == quick {
		s.In, s.IO = uint8(e.rng.Uint32()), uint8(e.rng.Uint32())
		l.add(s, hold)
		return
	}
	switch n := e.rng.IntN(100); {
	case n < 1 && at == quick:
		l.todo = append(l.todo, e.resets...)
	case n < 8 && len(e.Known) > 0:
		e.quote(l)
	case n < 20 || n < 45 && len(e.lines.uart)+len(e.lines.data) > 0:
		e.sender()(l, s, hold)
	case n < 50:
		l.add(s, hold)
	case n < 70:
		s.flip(e.pick(e.lines.used))
		l.add(s, hold)
	case n < 85 && len(e.mined.values) > 0:
		s.set(e.mined.values[e.rng.IntN(len(e.mined.values))])
		l.add(s, hold)
	default:
		if e.rng.IntN(2) == 0 {
			s.In = uint8(e.rng.Uint32())
		}
		if e.rng.IntN(2) == 0 {
			s.IO = uint8(e.rng.Uint32())
		}
		l.add(s, hold)
	}
}

// revival is the number of moves after which a lost lane is reset, on average.
const revival = 64

// lost reports whether an output has become unknown since the first step after the reset: such a design shows little
// more.
func (e *Explorer) lost(l *lane) bool {
	if len(l.want) <= len(e.resets) {
		return false
	}
	now, first := &l.want[len(l.want)-1], &l.want[len(e.resets)]
	return now.OutX&^first.OutX|now.IOX&^first.IOX != 0
}

// inverts reports whether a move has the level of rst_n that resets the design by its description. Some designs run at
// that level, and others show their resets only by it.
func (e *Explorer) inverts(l *lane) bool {
	if e.rng.IntN(16) == 0 {
		l.inverted = e.rng.Float64() < e.inverted
	}
	return l.inverted
}

// clocks returns the number of clocks in a move of a pace.
func (e *Explorer) clocks(at int) int {
	between := func(low, high int) int { return 1<<(low+e.rng.IntN(high-low)) + e.rng.IntN(1<<low) }
	switch n := e.rng.IntN(8); {
	case at == quick:
		return [...]int{0, 1, 1, 1, 1, 1, 2, 3}[n]
	case n < 5:
		if c := e.oneOf(e.rates, e.mined.counts, e.lines.bauds, e.useful); c > 0 && (at == long || c < 256) {
			return c
		}
	case at == slow:
		return between(1, 8)
	}
	if at == slow {
		return 1 + e.rng.IntN(64)
	}
	return between(8, 17)
}

// oneOf returns a random one of a random list, or 0 if all are empty.
func (e *Explorer) oneOf(lists ...[]int) int {
	lists = slices.DeleteFunc(lists, func(l []int) bool { return len(l) == 0 })
	if len(lists) == 0 {
		return 0
	}
	list := lists[e.rng.IntN(len(lists))]
	return list[e.rng.IntN(len(list))]
}

// most is the maximum number of clocks in a step.
const most = 255

// add appends levels held for some clocks.
func (l *lane) add(s step, clocks int) {
	for {
		s.Clocks = uint8(min(clocks, most))
		l.todo = append(l.todo, s.Step)
		if clocks -= most; clocks <= 0 {
			return
		}
	}
}

// A step is the levels that a move changes.
type step struct{ transport.Step }

// flip inverts a line, and put sets it.
func (s *step) flip(line int) { s.put(line, s.level(line) == 0) }

func (s *step) put(line int, high bool) {
	s.set(value{1 << line, map[bool]uint16{true: 1 << line}[high]})
}

// set sets the lines of a value.
func (s *step) set(v value) {
	s.In, s.IO = s.In&^uint8(v.mask)|uint8(v.level), s.IO&^uint8(v.mask>>8)|uint8(v.level>>8)
}

func (s *step) level(line int) uint16 { return (uint16(s.In) | uint16(s.IO)<<8) >> line & 1 }

// mostQuoted is the maximum number of the author's steps in a move.
const mostQuoted = 48

// quote repeats a piece of a known vector.
func (e *Explorer) quote(l *lane) {
	steps := e.Known[e.rng.IntN(len(e.Known))].Steps
	first := e.rng.IntN(len(steps))
	l.todo = append(l.todo, steps[first:min(len(steps), first+1+e.rng.IntN(mostQuoted))]...)
}

// sender returns a function that sends bytes: on one line as a UART does, or with a clock, as SPI and I2C do. It
// chooses random lines where names do not tell.
func (e *Explorer) sender() func(l *lane, s step, hold int) {
	if len(e.lines.uart) > 0 && (len(e.lines.data) == 0 || e.rng.IntN(2) == 0) ||
		len(e.lines.data) == 0 && e.rng.IntN(2) == 0 {
		line := e.pick(e.lines.uart)
		return func(l *lane, s step, hold int) { e.character(l, s, line, hold) }
	}
	on := [3]int{e.pick(e.lines.clock), e.pick(e.lines.data), -1}
	if len(e.lines.chosen) > 0 {
		on[2] = e.pick(e.lines.chosen)
	}
	return func(l *lane, s step, hold int) { e.clocked(l, s, on, hold) }
}

// pick returns a random one of some lines; if the list is empty, of the used ones.
func (e *Explorer) pick(some []int) int {
	if len(some) == 0 {
		some = e.lines.used
	}
	return some[e.rng.IntN(len(some))]
}

// byte returns a random byte, often one that a register is compared with.
func (e *Explorer) byte() uint64 {
	if n := len(e.mined.bytes); n > 0 && e.rng.IntN(2) == 0 {
		return uint64(e.mined.bytes[e.rng.IntN(n)])
	}
	return e.rng.Uint64() & 0xFF
}

// character sends a start bit, a byte, lowest bit first, and a stop bit.
func (e *Explorer) character(l *lane, s step, line, hold int) {
	for _, bit := range []uint32{1, 0} {
		s.put(line, bit != 0)
		l.add(s, hold)
	}
	for value := e.byte() | 0x100; value != 0; value >>= 1 {
		s.put(line, value&1 != 0)
		l.add(s, hold)
	}
}

// clocked sends bytes on a data line, highest bit first, with a pulse on the clock line for each bit. It begins as SPI
// does, with a low level on the chip select, or as I2C does, with data falling while the clock is high.
func (e *Explorer) clocked(l *lane, s step, on [3]int, hold int) {
	clock, data, chosen := on[0], on[1], on[2]
	set := func(line int, high bool) {
		s.put(line, high)
		l.add(s, hold)
	}
	bytes, acknowledged := 1+e.rng.IntN(4), false
	if chosen >= 0 {
		set(chosen, false)
	} else if e.rng.IntN(2) == 0 {
		acknowledged = true
		s.put(data, true)
		set(clock, true)
		set(data, false)
	}
	set(clock, false)
	for ; bytes > 0; bytes-- {
		value, bits := e.byte(), 8
		if acknowledged {
			value, bits = value<<1|1, 9
		}
		for ; bits > 0; bits-- {
			s.put(data, value>>(bits-1)&1 != 0)
			l.add(s, hold)
			set(clock, true)
			set(clock, false)
		}
	}
	switch {
	case chosen >= 0:
		set(chosen, true)
	case acknowledged:
		set(data, false)
		set(clock, true)
		set(data, true)
	}
}
