package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
)

func newTrust() *cobra.Command {
	return &cobra.Command{
		Use:   "trust DIR",
		Short: "Trust a folder's bench.yaml to run programs",
		Long: `A bench.yaml of the current folder may be a stranger's. If it names Verilog, a simulator, a tile, a
lab or a command, which all run what their author wants, the bench refuses it until you have read it
and trust it, with its present content. Other files that it names are not checked.`,
		Example: `  bench trust .`,
		RunE: func(cmd *cobra.Command, args []string) error {
			said, err := cli.TrustFolder(args[0])
			if err == nil {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), said)
			}
			return err
		},
	}
}
