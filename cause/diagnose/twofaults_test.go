package diagnose

import (
	"slices"
	"strings"
	"testing"

	"utfbench/boards"
	"utfbench/driver"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport/mock"
)

// faulty returns a mock with faults, given as in "uo3=stuck1 ui5=open".
func faulty(t *testing.T, texts string) *mock.Transport {
	t.Helper()
	c := mock.Config{Tile: utf.TT09}
	for text := range strings.FieldsSeq(texts) {
		c.Faults = append(c.Faults, testkit.Must(model.Bits.Parse(text))(t))
	}
	return mock.Open(c)
}

// Two faults are among the suspects, with all others that explain the samples as well. A single fault that leaves
// levels open or bits unexplained is not a suspect. A faulty output may be the chip's fault.
func TestTwoFaults(t *testing.T) {
	cases := []struct{ faults, want, output string }{
		{"uo3=stuck1 ui5=open", "uo3 is stuck at 1, and ui5 is open", "uo3"},
		{"uo0=stuck0 ui5=open", "ui5 is open, and uo0 is stuck at 0 or open", "uo0"},
		{"ui3=stuck0 ui2=stuck1", "ui3 and uo3 are shorted together, and ui2 is stuck at 1 or open, or\n" +
			"ui2 is stuck at 1 or open, and ui3 is stuck at 0 or open", ""},
		{"ui1=stuck1 ui3=stuck0", "ui3 and uo3 are shorted together, and ui1 is stuck at 1 or open, or\n" +
			"ui1 is stuck at 1 or open, and ui3 is stuck at 0 or open", ""},
	}
	for _, c := range cases[testkit.Pick(1, 0):testkit.Pick(3, 4)] {
		why := "faults in the wires together explain the samples"
		if c.output != "" {
			why += "; " + Doubt{Outputs: []string{c.output}}.Reason()
		}
		r := check(t, faulty(t, c.faults))
		if got := strings.Join(r.placed(&boards.Board{}), "\n"); r.Verdict != BadWires || got != c.want ||
			r.Reason != why {
			t.Errorf("%s: %s, %s\n%s\nwant\n%s", c.faults, r.Verdict, r.Reason, got, c.want)
		}
	}
}

// A swap of an input and an output leaves both at one level, as two stuck lines do, so both explanations are listed.
func TestSwappedOrStuck(t *testing.T) {
	const texts = "ui2=stuck0 uo5=stuck0"
	r := check(t, silicon{faulty(t, texts)})
	want := []string{"ui2 and uo5 are swapped, or",
		"ui2 is stuck at 0 or open, and uo5 is stuck at 0 or open"}
	if got := r.placed(&boards.Board{}); !slices.Equal(got, want) ||
		r.Reason != "a fault in the wires, or two together, explain the samples" {
		t.Errorf("%s: %q; want %q", r.Reason, got, want)
	}
}

// Noisy outputs, which also differ after resets, are not mistaken for a lost reset. Neither is wrong state that a noisy
// input caused and a reset without a clock edge leaves in synchronous registers.
func TestNoiseIsNoLostReset(t *testing.T) {
	for _, texts := range []string{"ui5=open:random:5", "uo5=open:random:1", "uo3=flip:0.05:1",
		"uo3=flip:0.1:1 uo5=flip:0.1:2", "ui5=open:random:3 uo3=stuck1",
		"ui5=open:random:5 uo3=stuck1"}[:testkit.Pick(4, 6)] {
		if r := check(t, faulty(t, texts)); r.Verdict != UnclearWires || r.Suspects != nil {
			t.Errorf("%s: %s, %s, %s", texts, r.Verdict, r.Reason, names(r))
		}
	}
}

// A dead clock that does not explain another stuck line is not a suspect by itself.
func TestDeadClockBesideAnotherFault(t *testing.T) {
	f := diagnosed(t, guide(t, "uio6=stuck1 clk=stuck0", 1))
	for _, c := range f.TiedCauses() {
		if len(c.Faults) == 1 && c.StopsClock() {
			t.Errorf("%s does not explain uio6: %s, %v", c, f.Conclusion, f.TiedCauses())
		}
	}
}

// A late output shows the last vector's level in the first step, so the first vector may differ from its repetitions.
func TestLateBesideAnotherFault(t *testing.T) {
	f := diagnosed(t, guide(t, "uo6=late ui5=open", 2))
	if f.Conclusion != SeveralFaults || f.WaveringVectors > 0 || !f.best().Exact() {
		t.Errorf("%s, with %d vectors that waver: %v", f.Conclusion, f.WaveringVectors, f.TiedCauses())
	}
}

// guide returns a run of 40 vectors of the guide on a chip with faults, in a number of iterations.
func guide(t *testing.T, faults string, iterations int) *Run {
	run := &Run{Tile: utf.TT09}
	r := driver.Runner{Tile: utf.TT09, Transport: faulty(t, faults), Report: adding(t, run)}
	testkit.Must(r.Run(t.Context(), slices.Repeat(suite(t, "guide")[:40], iterations)))(t)
	return run
}
