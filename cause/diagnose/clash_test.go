package diagnose

import (
	"slices"
	"strings"
	"testing"

	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// If READ is always high, or swapped with another input, CheckContention names the fault, since CheckWiring would drive
// uio against the chip. It names no fault with which that check is or may be safe.
func TestClash(t *testing.T) {
	for text, clashes := range map[string]bool{"ui4=stuck1": true, "ui4=open:high": true, "ui4=inverted": true,
		"ui4<>ui5": true, "ui0<>ui4": true, "ui4=stuck0": false, "ui5=stuck1": false, "uo3=stuck1": false,
		"uio3=stuck1": false, "uio3=open": false, "ui4~uo0=or": false, "clk=open": false, "uo0=open": false,
		"ui4=stuck1 uio3=stuck1": true, "ui4=stuck1 uio3=open": true, "ui5=stuck1 uio3=stuck1": false} {
		var faults []fault.Fault
		for one := range strings.FieldsSeq(text) {
			f, err := model.Bits.Parse(one)
			if err != nil {
				t.Fatal(err)
			}
			faults = append(faults, f)
		}
		found, err := driver.Recognise(t.Context(), mock.Open(mock.Config{Tile: utf.TT09, Faults: faults}), utf.TT09)
		if err != nil {
			t.Fatal(err)
		}
		r, err := CheckContention(t.Context(), utf.TT09, &found.Trace)
		if err != nil || (r != nil) != clashes {
			t.Errorf("%s: %+v, %v", text, r, err)
		}
		if clashes && (r.Verdict != BadWires || len(r.SuspectsByLine()) != 1 || !slices.ContainsFunc(r.Suspects,
			func(h search.Hypothesis) bool {
				return strings.Fields(text)[0] == h.String() || text == "ui4=open:high" ||
					h.String() == "ui4<>uio3" && strings.Contains(text, "uio3=stuck1") // both give the same samples
			})) {
			t.Errorf("%s: %s, %v", text, r.Verdict, r.Suspects)
		}
	}
}
