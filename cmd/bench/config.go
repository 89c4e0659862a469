package main

import (
	"github.com/spf13/cobra"

	"utfbench/internal/cli"
)

func newConfig(d *design) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show the flags of bench run",
		Long: `Values for flags stand in bench.yaml, in the current folder or else in the folder utfbench of the
user's configuration folder. A flag on the command line takes precedence over
a variable of the environment, then come the profile and the values at the top of the file.`,
		Example: `  # bench.yaml
  pulse: 500ns
  profiles:
    hot:
      tag: [temp=85]
      junit: hot.xml

  bench run --profile hot
  bench config show --profile hot`,
	}
	var all bool
	show := &cobra.Command{
		Use:   "show",
		Short: "Show which flags of bench run are set, and by what",
		Long: "show takes the flags of bench run and prints the values that a run would use. Nothing is run.  " +
			"--all lists the flags that are at their default too.",
		Example: "  bench config show --profile hot",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cli.SettingsTable(cmd.OutOrStdout(), cmd.Flags(), allVariables, all)
		},
	}
	show.Flags().BoolVar(&all, "all", false, "list the flags at their default too")
	show.Flags().AddFlagSet(newRun(d).Flags())
	cmd.AddCommand(show)
	return cmd
}
