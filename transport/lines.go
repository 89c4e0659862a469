package transport

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Line numbers, which are also bit numbers in masks of lines. Each constant of a bus is the number of its bit 0.
const (
	UI    = 0
	UO    = 8
	UIO   = 16
	Clk   = 24
	RstN  = 25
	LineN = 26 // number of lines
)

// Masks of lines.
const (
	MaskUI   = 0xFF << UI
	MaskUO   = 0xFF << UO
	MaskUIO  = 0xFF << UIO
	MaskClk  = 1 << Clk
	MaskRstN = 1 << RstN
)

// Buses names the buses; bus i consists of lines 8*i to 8*i+7.
var Buses = []string{"ui", "uo", "uio"}

// Lines names the lines by number: ui0..ui7, uo0..uo7, uio0..uio7, clk, rst_n.
var Lines = func() (names []string) {
	for _, bus := range Buses {
		for bit := range 8 {
			names = append(names, fmt.Sprint(bus, bit))
		}
	}
	return append(names, "clk", "rst_n")
}()

// Outputs is a mask of output lines: bit i is line UO+i, so uo is the low byte and uio the high byte.
type Outputs uint16

func outputs(out, io uint8) Outputs { return Outputs(io)<<8 | Outputs(out) }

// Bytes splits the mask into uo and uio.
func (o Outputs) Bytes() (out, io uint8) { return uint8(o), uint8(o >> 8) }

// Count returns the number of set bits.
func (o Outputs) Count() int { return bits.OnesCount16(uint16(o)) }

// Names returns the names of the lines in the mask.
func (o Outputs) Names() (names []string) {
	for ; o != 0; o &= o - 1 {
		names = append(names, Lines[UO+bits.TrailingZeros16(uint16(o))])
	}
	return names
}

// ParseOutput converts the name of an output line to its bit.
func ParseOutput(name string) (bit Outputs, known bool) {
	i := slices.Index(Lines[UO:UIO+8], name)
	return 1 << max(i, 0), i >= 0
}

// String lists the lines, as AbbreviateLines does.
func (o Outputs) String() string { return AbbreviateLines(o.Names()) }

// AbbreviateLines abbreviates a list of lines in the order of Lines: "ui3, uo0-uo6".
func AbbreviateLines(lines []string) string {
	var words []string
	for i := 0; i < len(lines); {
		n := i + 1
		for n < len(lines) && follows(lines[n-1], lines[n]) {
			n++
		}
		word := lines[i]
		if n > i+1 {
			word += "-" + lines[n-1]
		}
		words, i = append(words, word), n
	}
	return strings.Join(words, ", ")
}

// follows reports whether b is the next line of the same bus.
func follows(a, b string) bool {
	i := slices.Index(Lines, a)
	return i < Clk-1 && i%8 != 7 && Lines[i+1] == b
}
