package fault

import (
	"testing"

	"utfbench/transport"
)

// A latch is a chip that samples uio at a clock edge while ui0 is high, until a reset, and shows it on uo.
type latch struct{ held, unknown uint8 }

var latchBits = BitNames(NumberedNames("h", 8))

func (l *latch) Drives(Levels) (Levels, uint32) {
	return Levels{uint32(l.held&^l.unknown) << UO, uint32(l.unknown) << UO}, MaskUO
}

func (l *latch) ClockEdge(in Levels) {
	switch {
	case in.X&(MaskClk|MaskRst|1) != 0:
		l.unknown = 0xFF
	case in.V&MaskRst == 0:
		*l = latch{}
	case in.V&1 != 0:
		*l = latch{uint8(in.V >> UIO), uint8(in.X >> UIO)}
	}
}

func (l *latch) Bits() BitNames        { return latchBits }
func (l *latch) Registers() uint64     { return uint64(l.held) }
func (l *latch) SetRegisters(p uint64) { l.held = uint8(p) }
func (l *latch) PowerUp(p uint64)      { l.held = uint8(p) }

func parse(t testing.TB, s string) Fault {
	t.Helper()
	f, err := latchBits.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

var (
	reset = transport.Step{Reset: true, Clocks: 1}
	take  = transport.Step{In: 1, IO: 0x41, Drive: 0xFF, Clocks: 1}
	rest  = transport.Step{}
)

// Faults have their documented effect on a chip other than the UTF chip.
func TestAnyChip(t *testing.T) {
	for _, c := range []struct {
		fault string
		steps []transport.Step
		want  transport.Sample // uo after the last step
	}{
		{"uo1=stuck1", []transport.Step{reset, take, rest}, transport.Sample{Out: 0x43}},
		{"uo6=inverted", []transport.Step{reset, take, rest}, transport.Sample{Out: 0x01}},
		{"uo0=open", []transport.Step{reset, take, rest}, transport.Sample{Out: 0x40, OutX: 0x01}},
		{"uio6=stuck0", []transport.Step{reset, take, rest}, transport.Sample{Out: 0x01}},
		{"uio1=open", []transport.Step{reset, take, rest}, transport.Sample{Out: 0x41, OutX: 0x02}},
		{"uio6=open:low", []transport.Step{reset, take, rest}, transport.Sample{Out: 0x01}},
		{"uio1=open:high", []transport.Step{reset, take, rest}, transport.Sample{Out: 0x43}},
		{"uio0<>uio7", []transport.Step{reset, take, rest}, transport.Sample{Out: 0xC0}},
		{"uo0~uo7=and", []transport.Step{reset, take, rest}, transport.Sample{Out: 0x40}},
		{"uo0~uo7=or", []transport.Step{reset, take, rest}, transport.Sample{Out: 0xC1}},
		{"uo0=late", []transport.Step{reset, take}, transport.Sample{Out: 0x40}},
		{"ui0=stuck0", []transport.Step{reset, take, rest}, transport.Sample{}},
		{"clk=stuck0", []transport.Step{reset, take, rest}, transport.Sample{OutX: 0xFF}},
		{"clk=open", []transport.Step{take, rest}, transport.Sample{OutX: 0xFF}},
		{"rst_n=stuck1", []transport.Step{take, reset}, transport.Sample{Out: 0x41}},
		{"ui0=setup:1us", []transport.Step{reset, take, rest}, transport.Sample{}},
		{"fmax=1MHz", []transport.Step{reset, take, rest}, transport.Sample{OutX: 0xFF}},
		{"h1=stuck1", []transport.Step{reset, take, rest}, transport.Sample{Out: 0x43}},
		{"h6=stuck0", []transport.Step{reset, take, rest}, transport.Sample{Out: 0x01}},
	} {
		w := New(&latch{unknown: 0xFF}, []Fault{parse(t, c.fault)}, 1)
		var got transport.Sample
		for _, s := range c.steps {
			got = w.Step(s)
		}
		if got.Out != c.want.Out || got.OutX != c.want.OutX {
			t.Errorf("%s:\ngot  %+v\nwant %+v", c.fault, got, c.want)
		}
	}
}

// String formats a frequency as briefly as possible without loss.
func TestFrequency(t *testing.T) {
	for _, want := range []string{"fmax=2.4MHz", "fmax=3MHz", "fmax=25MHz", "fmax=500MHz", "fmax=33.3kHz"} {
		if f, err := latchBits.Parse(want); err != nil || f.String() != want {
			t.Errorf("%s: %v, %v", want, f, err)
		}
	}
}

func FuzzParseFault(f *testing.F) {
	for _, s := range []string{"fmax=25MHz", "fmax=1GHz", "fmax=0.5Hz", "fmax=33.3kHz", "fmax=166MHz", "fmax=7MHz",
		"fmax=1.234567891234e-4Hz", "ui3=setup:40ns", "rst_n=setup:1h", "uo3=setup:1ns", "ui3=hold:30ns",
		"uio3=hold:1ns"} {
		f.Add(s)
	}
	for _, s := range []string{"uo3=stuck1", "ui5~ui6=and", "uio0<>uio1", "v13=stuck0", "h3=stuck0", "uo2=flip:1e-4",
		"uo2=flip:0.5:7", "clk=open:random:3", "rst_n=open:keep", "uio7=late", "written=stuck1", "uo3=", "=", "~", "<>",
		"uo3=flip:NaN", "uo3=flip:2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		fault, err := latchBits.Parse(s)
		if err != nil {
			return
		}
		again, err := latchBits.Parse(fault.String())
		if err != nil || again != fault {
			t.Errorf("%q is %+v, written %q, which is %+v, %v", s, fault, fault, again, err)
		}
		w := New(&latch{}, []Fault{fault}, 1)
		for i := range 50 {
			w.Step(transport.Step{In: uint8(i), IO: uint8(7 * i), Drive: uint8(-(i & 1)), Reset: i%9 == 0,
				Clocks: uint8(i % 3)})
		}
	})
}

// An inverter is a chip whose outputs are its inputs, inverted.
type inverter struct{}

func (inverter) Drives(in Levels) (Levels, uint32) {
	return Levels{^in.V & 0xFF &^ in.X << UO, in.X & 0xFF << UO}, MaskUO
}
func (inverter) ClockEdge(Levels) {}

// A short between an inverter's input and output oscillates if the output wins, so the line is unknown.
func TestOscillation(t *testing.T) {
	w := New(inverter{}, []Fault{{Kind: BridgeAnd, A: UI, B: UO}}, 0)
	for _, c := range []struct{ ui, unknown uint8 }{{0, 0}, {1, 1}, {0x10, 0}} {
		s := w.Step(transport.Step{In: c.ui})
		if s.OutX != c.unknown || (s.Out^^c.ui)&^(s.OutX|1) != 0 {
			t.Errorf("ui %08b: uo %08b, unknown %08b", c.ui, s.Out, s.OutX)
		}
	}
}
