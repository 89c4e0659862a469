package main

import (
	"strings"

	"github.com/spf13/cobra"

	"utfbench/boards"
	"utfbench/tile"
)

func newDesigns() *cobra.Command {
	var on string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "designs [PATTERN]",
		Short: "List the designs of Tiny Tapeout's shuttles",
		Long: `designs lists the designs of Tiny Tapeout's shuttles, by their public index of 2026-05-25. PATTERN is
a number on the mux from 0 to 1023, or a part of the design's name or repository.

Exit codes: 0 something is listed, 5 nothing fits.`,
		Example: `  bench designs hardware_utf8
  bench designs 207 --shuttle ttsky25b
  bench designs _cpu --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			found, err := boards.Shuttles().Find(on, strings.Join(args, ""))
			if err != nil {
				return err
			}
			list := boards.Listing{Designs: found,
				Revision: func(of *boards.Design) string { return tile.RevisionOf(usualTile, of.Name, of.Commit) }}
			return write(cmd, asJSON, list.WriteText, list.WriteJSON)
		},
	}
	cmd.Flags().StringVar(&on, "shuttle", "", "only this one, by the name in its chips' ROM, such as tt09")
	cmd.Flags().BoolVar(&asJSON, "json", false, "every design as a JSON object, one a line")
	return cmd
}
