package station

import (
	"context"

	"utfbench/boards"
	"utfbench/transport"
)

// A Kind is a way to reach a chip. Only Open is required; the zero value of any other field is the usual case.
type Kind struct {
	Name       string // KIND of KIND[:WHERE]
	Board      string // if the user names none; "" if the transport finds out itself
	HasWires   bool   // between bench and chip, so that they may be at fault, and another design may answer
	Reopenable bool   // may be opened several times
	IsModel    bool   // is the tile's own reference
	Simulated  bool   // is a design in memory, which has no wires
	Recorded   bool   // is a run that was recorded

	// Options names the options of a Target, or of bench run, that only some kinds use, this one among them.
	Options         []string
	RunsForeignCode bool // opening one runs code by the author of its files

	// Open opens the transport at WHERE. The chip has its board (nil if neither Kind nor the user names one), its
	// revision and its faults; Open adds what else becomes known of it.
	Open func(ctx context.Context, t *Target, where string, c *Chip) (transport.Transport, error)

	// Faults checks faults that the kind itself injects. Without it none can be injected.
	Faults func(t *Target, c *Chip) error
	// Check finds those mistakes in a board's file that only the transport can know.
	Check func(b *boards.Board) error
	// Device names the device that an open target occupies, see Target.Device. AbsenceReason returns why the device may
	// be missing.
	Device        func(t *Target, where string) string
	AbsenceReason func(t *Target, where string) error
	// Park parks the chip and describes the parked state, without selecting a design; see Target.Park. Reboot makes a
	// board start as at power-up.
	Park, Reboot func(ctx context.Context, t *Target, where string) (state string, err error)
	// HasFactoryTest reports whether the chip's factory test can be selected and run.
	HasFactoryTest func(t *Target, c *Chip) bool

	examine func(ctx context.Context, e *examination, where string) (*Chip, error)
}

// Kinds returns the kinds that need nothing of a machine but its serial ports. Package native has the others.
func Kinds() []Kind { return []Kind{Mock(), RP2040(), Netlist(), Replay()} }

// kinds returns the kinds that the target may be of.
func (t *Target) kinds() []Kind {
	if t.Kinds == nil {
		return Kinds()
	}
	return t.Kinds
}

// StartActivity tells the user what takes seconds, if Target.ShowActivity is set.
func (t *Target) StartActivity(what string) (done func()) {
	if t.ShowActivity == nil {
		return func() {}
	}
	return t.ShowActivity(what)
}
