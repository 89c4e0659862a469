package settings

import (
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"utfbench/internal/printable"
)

// Table writes the value of each flag, and where it comes from.
func Table(w io.Writer, flags *pflag.FlagSet, variables Variables) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "flag\tvalue\tfrom")
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" {
			return
		}
		value, from := origin(f, variables)
		if value == "" || value == "[]" {
			value = "-"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", f.Name, printable.Text(value), from)
	})
	return table.Flush()
}

// origin is the value that a flag has in a run, and where it comes from.
func origin(f *pflag.Flag, variables Variables) (value, from string) {
	variable, inVariable := variables.Of(f.Name)
	switch {
	case f.Changed:
		return f.Value.String(), "flag"
	case inVariable != "":
		return inVariable, "environment, " + variable
	}
	return f.Value.String(), cmp.Or(SetBy(f), "default")
}
