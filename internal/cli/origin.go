package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"utfbench/internal/lazy"
)

// flagIn matches flags in a message, and its first word, which may be a flag with a variable.
var flagIn = lazy.Regexp(`^([a-z]+)\b|--([a-z]+(?:-[a-z]+)*)`)

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
