package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/tile/gates"
)

func newTile(d *design) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tile",
		Short: "Show a tile, pin by pin",
		Long: `tile prints a tile's name, its sources, how it is reset, and for each line what its author calls it and,
by its gates, who drives it. A tile is a design of Tiny Tapeout, by the folder that has its info.yaml;
docs/tiles.md says what a bench-tile.yaml beside it may add.`,
		Example: `  bench tile --tile .`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return gates.Show(cmd.OutOrStdout(), d.Tile)
		},
	}
	d.tileFlag(cmd)
	cmd.AddCommand(newTileCheck(d))
	return cmd
}

func newTileCheck(d *design) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check a tile's description and its gates",
		Long: `check prints FILE:LINE: and what is missing in the description and, by the gates, latches, registers that
nothing sets, an inverted reset, and outputs without a driver. A lint of the sources is Verilator's task
(verilator --lint-only -Wall).

Exit codes: 0 nothing was found, 1 something was.`,
		Example: `  bench tile check --tile .`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, err := gates.CheckTile(d.Tile)
			if err != nil {
				return err
			}
			if also := gates.UnlistedFilesNote(d.Tile); also != "" {
				fmt.Fprintln(cmd.OutOrStdout(), also)
			}
			for _, f := range found {
				fmt.Fprintln(cmd.OutOrStdout(), f)
			}
			notes, verdict := gates.NamingNotes(d.Tile)
			for _, note := range notes {
				fmt.Fprintln(cmd.OutOrStdout(), note)
			}
			if len(found) > 0 {
				return failure.AlreadyPrinted(failure.Chip)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", d.Tile.Name(), verdict)
			return err
		},
	}
	d.tileFlag(cmd)
	return cmd
}
