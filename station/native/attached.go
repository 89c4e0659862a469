package native

import (
	"fmt"
	"strings"

	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/tile"
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
			"machine's header, -t lab:BOARD a board of a lab (bench lab boards lists them), and -t mock the model in "+
			"memory", err))
	}
	t.Transport += ":" + found.Name
	return nil
}

// MeantFlag returns the flag that a word without one looks like a value of, and the value; "" if none. The suites are a
// tile's.
func MeantFlag(of tile.Tile, word string) (flag, value string) {
	var suites []string
	if all, err := tile.Suites(of); err == nil {
		for _, s := range all {
			suites = append(suites, s.Name)
		}
	}
	_, isKind := kind(word)
	switch suite := failure.Nearest(word, suites); {
	case isKind || word == Auto:
		return "transport", word
	case strings.HasSuffix(word, ".vec"):
		return "file", word
	case strings.ContainsAny(word, "=~<"):
		return "fault", word
	case suite != "":
		return "suite", suite
	case strings.Contains(word, "/"):
		return "run", word
	}
	return "", word
}
