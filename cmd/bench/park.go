package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newPark(d *design) *cobra.Command {
	var t target
	var reboot bool
	cmd := &cobra.Command{
		Use:   "park",
		Short: "Park a board in any state",
		Long: `park interrupts what runs on a board and parks the chip: reset held, ui low, uio released, clk
not driven. The design stays selected. Where the board's wiring is not known, all its pins are
released instead.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := t.ready(cmd); err != nil {
				return err
			}
			do := t.Park
			if reboot {
				do = t.Reboot
			}
			state, err := do(cmd.Context())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), state)
			return err
		},
	}
	cmd.Flags().BoolVar(&reboot, "reboot", false, "of a demo board: run main.py as at power-up, which restores tt")
	of := *d
	of.Transport = "rp2040"
	t.flags(cmd, &of, "at", "define", "design", "fault", "insist", "lead", "pulse", "revision", "sample", "seed",
		"settle", "simulator", "tile")
	return cmd
}
