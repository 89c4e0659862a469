package cli

import (
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"utfbench/internal/printable"
)

// SettingsTable writes the value and origin of each flag that is set, or of all flags.
func SettingsTable(w io.Writer, flags *pflag.FlagSet, variables Variables, all bool) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	left, head := 0, "flag\tvalue\tfrom\n"
	flags.VisitAll(func(f *pflag.Flag) {
		value, from := origin(f, variables)
		if f.Name == "help" || f.Name == "all" {
			return
		}
		if from == byDefault && !all {
			left++
			return
		}
		if value == "" || value == "[]" {
			value = "-"
		}
		io.WriteString(table, head)
		head = ""
		fmt.Fprintf(table, "%s\t%s\t%s\n", f.Name, printable.Text(value), from)
	})
	if err := table.Flush(); err != nil || left == 0 {
		return err
	}
	_, err := fmt.Fprintf(w, "%d flags are at their default: --all lists them\n", left)
	return err
}

// byDefault is the origin of a value that is not set anywhere.
const byDefault = "default"

// origin returns a flag's value in a run, and its origin.
func origin(f *pflag.Flag, variables Variables) (value, from string) {
	variable, inVariable := variables.Of(f.Name)
	switch {
	case f.Changed:
		return f.Value.String(), "flag"
	case inVariable != "":
		return inVariable, "environment, " + variable
	}
	return f.Value.String(), cmp.Or(SetBy(f), byDefault)
}
