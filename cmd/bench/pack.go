package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/document"
	"utfbench/internal/printable"
	"utfbench/tile/pack"
)

func newPack() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "pack REPOSITORY",
		Short: "Pack the fabricated netlists of a shuttle into one file",
		Long: `pack reads the repository of a shuttle, such as tinytapeout-09, compiles the netlist of each design
in projects/, and writes those that can be judged by their gates into one file, with what their
authors say of them. --tile FILE.pack:NAME is a design of it then: no simulator, no checkout.
Designs that are analog, have macros or no netlist are left out and listed with the reason. The same
repository gives the same file.

Exit codes: 0 it was written, 2 bad input.`,
		Example: `  bench pack tinytapeout-09 --out tt09.pack
  bench run --tile tt09.pack:tt_um_example -t rp2040`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var x *pack.Index
			err := writeFile(out, func(w io.Writer) (err error) {
				defer cli.Working("packing " + args[0])()
				x, err = pack.Make(args[0], w, nil)
				return err
			})
			if err == nil {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s; next: %s\n", out, x,
					printable.Command("pack", "show", out))
			}
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "shuttle.pack", "write the pack to this file")
	cmd.AddCommand(newPackShow())
	return cmd
}

func newPackShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show PACK",
		Short: "List the designs of a pack, and those left out",
		Long: `show lists the designs of a pack, with flip-flops, clock and danger level, and the designs of the
shuttle that were left out, with the reason.

Exit codes: 0 it was listed, 2 bad input.`,
		Example: `  bench pack show tt09.pack`,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := pack.Open(args[0])
			if err != nil {
				return err
			}
			defer p.Close()
			return write(cmd, asJSON, p.Table, asDocument(struct {
				document.Head
				pack.Index
				Digest string `json:"sha256"`
			}{head(), p.Index, p.Digest}))
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}
