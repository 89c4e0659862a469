package rp2040

import (
	"maps"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"utfbench/transport"
)

// with evaluates an expression of burst.py, which has the same value in Go, with values for its names.
func with(t *rapid.T, expression string, values map[string]uint64) uint64 {
	for name, v := range values {
		expression = strings.ReplaceAll(expression, name, strconv.FormatUint(v, 10))
	}
	return valueOf(t, expression)
}

// burst.py puts each signal at its pin's bit of a period's word, and reads it there, for any values.
func TestWindow(t *testing.T) {
	etrNear := maps.Clone(etr)
	etrNear["rst_n"] = 41
	for name, c := range map[string]struct {
		f     *family
		pins  map[string]int
		first int
		far   bool
	}{
		"tt06":                     {&families[0], tt06, 0, false},
		"tt06 on an RP2350":        {&families[1], tt06, 0, false},
		"etr":                      {&families[1], etr, 16, true},
		"etr with its rst_n there": {&families[1], etrNear, 16, false},
	} {
		w, err := newWindow(c.f, c.pins)
		if err != nil || w.first != c.first || w.far != c.far {
			t.Fatalf("%s: %+v, %v", name, w, err)
		}
		if w.far {
			used := w.bit("clk") | w.bits.mask(transport.UI) | w.bits.mask(transport.UO) | w.bits.mask(transport.UIO)
			if rst := w.bit("rst_n"); rst&used != 0 || rst == 1 {
				t.Errorf("%s: rst_n has bit %X of a word, and pins have %X", name, rst, used)
			}
		}
		filled := func(name string) string { return string(w.fill([]byte(name), c.f, c.pins)) }
		rapid.Check(t, func(t *rapid.T) {
			v, more := rapid.Uint8().Draw(t, "byte"), rapid.Uint64Max(1<<23-1).Draw(t, "what is above it")
			levels := rapid.Uint64Max(1<<48-1).Draw(t, "pins")
			want := map[string]uint64{}
			for bit := range 8 {
				for bus, name := range map[int]string{transport.UI: "_UI_LEVELS", transport.UIO: "_UIO_LEVELS"} {
					want[name] |= uint64(v>>bit&1) << (c.pins[transport.Lines[bus+bit]] - c.first)
				}
				for bus, name := range map[int]string{transport.UO: "_UO_SEEN", transport.UIO: "_UIO_SEEN"} {
					want[name] |= levels >> c.pins[transport.Lines[bus+bit]] & 1 << bit
				}
			}
			want["_UIO_DRIVEN"] = want["_UIO_SEEN"]
			for name, want := range want {
				values := map[string]uint64{"i": uint64(v) | more<<8, "g": levels >> c.first & (1<<32 - 1)}
				if name == "_UIO_DRIVEN" {
					values = map[string]uint64{"g": levels & (1<<32 - 1), "h": levels >> 32}
				}
				if got := with(t, filled(name), values); got != want {
					t.Fatalf("%s: %s is %X; want %X", filled(name), name, got, want)
				}
			}
		})
	}
}

// The error for unreachable pins names them.
func TestNoWindow(t *testing.T) {
	apart := maps.Clone(etr)
	apart["clk"] = 2
	split := maps.Clone(tt06)
	split["uio7"], split["ui0"] = split["ui0"], split["uio7"]
	high := maps.Clone(tt06)
	high["rst_n"] = 40
	for want, c := range map[string]struct {
		f    *family
		pins map[string]int
	}{
		"from GPIO2 to GPIO40": {&families[1], apart},
		"eight in a row":       {&families[0], split},
		"out of the PIO's":     {&families[0], high},
	} {
		if _, err := newWindow(c.f, c.pins); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}
