package demoboard

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/boards"
	"utfbench/transport"
	"utfbench/transport/rp2040"
)

// A badLine is a line of ui or uo stuck between chip and board, or two that are shorted.
type badLine struct {
	line, other int  // the same if stuck
	high        bool // its level, or that which wins
}

func (l badLine) String() string {
	level := 0
	if l.high {
		level = 1
	}
	if l.other != l.line {
		return fmt.Sprintf("%s and %s shorted together", transport.Lines[l.line], transport.Lines[l.other])
	}
	return fmt.Sprintf("%s at %d", transport.Lines[l.line], level)
}

// on returns a byte as seen through the lines, if they belong to this bus.
func (l badLine) on(bus int, b byte) byte {
	bits, set := byte(1)<<(l.line%8)|byte(1)<<(l.other%8), l.high
	if l.line/8 != bus/8 {
		return b
	}
	if l.other != l.line {
		set = b&bits == bits || l.high && b&bits != 0
	}
	if set {
		return b | bits
	}
	return b &^ bits
}

// badLines lists the faults that are tried: stuck lines of uo and ui, then shorts of two outputs. The lines of ui are
// checked for shorts before the ROM is read.
func badLines() (all []badLine) {
	for _, bus := range []int{transport.UO, transport.UI} {
		for line := bus; line < bus+8; line++ {
			all = append(all, badLine{line, line, false}, badLine{line, line, true})
		}
	}
	for line := transport.UO; line < transport.UO+8; line++ {
		for other := line + 1; other < transport.UO+8; other++ {
			all = append(all, badLine{line, other, false}, badLine{line, other, true})
		}
	}
	return all
}

// behindBadLine identifies a ROM read through one stuck line, or two shorted outputs, unless it names a known shuttle.
// Such a chip is then not rejected, and the wiring check names the line.
func (b *Board) behindBadLine(index *boards.Index) {
	if b.ROM != nil && len(index.ShuttlesByROM(b.ROM.Shuttle)) > 0 {
		return
	}
	found := map[string]bool{}
	var rom *rp2040.ROM
	var at badLine
	for _, s := range index.Shuttles() {
		if l, ok := seenBehind(s.ROM, b.read); ok {
			rom, at = rp2040.ParseROMText(s.ROM), l
			found[s.ROM] = true
		}
	}
	if len(found) == 1 {
		b.ROM = rom
		b.note("the chip's ROM is %s's, read with %s, as behind a bad wire", rom.Shuttle, at)
	}
}

// leastKnown is the minimum number of bytes that have to match.
const leastKnown = 40

// seenBehind returns the fault that explains the bytes read from a ROM with the given text.
func seenBehind(text string, read []byte) (l badLine, ok bool) {
	if text == "" {
		return l, false
	}
	text = strings.ReplaceAll(text, " ", "\n")
	for _, l := range badLines() {
		if l.shows(text, read) || l.shows(text+"\n", read) {
			return l, true
		}
	}
	return l, false
}

var romAddresses = rp2040.ROMAddresses()

// shows reports whether a ROM with the text yields these bytes through the line. Zeros follow the text; other bytes
// except the two marks are unknown.
func (l badLine) shows(text string, read []byte) bool {
	known := 0
	for i, address := range romAddresses {
		var want byte
		switch at := int(l.on(transport.UI, byte(address))); {
		case at == 0:
			want = 0x78
		case at == 129, at >= 32+len(text) && at < 128:
		case at >= 32 && at < 128:
			want = text[at-32]
		default:
			continue
		}
		if known++; l.on(transport.UO, want) != read[i] {
			return false
		}
	}
	return known >= leastKnown
}

// constant returns the names of the one or two outputs that are constant in the ROM's bytes but vary in any text, or ""
// for another number, as without a ROM.
func constant(read []byte) string {
	var all []string
	for bit := range 7 {
		ones := 0
		for _, b := range read {
			ones += int(b >> bit & 1)
		}
		if ones == 0 || ones == len(read) {
			all = append(all, badLine{transport.UO + bit, transport.UO + bit, ones > 0}.String())
		}
	}
	if len(all) == 0 || len(all) > 2 || slices.Contains(read, 0xFF) {
		return ""
	}
	return strings.Join(all, " and ")
}
