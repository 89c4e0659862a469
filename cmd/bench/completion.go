package main

import (
	"github.com/spf13/cobra"

	"utfbench/boards"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile"
)

// completeFlags has shells propose the values of the flags that have few, and otherwise files.
func completeFlags(cmd *cobra.Command) {
	var names []string
	for _, b := range boards.All() {
		names = append(names, b.Name)
	}
	for flag, values := range map[string][]string{"transport": append(native.KindNames(), native.Auto),
		"tile": station.TileNames(), "board": names, "revision": tile.Revisions(usual),
		"simulator": native.Simulators()} {
		if cmd.Flags().Lookup(flag) == nil && cmd.PersistentFlags().Lookup(flag) == nil {
			continue
		}
		err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveDefault))
		if err != nil {
			panic(err) // it is registered twice: a mistake in this program
		}
	}
	for _, below := range cmd.Commands() {
		completeFlags(below)
	}
}
