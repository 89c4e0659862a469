package rp2040

import (
	"bytes"
	"regexp"
	"strconv"
	"testing"

	"utfbench/internal/testkit"
	"utfbench/transport"
)

// The program and the host agree on the indices of the table.
func TestProgramHasTheSameNumbers(t *testing.T) {
	got := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^_(\w+) = const\((\w+)\)`).FindAllSubmatch(program, -1) {
		n := testkit.Must(strconv.ParseInt(string(m[2]), 0, 64))(t)
		got[string(m[1])] = int(n)
	}
	for name, want := range map[string]int{
		"MAGIC": magic, "SETTLE": wordSettle, "HIGH": wordHigh,
		"IN": wordIn, "OUT": wordIn + 2, "XOR": wordIn + 4, "OE_SET": wordIn + 6, "OE_CLR": wordIn + 8,
		"CLK": wordClk, "RST": wordRst, "LAST": wordLast, "LIMIT": wordLimit, "SHAPES": wordShapes,
		"UI0": wordUI0, "IO0": wordIO0, "UI1": wordUI1, "IO1": wordIO1, "FIELDS": wordFields, "WORDS": wordsAll,
	} {
		if n, ok := got[name]; !ok || n != want {
			t.Errorf("_%s is %d (%v) in program.py, and %d here", name, n, ok, want)
		}
	}
	if wordShapes+shapeSlots > wordFields || wordFields+4*transport.MaxFields > wordUI0 {
		t.Error("parts of the table overlap")
	}
}

// The pins are set up without contention, and a multiplexer's pin is set high.
func TestPinModes(t *testing.T) {
	l := testkit.Must(newLayout(&families[0], &Config{Pins: pinsOf("tt-demo-tt04"), HighPins: []int{1}}, 1024))(t)
	want := []byte{
		21, 0, 22, 0, 23, 0, 24, 0, 25, 0, 26, 0, 27, 0, 28, 0,
		5, 0, 6, 0, 7, 0, 8, 0, 13, 0, 14, 0, 15, 0, 16, 0,
		1, 2,
		3, 3, 0, 4,
		9, 1, 10, 1, 11, 1, 12, 1, 17, 1, 18, 1, 19, 1, 20, 1,
	}
	if !bytes.Equal(l.modes, want) {
		t.Errorf("pairs of pin and mode\ngot  %v\nwant %v", l.modes, want)
	}
}
