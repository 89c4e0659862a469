package rp2040

import (
	"fmt"
	"strings"

	"utfbench/transport"
)

// A family has a microcontroller's pins and registers (datasheets: RP2040 2.3.1.7, RP2350 3.1.11). Bank 1 begins at pin
// 32.
type family struct {
	name, word string // word identifies the family in a board's description of itself
	pins       int
	banks      [2]registers
	pio        periphery

	usualClock, maxClock int // system clocks in MHz: MicroPython's default, the maximum at the usual core voltage
}

// registers holds the addresses of one bank's registers in SIO.
type registers struct{ in, out, set, clr, xor, oe, oeSet, oeClr uint32 }

const sio = 0xD0000000

var families = []family{
	{"RP2040", "RP2040", 30, [2]registers{
		{sio + 0x04, sio + 0x10, sio + 0x14, sio + 0x18, sio + 0x1C, sio + 0x20, sio + 0x24, sio + 0x28},
	}, rp2040PIO, 125, 133},
	{"RP2350", "RP2350", 48, [2]registers{
		{sio + 0x04, sio + 0x10, sio + 0x18, sio + 0x20, sio + 0x28, sio + 0x30, sio + 0x38, sio + 0x40},
		{sio + 0x08, sio + 0x14, sio + 0x1C, sio + 0x24, sio + 0x2C, sio + 0x34, sio + 0x3C, sio + 0x44},
	}, rp2350PIO, 150, 150}, // RP2350 datasheet, 14.9
}

func findFamily(machine string) (*family, error) {
	for i := range families {
		if strings.Contains(machine, families[i].word) {
			return &families[i], nil
		}
	}
	return nil, fmt.Errorf("the board calls itself %q, which is neither an RP2040 nor an RP2350", machine)
}

// Indices in the program's table, as in program.py.
const (
	wordSettle = 0   // loops after a change of levels
	wordHigh   = 2   // loops that clk stays high
	wordIn     = 4   // then out, xor, oe_set, oe_clr, for banks 0 and 1 each
	wordClk    = 14  // bit, set, clr
	wordRst    = 17  // bit, set, clr, oe_set, oe_clr
	wordLast   = 22  // previous sample
	wordLimit  = 23  // maximum number of steps in a batch
	wordShapes = 96  // 31 shapes: ui | clocks << 8 | drive << 16 | reset << 24 | every << 25
	wordFields = 128 // 16 fields of a series: offset in the codes, byte without the counter, shift, mask
	wordUI0    = 224 // 256 words each: levels in banks 0 and 1 for a byte of ui and of uio
	wordIO0    = wordUI0 + 256
	wordUI1    = wordIO0 + 256
	wordIO1    = wordUI1 + 256
	wordsAll   = wordIO1 + 256
)

// A layout is the pin map in the program's format.
type layout struct {
	words []uint32
	modes []byte // pairs of pin and mode
}

// Modes of a pin.
const (
	modeInput  = 0
	modeLow    = 1
	modeHigh   = 2
	modePullUp = 3 // low, with a pull-up after its release
	modeClk    = 4 // low until the program ends, then released with a pull-down
)

func newLayout(f *family, c *Config, steps int) (*layout, error) {
	if err := f.check(c); err != nil {
		return nil, err
	}
	l := &layout{words: make([]uint32, wordsAll)}
	w := l.words
	w[wordLimit] = uint32(steps)
	for bank, r := range f.banks {
		for i, address := range []uint32{r.in, r.out, r.xor, r.oeSet, r.oeClr} {
			w[wordIn+2*i+bank] = address
		}
	}
	clk, rst := c.Pins["clk"], c.Pins["rst_n"]
	r := f.banks[clk/32]
	copy(w[wordClk:], []uint32{1 << (clk % 32), r.set, r.clr})
	r = f.banks[rst/32]
	copy(w[wordRst:], []uint32{1 << (rst % 32), r.set, r.clr, r.oeSet, r.oeClr})
	l.table(c, transport.UI, wordUI0, wordUI1)
	l.table(c, transport.UIO, wordIO0, wordIO1)
	l.pinModes(c)
	return l, nil
}

// CheckPins returns an error if a board with this description of its machine lacks a pin.
func (c *Config) CheckPins(machine string) error {
	f, err := findFamily(machine)
	if err != nil {
		return err
	}
	return f.check(c)
}

func (f *family) check(c *Config) error {
	for s, p := range c.Pins {
		if p < 0 || p >= f.pins {
			return fmt.Errorf("the pin map gives GPIO%d to %s, and the board's %s has GPIO0 to GPIO%d: is it "+
				"the right board file?", p, s, f.name, f.pins-1)
		}
	}
	for _, p := range c.HighPins {
		if p < 0 || p >= f.pins {
			return fmt.Errorf("GPIO%d is to be kept high, and the board's %s has GPIO0 to GPIO%d: is it "+
				"the right board file?", p, f.name, f.pins-1)
		}
	}
	return nil
}

// table fills in the levels in each bank for each byte of a bus.
func (l *layout) table(c *Config, bus, bank0, bank1 int) {
	at := [2]int{bank0, bank1}
	for bit := range 8 {
		pin := c.Pins[transport.Lines[bus+bit]]
		for v := range 256 {
			if v>>bit&1 != 0 {
				l.words[at[pin/32]+v] |= 1 << (pin % 32)
			}
		}
	}
}

// pinModes sets the modes, inputs first, so that nothing is driven until the chip's lines are free.
func (l *layout) pinModes(c *Config) {
	for _, bus := range []int{transport.UIO, transport.UO} {
		for i := range 8 {
			l.modes = append(l.modes, byte(c.Pins[transport.Lines[bus+i]]), modeInput)
		}
	}
	for _, p := range c.HighPins {
		l.modes = append(l.modes, byte(p), modeHigh)
	}
	l.modes = append(l.modes, byte(c.Pins["rst_n"]), modePullUp, byte(c.Pins["clk"]), modeClk)
	for i := range 8 {
		l.modes = append(l.modes, byte(c.Pins[transport.Lines[transport.UI+i]]), modeLow)
	}
}

// used returns the words up to the last one above 0, since the program's table is initially 0.
func (l *layout) used() []uint32 {
	end := len(l.words)
	for l.words[end-1] == 0 {
		end--
	}
	return l.words[:end]
}
