package fault

import (
	"sync/atomic"
	"testing"

	"utfbench/transport"
)

// quiet is a chip of which each output is low, and which drives nothing of uio.
type quiet struct{}

func (quiet) Drives(Levels) (Levels, uint32) { return Levels{}, MaskUO }
func (quiet) Edge(Levels)                    {}

// A fault has acted once it changes what one end of a line shows.
func TestActed(t *testing.T) {
	for spec, want := range map[string][2]bool{ // with ui 0, and with ui 3
		"uo3=stuck0":   {false, false},
		"uo3=stuck1":   {true, true},
		"ui1=stuck0":   {false, true},
		"ui1=inverted": {true, true},
		"ui0<>ui2":     {false, true},
		"ui0=flip:1":   {true, true},
		"uo0~uo1=and":  {false, false},
		"uo0=late":     {false, false},
		"uio2=stuck1":  {true, true},
		"fmax=1kHz":    {true, true},
		"fmax=400MHz":  {false, false},
	} {
		f, err := Bits(nil).Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		for i, in := range []uint8{0, 3} {
			w := New(quiet{}, []Fault{f}, 1)
			w.Acted = new(atomic.Bool)
			w.Step(transport.Step{In: in, Clocks: 1})
			if got := w.Acted.Load(); got != want[i] {
				t.Errorf("%s with ui %02X: acted %v; want %v", spec, in, got, want[i])
			}
		}
	}
}
