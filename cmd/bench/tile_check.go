package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/station/native"
)

func newTileCheck(d *design) *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Check a tile's description, and its sources for what silicon does not do",
		Long: `check prints FILE:LINE: and what is missing, what simulates otherwise than silicon behaves, such as an
initial value, and what acts on the machine that simulates it, such as $system. They are hints: a
line that looks like one may be none. Files that info.yaml does not list are named. Nothing of the
tile is executed.

Exit codes: 0 nothing was found, 1 something was, 2 bad input.`,
		Example: `  bench tile check --tile .`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, err := native.CheckTile(d.tile)
			if err != nil {
				return err
			}
			if also := station.AlsoRead(d.tile); also != "" {
				fmt.Fprintln(cmd.OutOrStdout(), also)
			}
			for _, f := range found {
				fmt.Fprintln(cmd.OutOrStdout(), f)
			}
			if len(found) > 0 {
				return failure.Told(failure.Chip)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: nothing is missing\n", d.tile.Name())
			return nil
		},
	}
}
