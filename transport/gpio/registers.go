package gpio

import (
	"fmt"
	"strconv"
	"strings"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// Word offsets in the GPIO block, from "BCM2835 ARM Peripherals", chapter 6, table 6-1. The BCM2711 has the same ones.
const (
	wordSelect = 0  // GPFSEL0 to GPFSEL2: three bits per line, ten lines per word
	wordSet    = 7  // GPSET0: each 1 sets a line high
	wordClear  = 10 // GPCLR0: each 1 sets a line low
	wordLevel  = 13 // GPLEV0: levels of all lines, including outputs

	selectWords = 3
	headerLines = 28 // GPIO0 to GPIO27 are on the header
)

// A page gives access to the words of the GPIO block.
type page interface {
	load(word int) uint32
	store(word int, value uint32)
}

// registers drives the lines with three registers: one write sets, one clears, and one read samples all lines.
type registers struct {
	soc  string
	page page

	// Tables, indexed by bytes, that avoid loops over lines in a step.
	toPage [4][256]uint32           // levels to register bits, by byte of the levels
	toBits [4][256]uint32           // register bits to levels, by byte of the register
	modes  [256][selectWords]uint32 // GPFSEL bits for each set of driven uio lines
	uio    [selectWords]uint32      // GPFSEL bits of all uio lines
	all    [selectWords]uint32      // GPFSEL bits of all lines
	own    [selectWords]uint32      // GPFSEL bits that make the bench's own lines outputs
	gpio   [transport.LineN]uint8   // GPIO number of each line
}

func (r *registers) String() string { return "registers on a " + r.soc }

func numbers(pins map[string]string) (gpio [transport.LineN]uint8, err error) {
	for i, s := range transport.Lines {
		if gpio[i], err = gpioNumber(pins[s]); err != nil {
			return gpio, failure.Usagef("%s: %w", s, err)
		}
	}
	return gpio, twice(gpio)
}

func newRegisters(soc string, p page, gpio [transport.LineN]uint8) (*registers, error) {
	r := &registers{soc: soc, page: p, gpio: gpio}
	r.tabulate()
	if err := r.checkFunctions(); err != nil {
		return nil, err
	}
	r.page.store(wordClear, r.bits(maskOwn))
	r.modify(r.all, r.own)
	if err := r.checkPage(); err != nil {
		r.release()
		return nil, err
	}
	return r, nil
}

// gpioNumber parses a GPIO number, such as 17 or GPIO17.
func gpioNumber(pin string) (uint8, error) {
	n, err := strconv.ParseUint(strings.TrimPrefix(pin, "GPIO"), 10, 8)
	if err != nil || n >= headerLines {
		return 0, fmt.Errorf("pin %q is not on the header: allowed are GPIO0 to GPIO%d", pin, headerLines-1)
	}
	return uint8(n), nil
}

// twice returns an error if two signals share a pin, even under two names such as 17 and GPIO17.
func twice[T uint8 | uint32](line [transport.LineN]T) error {
	owner := map[T]int{}
	for i, n := range line {
		if other, taken := owner[n]; taken {
			return failure.Usagef("line %d is given to %s and to %s: give each signal a line of its own", n,
				transport.Lines[other], transport.Lines[i])
		}
		owner[n] = i
	}
	return nil
}

func (r *registers) tabulate() {
	for i, n := range r.gpio {
		word, mode := n/10, uint32(1)<<(n%10*3)
		r.all[word] |= 7 * mode
		if maskOwn>>i&1 != 0 {
			r.own[word] |= mode
		}
		for b := range 256 {
			if b>>(i%8)&1 != 0 {
				r.toPage[i/8][b] |= 1 << n
			}
			if b>>(n%8)&1 != 0 {
				r.toBits[n/8][b] |= 1 << i
			}
		}
		if transport.MaskUIO>>i&1 == 0 {
			continue
		}
		r.uio[word] |= 7 * mode
		for b := range 256 {
			if b>>(i-transport.UIO)&1 != 0 {
				r.modes[b][word] |= mode
			}
		}
	}
}

// bits converts a mask of lines that the bench may drive to register bits.
func (r *registers) bits(mask uint32) uint32 {
	return r.toPage[0][mask&0xFF] | r.toPage[2][mask>>16&0xFF] | r.toPage[3][mask>>24&0xFF]
}

// modify changes the functions of only the lines in mask.
func (r *registers) modify(mask, mode [selectWords]uint32) {
	for w := range mask {
		if mask[w] != 0 {
			r.page.store(wordSelect+w, r.page.load(wordSelect+w)&^mask[w]|mode[w])
		}
	}
}

func (r *registers) set(levels, mask uint32) error {
	if up := r.bits(levels & mask); up != 0 {
		r.page.store(wordSet, up)
	}
	if down := r.bits(mask &^ levels); down != 0 {
		r.page.store(wordClear, down)
	}
	return nil
}

func (r *registers) turn(levels, drive uint32) error {
	r.set(levels, drive)
	r.modify(r.uio, r.modes[uint8(drive>>transport.UIO)])
	return nil
}

func (r *registers) read() (uint32, error) {
	v := r.page.load(wordLevel)
	return r.toBits[0][v&0xFF] | r.toBits[1][v>>8&0xFF] | r.toBits[2][v>>16&0xFF] | r.toBits[3][v>>24], nil
}

// release makes all lines inputs. It sets no pulls, for which the models have two interfaces, neither of them tested.
func (r *registers) release() error {
	r.modify(r.all, [selectWords]uint32{})
	return nil
}
