package fault

import (
	"testing"

	"utfbench/transport"
)

// quiet is a chip with all outputs low that drives no uio.
type quiet struct{}

func (quiet) Drives(Levels) (Levels, uint32) { return Levels{}, MaskUO }
func (quiet) Edge(Levels)                    {}

// counting is a chip with uo0 high and uo1 low.
type counting struct{}

func (counting) Drives(Levels) (Levels, uint32) { return Levels{V: 1 << UO}, MaskUO }
func (counting) Edge(Levels)                    {}

// A swap of outputs acts when they differ.
func TestSwappedOutputsAct(t *testing.T) {
	for spec, want := range map[string]bool{"uo0<>uo1": true, "uo1<>uo2": false, "uo0<>uio0": true, "uo0<>ui0": true} {
		f, err := Bits(nil).Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		w := New(counting{}, []Fault{f}, 1)
		w.Acted = NewActed([]Fault{f})
		w.Step(transport.Step{Clocks: 1})
		if acted := w.Acted.Idle() == nil; acted != want {
			t.Errorf("%s: acted %v; want %v", spec, acted, want)
		}
	}
}

// Idle returns the faults that never acted.
func TestSomeActed(t *testing.T) {
	var faults []Fault
	for _, spec := range []string{"uo3=stuck1", "uo4=stuck0", "ui1=stuck0", "ui2<>ui3", "fmax=500MHz",
		"uio5=delay:5ns"} {
		f, err := Bits(nil).Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		faults = append(faults, f)
	}
	acted := NewActed(faults)
	for _, in := range []uint8{0, 4} { // two chips of one run
		w := New(quiet{}, faults, 1)
		w.Acted = acted
		w.Step(transport.Step{In: in, Clocks: 1})
	}
	if got := Describe(acted.Idle(), 1); got != "uo4=stuck0 ui1=stuck0 fmax=500MHz uio5=delay:5ns seed 1" {
		t.Errorf("idle: %s", got)
	}
}

// A fault acts when it changes the level at one end of a line.
func TestActed(t *testing.T) {
	for spec, want := range map[string][2]bool{ // with ui 0 and with ui 3
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
			w.Acted = NewActed([]Fault{f})
			w.Step(transport.Step{In: in, Clocks: 1})
			if got := w.Acted.Idle() == nil; got != want[i] {
				t.Errorf("%s with ui %02X: acted %v; want %v", spec, in, got, want[i])
			}
		}
	}
}
