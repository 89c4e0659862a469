package main

import (
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/printable"
)

func newConfigShow() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "show [FLAG...]",
		Short:   "Show the value of each flag of bench run, and where it comes from",
		Long:    "show takes the flags of bench run and says what a run with them would have. Nothing is run.",
		Example: "  bench config show --profile hot",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(table, "flag\tvalue\tfrom")
			cmd.Flags().VisitAll(func(f *pflag.Flag) { showFlag(table, f) })
			return table.Flush()
		},
	}
	cmd.Flags().AddFlagSet(newRun().Flags())
	return cmd
}

func showFlag(w io.Writer, f *pflag.Flag) {
	value, from := f.Value.String(), cmp.Or(setBy(f), "default")
	variable, inVariable := fromVariable(f.Name)
	switch {
	case f.Name == "help":
		return
	case f.Changed:
		from = "flag"
	case inVariable != "":
		value, from = inVariable, "environment, "+variable
	}
	if value == "" || value == "[]" {
		value = "-"
	}
	fmt.Fprintf(w, "%s\t%s\t%s\n", f.Name, printable.Text(value), from)
}
