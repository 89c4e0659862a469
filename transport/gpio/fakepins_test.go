package gpio

import (
	"errors"
	"fmt"
	"testing"

	pgpio "periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/gpio/gpiotest"

	"utfbench/model"
	"utfbench/transport"
)

// fakePin behaves like periph's worst driver: an output begins low, and a read turns it into an input.
type fakePin struct {
	gpiotest.Pin
	*pinBank
	bit uint32
}

type pinBank struct {
	*wires
	fails string // name of the pin that fails
}

func (p *fakePin) Out(l pgpio.Level) error {
	if p.fails == p.N {
		return errors.New("device unplugged")
	}
	p.drive(p.out|p.bit, p.level&^p.bit)
	if l {
		p.drive(p.out, p.level|p.bit)
	}
	return nil
}

func (p *fakePin) In(pull pgpio.Pull, edge pgpio.Edge) error {
	if p.fails == p.N {
		return errors.New("device unplugged")
	}
	if pull != pgpio.PullNoChange || edge != pgpio.NoEdge {
		p.complain("In(%s, %s) of %s", pull, edge, p.N)
	}
	p.drive(p.out&^p.bit, p.level)
	return nil
}

func (p *fakePin) Read() pgpio.Level {
	if p.out&p.bit != 0 {
		p.complain("%s is read while the bench drives it", p.N)
		p.drive(p.out&^p.bit, p.level)
	}
	return p.levels()&p.bit != 0
}

// registerPins registers 26 pins named PREFIXsignal with periph until the test ends.
func registerPins(t testing.TB, prefix string, rev model.Revision) (*pinBank, map[string]string) {
	t.Helper()
	bank := &pinBank{wires: newWires(rev)}
	names := map[string]string{}
	for i, s := range transport.Lines {
		p := &fakePin{Pin: gpiotest.Pin{N: prefix + s, Num: -1}, pinBank: bank, bit: 1 << i}
		if err := gpioreg.Register(p); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := gpioreg.Unregister(p.N); err != nil {
				t.Error(err)
			}
		})
		names[s] = p.N
	}
	return bank, names
}

var banks int

// newBank registers pins under unique names.
func newBank(t testing.TB, rev model.Revision) (*pinBank, map[string]string) {
	banks++
	return registerPins(t, fmt.Sprintf("FAKE%d_", banks), rev)
}

func registerAlias(t testing.TB, alias, dest string) {
	if err := gpioreg.RegisterAlias(alias, dest); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := gpioreg.Unregister(alias); err != nil {
			t.Error(err)
		}
	})
}
