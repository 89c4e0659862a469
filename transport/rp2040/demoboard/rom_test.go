package demoboard

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"utfbench/boards"
	"utfbench/transport"
	"utfbench/transport/rp2040"
)

// romBehind returns the bytes that a board reads from a ROM through a stuck line.
func romBehind(text string, line int, high bool) (read []byte) {
	stuck := func(b byte, bus int) byte {
		if line < bus || line >= bus+8 {
			return b
		}
		if high {
			return b | 1<<(line-bus)
		}
		return b &^ (1 << (line - bus))
	}
	rom := make([]byte, 256)
	rom[0] = 0x78
	copy(rom[32:128], strings.ReplaceAll(text, " ", "\n")+"\n")
	for _, address := range rp2040.ROMAddresses() {
		read = append(read, stuck(rom[stuck(byte(address), transport.UI)], transport.UO))
	}
	return read
}

// For any stuck line of uo, each known ROM is distinguished from all others and the line is named; likewise for the
// lines of ui that affect the text.
func TestROMBehindABadLine(t *testing.T) {
	index := boards.Shuttles()
	for _, s := range index.Shuttles() {
		for line := transport.UI; s.ROM != "" && line < transport.UIO; line++ {
			for _, high := range []bool{false, true} {
				b := &Board{read: romBehind(s.ROM, line, high)}
				if b.ROM = rp2040.ParseROM(b.read); b.ROM != nil && b.ROM.Shuttle == s.ROMName() {
					continue // the line has no effect
				}
				b.behindBadLine(index)
				text := strings.Join(b.Notes, "; ")
				want := badLine{line, line, high}.String()
				switch {
				case b.Notes == nil && line < transport.UO: // too little of the text was read
				case b.ROM == nil || b.ROM.Shuttle != s.ROMName() || !strings.Contains(text, want):
					t.Errorf("%s with %s: %+v, %q", s.Name, want, b.ROM, text)
				}
			}
		}
	}
}

// The same for any two outputs that touch. One that is low in each byte of a ROM holds the other low: that is named.
func TestROMBehindAShort(t *testing.T) {
	index := boards.Shuttles()
	shorts := badLines()[2*16:]
	for _, s := range index.Shuttles() {
		if s.ROM == "" {
			continue
		}
		read := romBehind(s.ROM, transport.UIO, false) // a line without effect
		for _, short := range shorts {
			b := &Board{read: slices.Clone(read)}
			for i := range b.read {
				b.read[i] = short.on(transport.UO, b.read[i])
			}
			b.ROM = rp2040.ParseROM(b.read)
			b.behindBadLine(index)
			text := strings.Join(b.Notes, "; ")
			if b.ROM == nil || b.ROM.Shuttle != s.ROMName() || !strings.Contains(text, short.String()) &&
				!(strings.HasPrefix(text, fmt.Sprintf("the chip's ROM is %s's, read with %s at ", s.ROMName(),
					transport.Lines[short.line])) && short.other == transport.UO+7) {
				t.Errorf("%s with %s: %+v, %q", s.Name, short, b.ROM, text)
			}
		}
	}
	if len(shorts) != 56 {
		t.Errorf("%d shorts are tried", len(shorts))
	}
}

// Other data is never taken for a ROM, and an unknown ROM is not guessed; only its line is named.
func TestNoROM(t *testing.T) {
	index := boards.Shuttles()
	n := len(rp2040.ROMAddresses())
	unknown := romBehind("shuttle=tt99 repo=TinyTapeout/tinytapeout-99 commit=12345678", transport.UO+4, false)
	for name, c := range map[string]struct {
		read []byte
		line string
	}{"zeros": {make([]byte, n), ""}, "ones": {bytes.Repeat([]byte{0xFF}, n), ""},
		"a ROM of another shuttle": {unknown, "uo4 at 0"}} {
		b := &Board{read: c.read}
		if b.behindBadLine(index); b.ROM != nil || b.Notes != nil {
			t.Errorf("%s: %+v, %q", name, b.ROM, b.Notes)
		}
		if got := constant(c.read); got != c.line {
			t.Errorf("%s: constant is %q; want %q", name, got, c.line)
		}
		err := b.unknown("tt_um_x", nil)
		if told := strings.Contains(err.Error(), "answers with uo4 at 0 in all of its bytes"); told != (c.line != "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
