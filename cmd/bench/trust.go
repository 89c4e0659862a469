package main

import (
	"fmt"
	"path/filepath"

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
and trust it: with the content that it has now. After a change it is not trusted any more. What the
files that it names hold is not looked at.`,
		Example: `  bench trust .
  bench trust --list
  bench trust --revoke .`,
		RunE: func(cmd *cobra.Command, args []string) error {
			known, err := settings.ReadTrust()
			switch {
			case err != nil:
				return benchFault(err)
			case list && (revoke || len(args) > 0):
				return failure.Usagef("--list takes neither --revoke nor a folder")
			case list:
				for _, line := range known.Lines() {
					fmt.Fprintln(cmd.OutOrStdout(), line)
				}
				return nil
			case len(args) == 0:
				return failure.Usagef("give the folder whose %s you have read, such as `bench trust .`, or --list",
					settings.FileName)
			}
			path := filepath.Join(args[0], settings.FileName)
			if revoke {
				return known.Revoke(path)
			}
			return trustFile(cmd, known, path)
		},
	}
	cmd.Flags().BoolVar(&list, "list", false, "list the trusted files, and whether they have changed since")
	cmd.Flags().BoolVar(&revoke, "revoke", false, "trust the folder no more")
	return cmd
}

// trustFile trusts a file and prints what that lets it set.
func trustFile(cmd *cobra.Command, known *settings.Trust, path string) error {
	f, err := known.Add(path)
	if err != nil {
		return failure.Usage(err)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is trusted as it is now: %s\n", path, f)
	return err
}
