package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/boards"
	"utfbench/tile"
)

func newDesigns() *cobra.Command {
	var on, update string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "designs [PATTERN]",
		Short: "List the designs of Tiny Tapeout's shuttles",
		Long: `designs lists the designs of Tiny Tapeout's shuttles, by their public index: number on the mux, author's
clock, danger level, repository, fabricated commit, and of this project's chip the revision. --update
takes a newer index than the built-in one of 2026-05-25, from a checkout of
github.com/TinyTapeout/tinytapeout-index, for all later commands.

PATTERN is a part of the design's name or repository, or with *, ? or [ a glob for the whole of one of
them. Case does not count. A PATTERN from 0 to 1023 is a number on the mux, which a group and its
subtiles share. The designs of tt02, tt03 and tt03p5 are on a scan chain, and the bench
cannot select there.

Exit codes: 0 something is listed, 5 nothing fits.`,
		Example: `  bench designs hardware_utf8
  bench designs 207 --shuttle ttsky25b
  bench designs 'tt_um_*_cpu' --json
  bench designs --update tinytapeout-index`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if update != "" {
				return updateDesigns(cmd, update)
			}
			x, err := boards.Shuttles()
			if err != nil {
				return err
			}
			found, err := x.Find(on, strings.Join(args, ""))
			if err != nil {
				return err
			}
			list := boards.Listing{Designs: found,
				Revision: func(of *boards.Design) string { return tile.RevisionOf(usualTile, of.Name, of.Commit) }}
			return write(cmd, asJSON, list.WriteText, list.WriteJSON)
		},
	}
	cmd.Flags().StringVar(&on, "shuttle", "", "only this one, by the name in its chips' ROM, such as tt09")
	cmd.Flags().StringVar(&update, "update", "", "take the index of this checkout, and list nothing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "every design as a JSON object, one a line")
	return cmd
}

func updateDesigns(cmd *cobra.Command, checkout string) error {
	x, err := boards.UpdateShuttles(checkout)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "the index of %s is in use: shuttles %d, designs %d\n", x.Date(),
		len(x.Shuttles()), len(x.Designs()))
	return err
}
