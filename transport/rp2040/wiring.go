package rp2040

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/transport"
)

// bankPins is the number of pins in a bank of registers.
const bankPins = 32

// A wiring generates the parts of the program that depend on the pins.
type wiring map[string]int // GPIO numbers by signal

// bank1 returns "1" if a pin of the buses is in bank 1, else "0", as literals for the program.
func (w wiring) bank1(buses ...int) string {
	for _, bus := range buses {
		if slices.Max(busPins(w, bus)) >= bankPins {
			return "1"
		}
	}
	return "0"
}

func (w wiring) fill(program []byte) []byte {
	return []byte(strings.NewReplacer(
		"_UI_BANK1", w.bank1(transport.UI), "_UIO_BANK1", w.bank1(transport.UIO),
		"_SEEN_BANK1", w.bank1(transport.UO, transport.UIO),
		"_LEVELS", fmt.Sprintf("%s | (%s) << 8", w.byteOf(transport.UO), w.byteOf(transport.UIO)),
	).Replace(string(program)))
}

func (w wiring) mask(bus int) (bits uint32) {
	for _, pin := range busPins(w, bus) {
		bits |= 1 << pin
	}
	return bits
}

// byteOf returns the Python expression for a bus's byte, from g and h, the levels of banks 0 and 1.
func (w wiring) byteOf(bus int) string {
	return together(busPins(w, bus), func(bit, pin int) (string, int) {
		return shifted("gh"[pin/bankPins], pin%bankPins-bit), 1 << bit
	})
}

// levelsOf returns the Python expression for a bus's levels in bank 0, from the byte i.
func (w wiring) levelsOf(bus int) string {
	return together(busPins(w, bus), func(bit, pin int) (string, int) {
		return shifted('i', bit-pin), 1 << pin
	})
}

// together groups the terms of pins that share a shift under one mask.
func together(pins []int, term func(bit, pin int) (shift string, mask int)) string {
	var shifts []string
	masks := map[string]int{}
	for bit, pin := range pins {
		s, mask := term(bit, pin)
		if masks[s] == 0 {
			shifts = append(shifts, s)
		}
		masks[s] |= mask
	}
	terms := make([]string, len(shifts))
	for i, s := range shifts {
		terms[i] = fmt.Sprintf("%s & %d", s, masks[s])
	}
	return strings.Join(terms, " | ")
}

func shifted(name byte, right int) string {
	switch {
	case right > 0:
		return fmt.Sprintf("%c >> %d", name, right)
	case right < 0:
		return fmt.Sprintf("%c << %d", name, -right)
	}
	return string(name)
}
