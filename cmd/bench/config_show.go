package main

import (
	"github.com/spf13/cobra"

	"utfbench/internal/settings"
)

func newConfigShow(d *design) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "show [FLAG...]",
		Short:   "Show each flag of bench run, its value and its origin",
		Long:    "show takes the flags of bench run and says what a run with them would have. Nothing is run.",
		Example: "  bench config show --profile hot",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return settings.Table(cmd.OutOrStdout(), cmd.Flags(), allVariables)
		},
	}
	cmd.Flags().AddFlagSet(newRun(d).Flags())
	return cmd
}
