// Package cmdline writes commands of bench that can be pasted into a shell, and takes the flags of a target back from
// one that was kept.
package cmdline

import (
	"regexp"
	"strings"

	"github.com/spf13/pflag"
)

// plain are words that no shell changes.
var plain = regexp.MustCompile(`^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$`)

// Line writes a command of bench for a shell.
func Line(words ...string) string {
	line := "bench"
	for _, w := range words {
		if !plain.MatchString(w) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		line += " " + w
	}
	return line
}

// Flag returns a flag as command-line words, with each of its values.
func Flag(f *pflag.Flag) (words []string) {
	for _, value := range Values(f) {
		switch {
		case f.NoOptDefVal == "":
			words = append(words, "--"+f.Name, value)
		case f.NoOptDefVal == value: // a switch takes no word of its own
			words = append(words, "--"+f.Name)
		default:
			words = append(words, "--"+f.Name+"="+value)
		}
	}
	return words
}

// Values returns the values of a repeatable flag, or its one value.
func Values(f *pflag.Flag) []string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}
