package main

import (
	"github.com/spf13/cobra"

	"utfbench/internal/document"
	"utfbench/tile/pack"
)

func newPackShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show PACK",
		Short: "List the designs of a pack, and those left out",
		Long: `show lists the designs that a pack has, with flip-flops, clock and danger level, and then what of the
shuttle it has not, and why.

Exit codes: 0 it was listed, 2 bad input.`,
		Example: `  bench pack show tt09.pack`,
		Args:    takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := pack.Open(args[0])
			if err != nil {
				return err
			}
			defer p.Close()
			if asJSON {
				return document.Write(cmd.OutOrStdout(), struct {
					document.Head
					pack.Index
					Digest string `json:"sha256"`
				}{head(), p.Index, p.Digest})
			}
			return p.Table(cmd.OutOrStdout())
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}
