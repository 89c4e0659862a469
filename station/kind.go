package station

import (
	"context"

	"utfbench/boards"
	"utfbench/transport"
)

// A Kind is a kind of transport. Only Name and Open are required.
type Kind struct {
	Name         string // the KIND in KIND[:WHERE]
	DefaultBoard string // default board; "" if Open sets the chip's board
	HasWires     bool   // real wires, which are checked before a run; another design may respond
	Reopenable   bool   // several may be open at the same WHERE at once
	IsModel      bool   // the chip is the reference of the tile itself
	Simulated    bool   // the chip is a simulated design, without wires
	Recorded     bool   // the chip is a recorded run

	// Options lists the options of a Target that this kind uses. It omits --fault, and options that all kinds use.
	Options         []string
	RunsForeignCode bool // opening it runs code from the author of its files

	// Open opens the transport at WHERE. c has its revision, its faults and its board, which Open sets if neither the
	// Kind nor the user names one. Open may also set what it learns, such as the firmware.
	Open func(ctx context.Context, t *Target, where string, c *Chip) (transport.Transport, error)

	// CheckFaults checks faults that the kind itself injects, and may set c.Faults. If nil, the kind injects none.
	CheckFaults func(t *Target, c *Chip) error
	// CheckBoard finds the mistakes in a board's file that only the transport can detect.
	CheckBoard func(b *boards.Board) error
	// DeviceName names the device that the target occupies while it is open; by default it is Name if the kind HasWires
	// and is not Reopenable, else none. See Target.DeviceName. AbsenceReason returns the reason why the device is
	// missing, or nil.
	DeviceName    func(t *Target, where string) string
	AbsenceReason func(t *Target, where string) error
	// Park parks the chip without selecting a design, and describes the result; see Target.Park. Reboot restarts the
	// board as if after power-up.
	Park, Reboot func(ctx context.Context, t *Target, where string) (state string, err error)
	// HasFactoryTest reports whether the bench can select and run the chip's factory test.
	HasFactoryTest func(t *Target, c *Chip) bool

	examine func(ctx context.Context, e *examination, where string) (*Chip, error)
}

// Kinds returns the kinds that need at most a serial port. Package native provides the others.
func Kinds() []Kind { return []Kind{Mock(), RP2040(), Netlist(), Replay()} }

func (t *Target) kinds() []Kind {
	if t.Kinds == nil {
		return Kinds()
	}
	return t.Kinds
}

// StartActivity calls ShowActivity if it is set, to show a lengthy activity to the user until done is called.
func (t *Target) StartActivity(what string) (done func()) {
	if t.ShowActivity == nil {
		return func() {}
	}
	return t.ShowActivity(what)
}
