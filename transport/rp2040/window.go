package rp2040

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"utfbench/transport"
)

// highPin is the first GPIO of the upper window of an RP2350's PIO block (RP2350 datasheet, 11.7: GPIOBASE).
const highPin = 16

// A window describes the 32 pins that a PIO block reaches. A burst has a word of their levels for each period.
type window struct {
	first int    // GPIO of bit 0
	bits  wiring // bit numbers by signal
	far   bool   // rst_n is outside; its bit is one that no pin uses
}

// newWindow returns the window that contains all pins. rst_n may be outside it if the PIO blocks share flags.
func newWindow(f *family, pins map[string]int) (w window, err error) {
	near := []int{pins["clk"]}
	for _, bus := range []int{transport.UI, transport.UO, transport.UIO} {
		near = append(near, busPins(pins, bus)...)
	}
	if slices.Max(near) >= bankPins {
		w.first = highPin
	}
	if low := slices.Min(near); low < w.first {
		return w, fmt.Errorf("its pins are from GPIO%d to GPIO%d, and the PIO reaches 32 in a row, from "+
			"GPIO0 or GPIO%d on", low, slices.Max(near), highPin)
	}
	w.bits = wiring{}
	for signal, pin := range pins {
		w.bits[signal] = pin - w.first
	}
	if bit := w.bits["rst_n"]; bit < 0 || bit >= bankPins {
		if !f.pio.synchronous {
			return w, errors.New("rst_n is out of the PIO's reach")
		}
		w.far, w.bits["rst_n"] = true, 1 // bit 0 is impossible: see resets
		for slices.Contains(near, w.first+w.bits["rst_n"]) {
			w.bits["rst_n"]++
		}
	}
	uio := busPins(pins, transport.UIO)
	if !slices.Equal(uio, inARow(uio[0])) {
		return w, fmt.Errorf("uio is on GPIOs %v, and bursts need eight in a row", uio)
	}
	return w, nil
}

func inARow(first int) (pins []int) {
	for i := range 8 {
		pins = append(pins, first+i)
	}
	return pins
}

func (w window) bit(signal string) uint32 { return 1 << w.bits[signal] }

// fill inserts the board's constants into burst.py.
func (w window) fill(program []byte, f *family, pins wiring) []byte {
	return []byte(strings.NewReplacer(
		"_UI_LEVELS", w.bits.levelsOf(transport.UI), "_UIO_LEVELS", w.bits.levelsOf(transport.UIO),
		"_UO_SEEN", w.bits.byteOf(transport.UO), "_UIO_SEEN", w.bits.byteOf(transport.UIO),
		"_UIO_DRIVEN", pins.byteOf(transport.UIO),
	).Replace(string(program)))
}
