package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/internal/terminal"
	"utfbench/transport/rp2040/ports"
)

// auto selects the demo board that is plugged in. It never selects a header, which may have no chip, or a simulation.
const auto = "auto"

// takeAttached puts the chip that is attached to this machine in the place of auto.
func (t *target) takeAttached() error {
	if t.Transport != auto {
		if _, _, err := t.Kind(); err != nil {
			return fmt.Errorf("%w, and %s for the board that is plugged in", err, auto)
		}
		return nil
	}
	t.Transport = "rp2040"
	if t.Port != "" {
		return nil
	}
	list := findBoards()
	if len(list) == 0 {
		list, _ = ports.List() // for the message; what cannot be listed is not there
	}
	found, err := ports.Find(list, "")
	if err != nil {
		return benchFault(fmt.Errorf("transport auto: %w\n- Without a board, -t gpio is this machine's header, and "+
			"-t mock the model in memory", err))
	}
	t.Transport += ":" + found.Name
	return nil
}

// offerBoard offers, on a terminal without a named target, to test the one board that is plugged in.
func (t *target) offerBoard(cmd *cobra.Command) {
	boards := findBoards()
	if len(boards) != 1 || !byDefault(cmd) || !terminal.Is(cmd.InOrStdin()) || !terminal.Is(cmd.OutOrStdout()) {
		return
	}
	fmt.Fprintf(cmd.OutOrStdout(), "A board is plugged in at %s. Test its chip, in place of the model in memory "+
		"(-t mock)? [y/N] ", boards[0].Name)
	line, _ := bufio.NewReader(cmd.InOrStdin()).ReadString('\n') // no answer is no
	chosen := t.Transport
	if answer := strings.ToLower(strings.TrimSpace(line)); answer == "y" || answer == "yes" {
		chosen = "rp2040:" + boards[0].Name
	}
	_ = cmd.Flags().Set("transport", chosen) // it takes any text
}
