package settings

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/spf13/pflag"
)

// flagIn finds flags in a message, and its first word, which may be that of a flag that has a variable.
var flagIn = regexp.MustCompile(`^([a-z]+)\b|--([a-z]+(?:-[a-z]+)*)`)

// Explain is a message for one who did not type each flag that it speaks of: it says where the others come from.
func (v Variables) Explain(message string, flags *pflag.FlagSet) string {
	told := map[string]bool{}
	for _, m := range flagIn.FindAllStringSubmatch(message, -1) {
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

// elsewhere is where the value of a flag comes from, if it is neither the command line nor the default.
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
