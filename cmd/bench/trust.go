package main

import (
	"strings"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/internal/settings"
)

func newTrust() *cobra.Command {
	var list, revoke bool
	cmd := &cobra.Command{
		Use:   "trust [DIR]",
		Short: "Trust a folder's bench.yaml to run programs",
		Long: `A bench.yaml of the current folder may be a stranger's. If it names Verilog, a simulator, a tile, a
lab or a command, which all run what their author wants, the bench refuses it until you have read it
and trust it, with its present content. Other files that it names are not checked.`,
		Example: `  bench trust .
  bench trust --list
  bench trust --revoke .`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if list && (revoke || len(args) > 0) {
				return failure.Usagef("--list takes neither --revoke nor a folder")
			}
			said, err := settings.ChangeTrust(strings.Join(args, ""), revoke, list)
			tellLines(cmd.OutOrStdout(), said)
			return err
		},
	}
	cmd.Flags().BoolVar(&list, "list", false, "list the trusted files, and whether they have changed since")
	cmd.Flags().BoolVar(&revoke, "revoke", false, "trust the folder no more")
	return cmd
}
