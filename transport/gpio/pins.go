package gpio

import (
	"errors"
	"fmt"

	pgpio "periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/gpio/gpioreg"

	"utfbench/internal/failure"
	"utfbench/transport"
)

// pins drives the lines one after another through periph.io. It is slow but works with any of periph's drivers.
//
// The drivers differ: on some a read turns an output into an input, on some an output begins low regardless of its
// level. Therefore driven pins are never read, and uio may glitch when the bench takes it over; this is harmless, since
// clk is low and the chip has released uio.
//
// A pin that cannot be read returns a low level without an error; periph's interface has none.
type pins struct {
	pin  [transport.LineN]pgpio.PinIO
	bias pgpio.Pull // of inputs; PullNoChange until the first pull
	ins  uint32     // inputs among uo and uio
}

func (p *pins) String() string {
	return fmt.Sprintf("pins %s to %s", p.pin[0].Name(), p.pin[transport.RstN].Name())
}

func (p *pins) readsDriven() bool { return false }

// openPins finds the pins by name and parks them.
func openPins(names map[string]string) (*pins, error) {
	p := &pins{bias: pgpio.PullNoChange}
	owner := map[string]string{}
	for i, s := range transport.Lines {
		pin := gpioreg.ByName(names[s])
		if pin == nil && len(gpioreg.All()) == 0 {
			return nil, errors.New("periph.io knows no pin of this machine: use -t gpio:lines, on the machine " +
				"that the chip is wired to")
		}
		if pin == nil {
			return nil, failure.Usagef("%s: periph.io knows no pin %q on this machine, but %d others: is it "+
				"the right board file?", s, names[s], len(gpioreg.All()))
		}
		if alias, ok := pin.(pgpio.RealPin); ok {
			pin = alias.Real()
		}
		if other, taken := owner[pin.Name()]; taken {
			return nil, failure.Usagef("pin %s is given to %s and to %s: give each signal a pin of its own",
				pin.Name(), other, s)
		}
		owner[pin.Name()] = s
		p.pin[i] = pin
	}
	if err := p.park(); err != nil {
		return nil, errors.Join(err, p.release())
	}
	return p, nil
}

// park releases the chip's lines before it drives the bench's.
func (p *pins) park() error {
	if err := p.in(transport.MaskUO | transport.MaskUIO); err != nil {
		return err
	}
	return p.set(0, maskOwn)
}

func (p *pins) in(mask uint32) error {
	for i := range p.pin {
		if mask>>i&1 == 0 {
			continue
		}
		if err := p.pin[i].In(p.bias, pgpio.NoEdge); err != nil {
			return p.failed(i, "an input", err)
		}
		p.ins |= 1 << i & (transport.MaskUO | transport.MaskUIO)
	}
	return nil
}

var biases = map[transport.Pull]pgpio.Pull{transport.PullNone: pgpio.Float, transport.PullUp: pgpio.PullUp,
	transport.PullDown: pgpio.PullDown}

func (p *pins) pull(to transport.Pull) error {
	p.bias = biases[to]
	return p.in(p.ins)
}

func (p *pins) set(levels, mask uint32) error {
	for i := range p.pin {
		if mask>>i&1 == 0 {
			continue
		}
		if err := p.pin[i].Out(levels>>i&1 != 0); err != nil {
			return p.failed(i, "an output", err)
		}
		p.ins &^= 1 << i
	}
	return nil
}

func (p *pins) failed(i int, what string, err error) error {
	return fmt.Errorf("making pin %s (%s) %s: %w", p.pin[i].Name(), transport.Lines[i], what, err)
}

func (p *pins) turn(levels, drive uint32) error {
	if err := p.in(transport.MaskUIO &^ drive); err != nil {
		return err
	}
	return p.set(levels, drive)
}

func (p *pins) read(drive uint32) (levels uint32, err error) {
	for i := transport.UO; i < transport.Clk; i++ {
		if drive>>i&1 == 0 && p.pin[i].Read() {
			levels |= 1 << i
		}
	}
	return levels, nil
}

// release releases as many lines as possible, despite errors.
func (p *pins) release() (err error) {
	for i := range p.pin {
		err = errors.Join(err, p.in(1<<i))
	}
	return err
}
