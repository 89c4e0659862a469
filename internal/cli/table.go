package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
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

// flagIn matches flags in a message, and its first word, which may be a flag with a variable.
var flagIn = printable.Regexp(`^([a-z]+)\b|--([a-z]+(?:-[a-z]+)*)`)

// Explain adds to a message the origins of its flags that the user did not type.
func (v Variables) Explain(message string, flags *pflag.FlagSet) string {
	told := map[string]bool{}
	for _, m := range flagIn().FindAllStringSubmatch(message, -1) {
		f := flags.Lookup(m[1] + m[2])
		if f == nil || told[f.Name] || m[2] == "" && !slices.Contains(v, f.Name) {
			continue
		}
		told[f.Name] = true
		if from := v.elsewhere(f); from != "" {
			message += fmt.Sprintf(" (--%s comes from %s)", f.Name, from)
		}
	}
	return message
}

// elsewhere returns the origin of a flag's value, unless it is the command line or the default.
func (v Variables) elsewhere(f *pflag.Flag) string {
	if from := SetBy(f); from != "" {
		return from
	}
	variable, value := v.Of(f.Name)
	if f.Changed || value == "" {
		return ""
	}
	return "the variable " + variable
}
