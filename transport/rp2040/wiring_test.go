package rp2040

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"utfbench/transport"
)

// value evaluates an expression of the program that has the same value in Go; g and h are the levels of the banks.
func (w wiring) value(t *rapid.T, expression string, g, h uint64) uint64 {
	text := string(w.fill([]byte(expression)))
	text = strings.NewReplacer("g", fmt.Sprintf("%#x", g), "h", fmt.Sprintf("%#x", h)).Replace(text)
	return valueOf(t, text)
}

// pinsInSteps returns pins whose numbers increase by step from signal to signal.
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
		banks string // _UI_BANK1, _UIO_BANK1, _SEEN_BANK1
	}{
		"tt06":                   {&families[0], tt06, "000"},
		"tt06 on an RP2350":      {&families[1], tt06, "000"},
		"etr":                    {&families[1], etr, "011"},
		"in one row":             {&families[0], pinsInSteps(1, 29), "000"},
		"scattered":              {&families[0], pinsInSteps(11, 29), "000"},
		"scattered over 2 banks": {&families[1], pinsInSteps(11, 47), "111"},
		"up to GPIO31":           {&families[1], pinsInSteps(5, 32), "000"},
	} {
		l, err := newLayout(c.f, &Config{Pins: c.pins}, 1024)
		if err != nil {
			t.Fatal(name, err)
		}
		w := wiring(c.pins)
		if got := string(w.fill([]byte("_UI_BANK1_UIO_BANK1_SEEN_BANK1"))); got != c.banks {
			t.Errorf("%s: in bank 1 are ui, uio, and what is looked at: %s; want %s", name, got, c.banks)
		}
		rapid.Check(t, func(t *rapid.T) {
			v := rapid.Uint16().Draw(t, "uo and uio")
			levels := rapid.Uint64Max(1<<48-1).Draw(t, "other pins")
			for bit := range 16 {
				pin := c.pins[transport.Lines[transport.UO+bit]]
				levels = levels&^(1<<pin) | uint64(v>>bit&1)<<pin
			}
			if got := w.value(t, "_LEVELS", levels&0xFFFFFFFF, levels>>bankPins); got != uint64(v) {
				t.Fatalf("%s: %04X from pins that show %04X", name, got, v)
			}
			l.checkTables(t, c.pins, uint8(v))
		})
	}
}

// checkTables checks the tables' levels for a byte on each bus.
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
