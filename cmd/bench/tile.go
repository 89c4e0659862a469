package main

import "github.com/spf13/cobra"

func newTile(d *design) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tile",
		Short: "Show or check a tile",
		Long: `A tile is a design of Tiny Tapeout: by default the UTF chip, with --tile any other, by the folder
that has its info.yaml. docs/tiles.md says what a bench-tile.yaml beside it may add.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTileShow(d), newTileCheck(d))
	return cmd
}
