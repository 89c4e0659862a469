package gpio

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"utfbench/cause/search"
	"utfbench/cause/wiring"
	"utfbench/fault"
	"utfbench/internal/testkit"
	"utfbench/model"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/mock"
)

// A faultyBank is a back-end with faulty wires.
type faultyBank struct {
	chip        *mock.Transport
	out, levels uint32
}

func (b *faultyBank) String() string { return "faulty" }

func (b *faultyBank) set(levels, mask uint32) error {
	b.out, b.levels = b.out|mask, b.levels&^mask|levels&mask
	_, err := b.read()
	return err
}

func (b *faultyBank) turn(levels, drive uint32) error {
	b.out, b.levels = b.out&^transport.MaskUIO|drive, b.levels&^transport.MaskUIO|levels&drive
	_, err := b.read()
	return err
}

// read takes undriven inputs of the chip and unknown levels as low.
func (b *faultyBank) read() (uint32, error) {
	seen, _ := b.chip.Put(b.levels&b.out, b.out|maskOwn)
	return seen, nil
}

func (b *faultyBank) release() error { b.out = 0; return nil }

// openFaulty returns a transport with a fault in its wires.
func openFaulty(t *testing.T, text string) *Transport {
	t.Helper()
	f := testkit.Must(model.Bits.Parse(text))(t)
	wake := model.Pack(model.Registers{V: 0x1234F, Data: 0x5A, N: 4, Written: true})
	bank := &faultyBank{chip: mock.Open(mock.Config{Tile: utf.TT09, Faults: []fault.Fault{f}, PowerUp: &wake})}
	if err := errors.Join(bank.chip.Pull(t.Context(), transport.PullDown), bank.set(0, maskOwn)); err != nil {
		t.Fatal(err)
	}
	tr := start(bank, Config{})
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
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
		named := slices.ContainsFunc(suspects, func(s search.Suspect) bool { return slices.Equal(s.Lines, lines) })
		want := wiring.Bad
		if strings.HasPrefix(lines[0], "uo") && len(lines) == 1 { // the wire, the pin or the chip
			want = wiring.Unclear
		}
		if r.Verdict != want || !named || len(suspects) > 4 {
			t.Errorf("%s: verdict %d, %s: %v", fault, r.Verdict, r.Why, suspects)
		}
	}
}
