package main

import (
	"github.com/spf13/cobra"

	"utfbench/internal/settings"
)

func newConfigShow(d *design) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "show [FLAG...]",
		Short: "Show which flags of bench run are set, and by what",
		Long: "show takes the flags of bench run and prints the values that a run would use. Nothing is run.  " +
			"--all lists the flags that are at their default too.",
		Example: "  bench config show --profile hot",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return settings.Table(cmd.OutOrStdout(), cmd.Flags(), allVariables, all)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "list the flags at their default too")
	cmd.Flags().AddFlagSet(newRun(d).Flags())
	return cmd
}
