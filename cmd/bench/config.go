package main

import "github.com/spf13/cobra"

func newConfig(d *design) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the flags of bench run",
		Long: `Values for flags stand in bench.yaml, in the current folder or else in the folder utfbench of the
user's folder for configuration. A flag on the command line counts before a variable of the
environment, that before the profile, that before what the file says for all runs.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newConfigShow(d))
	return cmd
}
