package model

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"utfbench/fault"
	"utfbench/transport"
)

// settling is a chip that the wires treat as asynchronous.
type settling struct{ *Wired }

func (settling) Settle(fault.Levels) {}

// Wires of an asynchronous chip pass through every phase of a step, others only through those that change a sample.
func TestPhasesThatAreLeftOut(t *testing.T) {
	var all []fault.Fault
	for text := range strings.FieldsSeq("ui4=stuck1 uo3=open uio2=open:keep uio3=open:high clk=open:low " +
		"rst_n=inverted uo5=late ui0<>uio0 clk<>ui7 uo1~uo2=and ui2~uo2=or clk~ui6=or uio6~uo7=and " +
		"ui1=setup:300ns uo4=flip:0.3 clk=inverted clk=flip:0.2 uo0=open:random v3=stuck1 fmax=2500kHz") {
		f, err := Bits.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	rapid.Check(t, func(t *rapid.T) {
		faults := rapid.SliceOfN(rapid.SampledFrom(all), 0, 3).
			Filter(func(fs []fault.Fault) bool { return fault.CheckConflict(fs) == nil }).Draw(t, "faults")
		pull := rapid.SampledFrom([]transport.Pull{transport.PullNone, transport.PullUp}).Draw(t, "pull")
		whole := fault.New(settling{NewWired(New(TT09))}, faults, 1) // passes through every phase
		whole.Pull = pull
		brief := fault.New(NewWired(New(TT09)), faults, 1)
		brief.Pull = pull
		for i := range rapid.IntRange(1, 30).Draw(t, "steps") {
			s := transport.Step{In: rapid.Byte().Draw(t, "in"), IO: rapid.Byte().Draw(t, "io"),
				Drive:  rapid.SampledFrom([]uint8{0, 0xFF}).Draw(t, "drive"),
				Linger: rapid.Bool().Draw(t, "linger"), Clocks: rapid.Uint8Range(0, 2).Draw(t, "clocks"),
				Reset: i == 0 || rapid.IntRange(0, 9).Draw(t, "reset") == 0}
			if want, got := whole.Step(s), brief.Step(s); got != want {
				t.Fatalf("step %d, %+v: %v; want %v", i, s, got, want)
			}
		}
	})
}
