package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/station/native"
	"utfbench/tile/pack"
)

func newShuttlePack(d *design) *cobra.Command {
	var out string
	var budget time.Duration
	cmd := &cobra.Command{
		Use:   "pack REPOSITORY",
		Short: "Pack the fabricated netlists of a shuttle into one file",
		Long: `pack compiles the netlist of each design of a shuttle's repository, and writes those that can be judged
by their gates into one file: --tile FILE.pack:NAME is a design of it. The others are listed with the
reason. --budget searches vectors for each design with state, as bench explore does.`,
		Example: `  bench shuttle pack tinytapeout-09 --out tt09.pack
  bench shuttle pack tinytapeout-09 --out tt09.pack --budget 10s
  bench run --tile tt09.pack:tt_um_example -t rp2040`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var x *pack.Index
			err := files.WriteWith(out, 0, func(w io.Writer) (err error) {
				bar := d.progress.NewBar(0, "packing "+args[0]+", designs")
				defer bar.End()
				var search pack.Search
				if budget > 0 {
					search = native.CachedSearch(cmd.Context(), budget)
				}
				x, err = pack.Make(args[0], w, search, bar.Set)
				return err
			})
			if err == nil {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s; next: %s\n", out, x,
					printable.Command("shuttle", "show", out))
			}
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "shuttle.pack", "write the pack to this file")
	cmd.Flags().DurationVar(&budget, "budget", 0, "search vectors for each design, which take at most this `TIME` "+
		"on a board, as does the search (default: none)")
	return cmd
}

func newShuttlePackCheck(d *design) *cobra.Command {
	return &cobra.Command{
		Use:   "check PACK",
		Short: "Check that a pack is whole",
		Long: `check reads all of a pack, compares it with the hashes in its index, and compiles each design.

Exit codes: 0 it is whole, 2 it is not, or other bad input.`,
		Example: `  bench shuttle check tt09.pack`,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := pack.Open(args[0])
			if err != nil {
				return err
			}
			defer p.Close()
			defer d.ShowActivity("checking " + args[0])()
			if err := p.Check(); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is whole: %s; SHA-256 %s\n", p.Path, &p.Index, p.Digest)
			return err
		},
	}
}

func newShuttlePackShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "show PACK",
		Short:   "List the designs of a pack, and those left out",
		Example: `  bench shuttle show tt09.pack`,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := pack.Open(args[0])
			if err != nil {
				return err
			}
			defer p.Close()
			return write(cmd, asJSON, p.WriteTable, asDocument(struct {
				files.DocumentHead
				pack.Index
				Digest string `json:"sha256"`
			}{head(), p.Index, p.Digest}))
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}
