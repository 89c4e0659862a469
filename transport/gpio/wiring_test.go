package gpio

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	pgpio "periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/gpio/gpiotest"

	"utfbench/cause/diagnose"
	"utfbench/cause/wiring"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// faultyBank is 26 of periph's pins with faulty wires.
type faultyBank struct {
	chip        *mock.Transport
	out, levels uint32
}

func (b *faultyBank) put() (seen uint32) {
	// undriven chip inputs and unknown levels are low
	seen, _ = b.chip.Put(b.levels&b.out, b.out|maskOwn)
	return seen
}

type faultyPin struct {
	gpiotest.Pin
	bank *faultyBank
	bit  uint32
}

func (p *faultyPin) Out(l pgpio.Level) error {
	p.bank.out |= p.bit
	p.bank.levels &^= p.bit
	if l {
		p.bank.levels |= p.bit
	}
	p.bank.put()
	return nil
}

func (p *faultyPin) In(pull pgpio.Pull, _ pgpio.Edge) error {
	p.bank.out &^= p.bit
	to := transport.PullDown // the machine's own pull
	if pull == pgpio.PullUp {
		to = transport.PullUp
	}
	_ = p.bank.chip.Pull(context.Background(), to)
	p.bank.put()
	return nil
}

func (p *faultyPin) Read() pgpio.Level { return p.bank.put()&p.bit != 0 }

// openFaulty returns a transport with the back-end pins and a fault in its wires.
func openFaulty(t *testing.T, text string) *Transport {
	t.Helper()
	f := testkit.Must(model.Bits.Parse(text))(t)
	wake := model.Pack(model.Registers{V: 0x1234F, Data: 0x5A, N: 4, Written: true})
	bank := &faultyBank{chip: mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}, PowerUp: &wake})}
	names := map[string]string{}
	banks++
	for i, s := range transport.Lines {
		p := &faultyPin{gpiotest.Pin{N: fmt.Sprintf("FAULTY%d_%s", banks, s), Num: -1}, bank, 1 << i}
		if err := gpioreg.Register(p); err != nil {
			t.Fatal(err)
		}
		names[s] = p.N
	}
	tr := must(t, host{machine: machine{fstest.MapFS{}}, drivers: func() error { return nil }},
		Config{Backend: "pins", Pins: names})
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
		for _, n := range names {
			if err := gpioreg.Unregister(n); err != nil {
				t.Error(err)
			}
		}
	})
	return tr
}

// wiringFaults are typical mistakes in wiring.
func wiringFaults() (all []string) {
	for i, line := range transport.Lines {
		all = append(all, line+"=stuck0", line+"=stuck1", line+"=open:low", line+"=open:high")
		if line != "rst_n" && (i+1)%8 != 0 {
			all = append(all, line+"~"+transport.Lines[i+1]+"=and")
		}
	}
	for port := range 3 {
		for a := range 8 {
			for b := range a {
				all = append(all, transport.Lines[8*port+b]+"<>"+transport.Lines[8*port+a])
			}
		}
	}
	return all
}

// The diagnosis of every wire fault names the wire's lines, and at most four suspects: without any effect of clk these
// are clk, ui0, rst_n, and a short of clk and rst_n.
func TestWiringFaultsAreNamed(t *testing.T) {
	for i, fault := range wiringFaults() {
		if i%testkit.Pick(29, 1) != 0 {
			continue
		}
		r := testkit.Must(wiring.Check(context.Background(), openFaulty(t, fault), utf.TT09))(t)
		place, _, _ := strings.Cut(fault, "=")
		lines := strings.FieldsFunc(place, func(r rune) bool { return strings.ContainsRune("<>~", r) })
		suspects := r.Lines()
		named := slices.ContainsFunc(suspects, func(s diagnose.Suspect) bool { return slices.Equal(s.Lines, lines) })
		want := wiring.Bad
		if strings.HasPrefix(lines[0], "uo") && len(lines) == 1 { // the wire, the pin or the chip
			want = wiring.Unclear
		}
		if r.Verdict != want || !named || len(suspects) > 4 {
			t.Errorf("%s: verdict %d, %s: %v", fault, r.Verdict, r.Why, suspects)
		}
	}
}
