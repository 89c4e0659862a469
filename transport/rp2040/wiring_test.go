package rp2040

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"utfbench/transport"
)

// value evaluates an expression of the program, which has the same value in Go; g and h are pin levels or gathered
// bytes.
func (w wiring) value(t *rapid.T, expression string, g, h uint64) uint64 {
	text := string(w.fill([]byte(expression)))
	text = strings.NewReplacer("g", fmt.Sprintf("%#x", g), "h", fmt.Sprintf("%#x", h)).Replace(text)
	return valueOf(t, text)
}

// compared returns the value that the program compares with the previous sample.
func (w wiring) compared(t *rapid.T, levels uint64) uint64 {
	g, h := levels&0xFFFFFFFF, levels>>bankPins&0xFFFF
	if w.value(t, "_GATHERED", 0, 0) == 0 {
		return g
	}
	return w.value(t, "_LEVELS", g, h)
}

// pinsInSteps returns a board whose pins increase by step from signal to signal.
func pinsInSteps(step, pins int) map[string]int {
	all := map[string]int{}
	for i, s := range transport.Lines {
		all[s] = i * step % pins
	}
	return all
}

// The program's text and the host's table agree for every pin.
func TestWiring(t *testing.T) {
	for name, c := range map[string]struct {
		f     *family
		pins  map[string]int
		banks string // _UI_BANK1, _UIO_BANK1, _CLK_BANK1, _GATHERED
	}{
		"tt06":                   {&families[0], tt06, "0000"},
		"tt06 on an RP2350":      {&families[1], tt06, "0000"},
		"etr":                    {&families[1], etr, "0101"},
		"in one row":             {&families[0], pinsInSteps(1, 29), "0000"},
		"scattered":              {&families[0], pinsInSteps(11, 29), "0000"},
		"scattered over 2 banks": {&families[1], pinsInSteps(11, 47), "1101"},
		"up to GPIO31":           {&families[1], pinsInSteps(5, 32), "0001"},
	} {
		l, err := newLayout(c.f, &Config{Pins: c.pins}, 1024)
		if err != nil {
			t.Fatal(name, err)
		}
		w := wiring(c.pins)
		if got := string(w.fill([]byte("_UI_BANK1_UIO_BANK1_CLK_BANK1_GATHERED"))); got != c.banks {
			t.Errorf("%s: in bank 1 are ui, uio, clk, and what is looked at: %s; want %s", name, got, c.banks)
		}
		rapid.Check(t, func(t *rapid.T) {
			v := rapid.Uint16().Draw(t, "uo and uio")
			levels := rapid.Uint64Max(1<<48-1).Draw(t, "other pins")
			for bit := range 16 {
				pin := c.pins[transport.Lines[transport.UO+bit]]
				levels = levels&^(1<<pin) | uint64(v>>bit&1)<<pin
			}
			compared := w.compared(t, levels)
			both := w.value(t, "_LEVELS", levels&0xFFFFFFFF, levels>>bankPins)
			bytes := w.value(t, "_UO_BYTE", compared, 0) | w.value(t, "_UIO_BYTE", compared, 0)<<8
			if both != uint64(v) || bytes != uint64(v) {
				t.Fatalf("%s: %04X and %04X from pins that show %04X", name, both, bytes, v)
			}
			look := l.words[wordLook : wordLook+2]
			uo, uio := w.seen(transport.UO), w.seen(transport.UIO)
			if seen := uo[uint8(v)] | uio[v>>8]; seen != uint32(compared)&(look[0]|look[1]) || seen>>hashBits != 0 {
				t.Fatalf("%s: a guard takes %04X for %08X, and the board for %08X", name, v, seen, compared)
			}
			bit := rapid.IntRange(0, 15).Draw(t, "one that changes") // uo and uio are compared separately
			changed := compared ^ w.compared(t, levels^1<<c.pins[transport.Lines[transport.UO+bit]])
			if uo, uio := changed&uint64(look[0]) != 0, changed&uint64(look[1]) != 0; uo != (bit < 8) ||
				uio != (bit >= 8) {
				t.Fatalf("%s: bit %d of uo and uio is taken for one of uo %v, of uio %v", name, bit, uo, uio)
			}
			l.checkTables(t, c.pins, uint8(v))
		})
	}
}

// checkTables checks the levels for a byte on a bus.
func (l *layout) checkTables(t *rapid.T, pins map[string]int, v uint8) {
	for bus, at := range map[int][2]int{transport.UI: {wordUI0, wordUI1}, transport.UIO: {wordIO0, wordIO1}} {
		both := uint64(l.words[at[0]+int(v)]) | uint64(l.words[at[1]+int(v)])<<bankPins
		for bit, pin := range busPins(pins, bus) {
			if both>>pin&1 != uint64(v>>bit&1) {
				t.Fatalf("bus %d: %02X gives %012X", bus, v, both)
			}
		}
	}
}
