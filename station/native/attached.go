package native

import (
	"fmt"

	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/transport/rp2040/ports"
)

// Auto stands for the demo board that is plugged in. It never selects a header, which may have no chip, or a
// simulation.
const Auto = "auto"

// TakeAttached puts the board that is plugged in, of boards, in the place of Auto.
func TakeAttached(t *station.Target, boards []ports.Port) error {
	if t.Transport != Auto {
		if _, _, err := t.Kind(); err != nil {
			return fmt.Errorf("%w, and %s for the board that is plugged in", err, Auto)
		}
		return nil
	}
	t.Transport = station.RP2040().Name
	if t.Port != "" {
		return nil
	}
	if len(boards) == 0 {
		boards, _ = ports.List() // for the message; what cannot be listed is not there
	}
	found, err := ports.Find(boards, "")
	if err != nil {
		return failure.New(failure.Bench, fmt.Errorf("transport auto: %w\n- Without a board, -t gpio is this "+
			"machine's "+
			"header, and -t mock the model in memory", err))
	}
	t.Transport += ":" + found.Name
	return nil
}
