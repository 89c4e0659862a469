package station

import (
	"context"

	"utfbench/boards"
	"utfbench/transport"
)

// A Kind is a kind of transport. Only Open is required; other fields may be zero.
type Kind struct {
	Name         string // KIND of KIND[:WHERE]
	DefaultBoard string // if the user names none; "" if the transport detects it
	HasWires     bool   // wires may be at fault, and another design may respond
	Reopenable   bool   // may be opened several times
	IsModel      bool   // the chip is the tile's own reference
	Simulated    bool   // the chip is a design in memory, without wires
	Recorded     bool   // the chip is a recorded run

	// Options names the options of a Target, or of bench run, that this kind uses and some others do not.
	Options         []string
	RunsForeignCode bool // opening one runs code by the author of its files

	// Open opens the transport at WHERE. The chip has its board (nil if neither Kind nor the user names one), its
	// revision and its faults; Open adds the remaining fields.
	Open func(ctx context.Context, t *Target, where string, c *Chip) (transport.Transport, error)

	// CheckFaults checks faults that the kind itself injects. Without it none can be injected.
	CheckFaults func(t *Target, c *Chip) error
	// CheckBoard finds mistakes in a board's file that only the transport can detect.
	CheckBoard func(b *boards.Board) error
	// DeviceName names the device that an open target occupies, see Target.DeviceName. AbsenceReason returns why the
	// device may be missing.
	DeviceName    func(t *Target, where string) string
	AbsenceReason func(t *Target, where string) error
	// Park parks the chip and describes the parked state, without selecting a design; see Target.Park. Reboot makes a
	// board start as at power-up.
	Park, Reboot func(ctx context.Context, t *Target, where string) (state string, err error)
	// HasFactoryTest reports whether the chip's factory test can be selected and run.
	HasFactoryTest func(t *Target, c *Chip) bool

	examine func(ctx context.Context, e *examination, where string) (*Chip, error)
}

// Kinds returns the kinds that need only serial ports. Package native has the others.
func Kinds() []Kind { return []Kind{Mock(), RP2040(), Netlist(), Replay()} }

// kinds returns the allowed kinds.
func (t *Target) kinds() []Kind {
	if t.Kinds == nil {
		return Kinds()
	}
	return t.Kinds
}

// StartActivity shows a lengthy activity to the user until done is called, if Target.ShowActivity is set.
func (t *Target) StartActivity(what string) (done func()) {
	if t.ShowActivity == nil {
		return func() {}
	}
	return t.ShowActivity(what)
}
