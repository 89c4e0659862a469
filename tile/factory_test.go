package tile_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"utfbench/cause/diagnose"
	"utfbench/cause/search"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/tile"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// Signature and WiringSteps return legal steps that begin with a reset; Signature never drives uio.
func TestFactoryStepsAreLegal(t *testing.T) {
	cable := testkit.Must(tile.FactoryTest{}.WiringSteps(t.Context()))(t)
	for name, steps := range map[string][]transport.Step{"signature": tile.FactoryTest{}.Signature().Steps,
		"cable": cable} {
		if err := (tile.FactoryTest{}).Lint(steps); err != nil || !steps[0].Reset {
			t.Errorf("%s: %v, first %+v", name, err, steps[0])
		}
	}
	for i, s := range (tile.FactoryTest{}).Signature().Steps {
		if s.Drive != 0 {
			t.Errorf("the signature drives uio at step %d", i+1)
		}
	}
	if err := (tile.FactoryTest{}).Lint([]transport.Step{{Reset: true}, {In: 1, Drive: 0x10}}); err == nil {
		t.Error("contention passes the lint")
	}
}

// The expected samples are derived from the RTL by hand: uo shows ui in reset, uio while ui0 is low, and otherwise a
// counter that starts at the second clock.
func TestFactoryReference(t *testing.T) {
	chip, known := tile.FactoryTest{}.New(), transport.Sample{}
	for _, c := range []struct {
		step transport.Step
		want transport.Sample
	}{
		{transport.Step{In: 1}, transport.Sample{OutX: 0xFF, IOX: 0xFF}},
		{transport.Step{In: 0xA5, Reset: true}, transport.Sample{Out: 0xA5, IOX: 0xFF}},
		{transport.Step{In: 1}, known},
		{transport.Step{In: 1, Clocks: 1}, known},
		{transport.Step{In: 1, Clocks: 1}, transport.Sample{Out: 1, IO: 1}},
		{transport.Step{In: 0xFE, IO: 0x3C, Drive: 0xFF, Clocks: 4}, transport.Sample{Out: 0x3C, IO: 0x3C}},
		{transport.Step{In: 0xFF}, transport.Sample{Out: 5, IO: 5}},
		{transport.Step{IO: 0x0F, Drive: 0x0F}, transport.Sample{Out: 0x0F, OutX: 0xF0, IO: 0x0F, IOX: 0xF0}},
		{transport.Step{In: 1, Reset: true, Clocks: 9}, transport.Sample{Out: 1, IOX: 0xFF}},
		{transport.Step{In: 1, Clocks: 2}, transport.Sample{Out: 1, IO: 1}},
	} {
		if got := testkit.Step(t, chip, c.step); got != c.want {
			t.Errorf("%s: %+v; want %+v", tile.Describe(tile.FactoryTest{}, c.step), got, c.want)
		}
	}
}

// CheckWiring blames every wire fault on the wires or, for an output, on the wire, the pin or the chip. The suspects
// include the faulty line, or one of the two. With a fault-free chip every line is proven.
func TestEveryWireIsNamed(t *testing.T) {
	if r := checkFactory(t); r.Verdict != diagnose.GoodWires || r.UnprovenLines != nil {
		t.Errorf("without a fault: %s, %s", r.Verdict, r.Reason)
	}
	all := slices.DeleteFunc(testkit.EveryFault("stuck0", "stuck1", "open:low", "inverted"), func(s string) bool {
		return !strings.HasPrefix(s, "u") && !strings.HasPrefix(s, "clk") && !strings.HasPrefix(s, "rst")
	})
	for i := 0; i < len(all); i += testkit.Pick(41, 3) {
		f, err := tile.RegisterBits(tile.FactoryTest{}).Parse(all[i])
		if err != nil {
			continue // a fault of a register bit, of which this tile has none
		}
		r := checkFactory(t, f)
		named := slices.ContainsFunc(r.SuspectsByLine(), func(s search.Suspect) bool {
			return slices.Contains(s.Lines, fault.Lines[f.A]) || two(f) && slices.Contains(s.Lines, fault.Lines[f.B])
		})
		var output []string // outputs that may be open, or held by the chip
		switch {
		case !two(f) && fault.MaskUO>>f.A&1 != 0, f.Kind == fault.Late: // including late lines of uio
			output = []string{fault.Lines[f.A]}
		case f.Kind == fault.Swapped && f.B == f.A+8 && f.A > 0 && f.A < fault.UO: // indistinguishable
			output = []string{fault.Lines[f.B]}
		}
		want := map[bool]driver.Verdict{true: diagnose.BadWires, false: diagnose.UnclearWires}[output == nil]
		if r.Verdict != want || !slices.Equal(r.FaultyOutputs, output) || !named {
			t.Errorf("%s: %s, %s, %v", all[i], r.Verdict, r.Reason, r.SuspectsByLine())
		}
	}
}

func two(f fault.Fault) bool {
	return f.Kind == fault.Swapped || f.Kind == fault.BridgeAnd || f.Kind == fault.BridgeOr
}

func checkFactory(t *testing.T, faults ...fault.Fault) *diagnose.WiringReport {
	t.Helper()
	chip := mock.Open(mock.Config{Tile: tile.FactoryTest{}, Faults: faults})
	return testkit.Must(diagnose.CheckWiring(context.Background(), chip, tile.FactoryTest{}, 0))(t)
}

// Recognise rejects a chip that does not respond, and reports a chip with one bad wire as LikelyMiswired.
func TestFactoryRecognise(t *testing.T) {
	for text, want := range map[string][2]bool{"": {true, false}, "uo3=stuck1": {false, true},
		"rst_n=stuck0": {false, false}} {
		c := mock.Config{Tile: tile.FactoryTest{}}
		if text != "" {
			f := testkit.Must(tile.RegisterBits(c.Tile).Parse(text))(t)
			c.Faults = []fault.Fault{f}
		}
		got, err := driver.Recognise(context.Background(), mock.Open(c), c.Tile)
		if err != nil || got.OK != want[0] || got.LikelyMiswired != want[1] {
			t.Errorf("%q: OK %t, alike %t, %s, %v", text, got.OK, got.LikelyMiswired, got.Text, err)
		}
	}
}
