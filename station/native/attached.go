package native

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/tile"
	"utfbench/transport/lab"
	"utfbench/transport/rp2040/demoboard"
)

// Auto stands for the demo board that is plugged in. It never selects a header, which may have no chip, or a
// simulation; without a board it names them, and offers the only free board of a lab.
const Auto = "auto"

// TakeAttached puts the board that is plugged in, of boards, in the place of Auto. Without one, ask decides whether the
// only free board of the remembered lab is taken.
func TakeAttached(ctx context.Context, t *station.Target, boards []demoboard.Port,
	ask func(question string) bool) error {
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
	none := len(boards) == 0
	if none {
		boards, _ = demoboard.Ports() // for the message; what cannot be listed is not there
	}
	found, err := demoboard.FindPort(boards, "")
	switch {
	case err == nil:
		t.Transport += ":" + found.Name
		return nil
	case none:
		free := freeBoards(ctx, &t.Lab)
		if only := onlyChip(free); only != "" && ask("No board is plugged in. Use "+only+", a free board of the lab?") {
			t.Transport = only
			return nil
		}
		err = fmt.Errorf("%w%s", err, elsewhere(free))
	}
	return failure.New(failure.Bench, fmt.Errorf("transport %s: %w", Auto, err))
}

// labPatience is the maximum time for a lab that nobody named.
const labPatience = 2 * time.Second

// freeBoards returns the free boards of the remembered lab; none without one that responds.
func freeBoards(ctx context.Context, l *station.Lab) (free []lab.Board) {
	if _, err := lab.Open(l.Invitation); err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, labPatience)
	defer cancel()
	list, err := Boards(ctx, l)
	if err != nil {
		return nil
	}
	for _, b := range list.Boards {
		if b.State == lab.Free {
			free = append(free, b)
		}
	}
	return free
}

// onlyChip returns the target of the only board with a chip, or "".
func onlyChip(free []lab.Board) (only string) {
	for i := range free {
		switch {
		case free[i].Kind == station.Mock().Name:
		case only != "":
			return ""
		default:
			only = Lab().Name + ":" + free[i].String()
		}
	}
	return only
}

// mostFree is the maximum number of a lab's boards in a message.
const mostFree = 3

// elsewhere lists targets besides boards at this machine.
func elsewhere(free []lab.Board) (text string) {
	for i := range free[:min(len(free), mostFree)] {
		text += fmt.Sprintf("\n- Free in the lab: -t lab:%s (%s)", &free[i], free[i].What)
	}
	if len(free) > mostFree {
		text += fmt.Sprintf("\n- %d more are free: bench lab boards", len(free)-mostFree)
	}
	if chips, _ := filepath.Glob("/dev/gpiochip*"); chips != nil {
		text += "\n- A chip at this machine's header: -t gpio"
	}
	return text + "\n- Without a chip, the model in memory: -t mock"
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
