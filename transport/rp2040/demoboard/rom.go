package demoboard

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/boards/shuttles"
	"utfbench/transport"
	"utfbench/transport/rp2040"
)

// A badLine is a line of ui or uo stuck between chip and board.
type badLine struct {
	line int
	high bool
}

func (l badLine) String() string {
	level := 0
	if l.high {
		level = 1
	}
	return fmt.Sprintf("%s at %d", transport.Lines[l.line], level)
}

// on returns a byte as seen through the line, if it belongs to this bus.
func (l badLine) on(bus int, b byte) byte {
	bit := byte(1) << (l.line % 8)
	switch {
	case l.line/8 != bus/8:
		return b
	case l.high:
		return b | bit
	}
	return b &^ bit
}

// behindBadLine identifies a ROM read through one stuck line. Such a chip is then not rejected, and the wiring check
// names the line.
func (b *Board) behindBadLine() error {
	index, err := shuttles.Load()
	if err != nil {
		return err
	}
	found := map[string]bool{}
	var rom *rp2040.ROM
	var at badLine
	for _, s := range index.Shuttles() {
		if l, ok := seenBehind(s.ROM, b.read); ok {
			rom, at = rp2040.ROMOf(s.ROM), l
			found[s.ROM] = true
		}
	}
	if len(found) == 1 {
		b.ROM = rom
		b.note("the chip's ROM is %s's, read with %s, as behind a bad wire", rom.Shuttle, at)
	}
	return nil
}

// leastKnown is the minimum number of bytes that have to match.
const leastKnown = 40

// seenBehind returns the stuck line that explains the bytes read from a ROM with the given text.
func seenBehind(text string, read []byte) (l badLine, ok bool) {
	if text == "" {
		return l, false
	}
	for _, bus := range []int{transport.UO, transport.UI} {
		for line := bus; line < bus+8; line++ {
			for _, high := range []bool{false, true} {
				if l = (badLine{line, high}); l.shows(text, read) || l.shows(text+" ", read) {
					return l, true
				}
			}
		}
	}
	return l, false
}

// shows reports whether a ROM with the text yields these bytes through the line. Zeros follow the text; other bytes
// except the two marks are unknown.
func (l badLine) shows(text string, read []byte) bool {
	known := 0
	for i, address := range rp2040.ROMAddresses() {
		var want byte
		switch at := int(l.on(transport.UI, byte(address))); {
		case at == 0:
			want = 0x78
		case at == 129, at >= 32+len(text) && at < 128:
		case at >= 32 && at < 128:
			want = strings.ReplaceAll(text, " ", "\n")[at-32]
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
			all = append(all, badLine{transport.UO + bit, ones > 0}.String())
		}
	}
	if len(all) == 0 || len(all) > 2 || slices.Contains(read, 0xFF) {
		return ""
	}
	return strings.Join(all, " and ")
}
