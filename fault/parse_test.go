package fault

import (
	"strings"
	"testing"
)

// The chip's bit names determine which register faults can be parsed; without names there are none.
func TestBitsAreTheChips(t *testing.T) {
	if f, err := latchBits.Parse("h3=stuck1"); err != nil || f.String() != "h3=stuck1" {
		t.Errorf("%v, %v", f, err)
	}
	for _, bits := range []BitNames{nil, {"carry", "a0", "a1", "b0"}} {
		if f, err := bits.Parse("h3=stuck1"); err == nil {
			t.Errorf("bits %v: h3=stuck1 is read as %v", bits, f)
		}
	}
	none, some := BitNames(nil).Syntax(), BitNames{"carry", "a0", "a1", "b0", "c2"}.Syntax()
	if !strings.HasSuffix(none, "; lines ui0-7 uo0-7 uio0-7 clk rst_n") || strings.Contains(none, "BIT") {
		t.Errorf("without register bits: %s", none)
	}
	if !strings.HasSuffix(some, ", BIT=stuck0|stuck1; lines ui0-7 uo0-7 uio0-7 clk rst_n; bits carry a0-1 b0 c2") {
		t.Errorf("with some: %s", some)
	}
}
