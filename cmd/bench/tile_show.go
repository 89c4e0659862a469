package main

import (
	"github.com/spf13/cobra"

	"utfbench/station/native"
)

func newTileShow(d *design) *cobra.Command {
	return &cobra.Command{
		Use:   "show",
		Short: "Show a tile, pin by pin",
		Long: `show prints the tile's name, its sources, how it is reset, and for each line what its author calls
it and who drives it, as far as constants in its Verilog say. A simulator reads the sources, and
nothing of them is executed.

Exit codes: 0 it was understood, 2 bad input, 3 no simulator.`,
		Example: `  bench tile show --tile .`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return native.ShowTile(cmd.OutOrStdout(), d.tile)
		},
	}
}
