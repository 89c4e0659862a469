package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/boards/shuttles"
	"utfbench/internal/failure"
	"utfbench/station"
	"utfbench/tile"
)

func newDesigns(d *design) *cobra.Command {
	var on string
	var asJSON, clocks bool
	cmd := &cobra.Command{
		Use:   "designs [PATTERN]",
		Short: "List the designs of Tiny Tapeout's shuttles",
		Long: `designs lists the designs of Tiny Tapeout's shuttles, by their index of 2026-05-25: number on the mux,
author's clock, danger level, repository, fabricated commit, and of this project's chip the revision.

PATTERN is a part of the design's name or repository, or with *, ? or [ a glob for the whole of one of
them. Case does not count. With --shuttle, a PATTERN from 0 to 1023 is a number on the mux, which a
group and its subtiles share. The designs of tt02, tt03 and tt03p5 are on a scan chain, and the bench
cannot select there.

Exit codes: 0 something is listed, 2 bad input, 5 nothing fits.`,
		Example: `  bench designs hardware_utf8
  bench designs 207 --shuttle ttsky25b
  bench designs 'tt_um_*_cpu' --json
  bench designs --clocks --shuttle tt09`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON && clocks {
				return failure.Usagef("--clocks prints a table of boards, and --json the designs: give one of them")
			}
			x, err := shuttles.Load()
			if err != nil {
				return err
			}
			found, err := x.Find(on, strings.Join(args, ""))
			if err != nil {
				return err
			}
			list := shuttles.Listing{Designs: found,
				Revision: func(of *shuttles.Design) string { return tile.RevisionOf(d.tile, of.Name, of.Commit) }}
			if clocks {
				return write(cmd, false, func(w io.Writer) error { return station.WriteClocks(w, found) }, nil)
			}
			return write(cmd, asJSON, list.Text, list.JSON)
		},
	}
	cmd.Flags().StringVar(&on, "shuttle", "", "only this one, by the name in its chips' ROM, such as tt09")
	cmd.Flags().BoolVar(&clocks, "clocks", false, "how many of their clocks each demo board reaches")
	cmd.Flags().BoolVar(&asJSON, "json", false, "every design as a JSON object, one a line")
	return cmd
}
