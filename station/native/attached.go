package native

import (
	"fmt"
	"path/filepath"

	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/transport/rp2040/demoboard"
)

// AutoTransport is the transport of the only demo board that is plugged in. It selects neither a header, which may have
// no chip, nor a simulation. Without a board, the error lists these.
const AutoTransport = "auto"

// ResolveAuto replaces AutoTransport with the transport of the only board that is plugged in.
func ResolveAuto(t *station.Target, boards []demoboard.Port) error {
	if t.Transport != AutoTransport {
		if _, _, err := t.FindKind(); err != nil {
			return fmt.Errorf("%w, and %s for the board that is plugged in", err, AutoTransport)
		}
		return nil
	}
	t.Transport = station.RP2040().Name
	none := len(boards) == 0
	if none {
		boards, _ = demoboard.Ports() // for the message; empty after an error
	}
	found, err := demoboard.FindPort(boards, "")
	switch {
	case err == nil:
		t.Transport += ":" + found.Name
		return nil
	case none:
		err = fmt.Errorf("%w%s", err, otherTargets())
	}
	return failure.New(failure.Bench, fmt.Errorf("transport %s: %w", AutoTransport, err))
}

// otherTargets lists the targets on this machine other than boards.
func otherTargets() (text string) {
	if chips, _ := filepath.Glob("/dev/gpiochip*"); chips != nil {
		text += "\n- A chip at this machine's header: -t gpio"
	}
	return text + "\n- Without a chip, the model in memory: -t mock"
}
