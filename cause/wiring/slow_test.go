package wiring

import (
	"strings"
	"testing"

	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// A chip that is too slow for the pulses of clk is no cut wire, at the second check as at the first, since the pulses
// are as before. A cut clk is one, whatever the pulses.
func TestSlowChip(t *testing.T) {
	for text, want := range map[string]string{
		"fmax=1MHz":  "high for 20µs, and none with 200ns",
		"clk=stuck0": "no clock edge has an effect",
	} {
		f := testkit.Must(model.Bits.Parse(text))(t)
		chip := mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}})
		for range 2 {
			r := check(t, chip)
			if !strings.Contains(r.Why, want) || (r.Verdict == Bad) != (text == "clk=stuck0") || r.Steps == 0 {
				t.Errorf("%s: %s after %d steps, %s, %v", text, r.Verdict, r.Steps, r.Why, r.Suspects)
			}
		}
	}
}
