package main

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/boards/shuttles"
	"utfbench/internal/failure"
	"utfbench/tile"
)

func newDesigns(d *design) *cobra.Command {
	var on string
	var asJSON, clocks bool
	cmd := &cobra.Command{
		Use:   "designs [PATTERN]",
		Short: "List the designs of Tiny Tapeout's shuttles",
		Long: `designs lists the designs of Tiny Tapeout's shuttles: the number that selects one on the mux,
the clock that it asks for, its danger level, its repository, and the commit that was
fabricated; of this project's chip the revision too. It asks no board: what it knows is the
shuttles' index, state of 2026-05-25.

PATTERN is a part of the design's name or repository; with one of *?[ in it, it is a glob for
the whole of one of them. Case does not count. With --shuttle, a PATTERN from 0 to 1023 is a
number on the mux, which a group and its subtiles share.

--clocks prints instead how many of these designs each demo board clocks at the speed that their
authors state (bench run --at author).

On tt02, tt03 and tt03p5 the designs hang on a scan chain: the bench cannot select there.

Exit codes: 0 something is listed, 2 bad input, 5 nothing fits.`,
		Example: `  bench designs hardware_utf8
  bench designs 207 --shuttle ttsky25b
  bench designs 'tt_um_*_cpu' --json
  bench designs --clocks --shuttle tt09`,
		Args: takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			found, err := findDesigns(d.tile, on, strings.Join(args, ""))
			if err != nil {
				return err
			}
			write := found.Text
			switch {
			case asJSON && clocks:
				return failure.Usagef("--clocks prints a table of boards, and --json the designs: give one of them")
			case asJSON:
				write = found.JSON
			case clocks:
				write = func(w io.Writer) error { return writeClocks(w, found.Designs) }
			}
			w := bufio.NewWriter(cmd.OutOrStdout())
			if err := write(w); err != nil {
				return err
			}
			return w.Flush()
		},
	}
	cmd.Flags().StringVar(&on, "shuttle", "", "only this one, by the name in its chips' ROM, such as tt09")
	cmd.Flags().BoolVar(&clocks, "clocks", false, "how many of their clocks each demo board reaches")
	cmd.Flags().BoolVar(&asJSON, "json", false, "every design as a JSON object, one a line")
	return cmd
}

// findDesigns returns the designs to list, at least one, with the tile's revisions.
func findDesigns(t tile.Tile, on, pattern string) (*shuttles.Listing, error) {
	x, err := shuttles.Load()
	if err != nil {
		return nil, benchFault(err)
	}
	found, err := x.Find(on, pattern)
	var none shuttles.NoneError
	if errors.As(err, &none) {
		return nil, failure.New(failure.Nothing, err)
	}
	return &shuttles.Listing{Designs: found, Revision: func(d *shuttles.Design) string { return revisionOf(t, d) }}, err
}

// revisionOf returns a design's revision in words, and none if the design is not the tile.
func revisionOf(t tile.Tile, d *shuttles.Design) string {
	own := t.(tile.Fabricated)
	if d.Name != own.Project() {
		return ""
	}
	if r, known := own.OfCommit(d.Commit); known {
		return r.Revision()
	}
	return "unknown"
}
