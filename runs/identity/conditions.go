package identity

import (
	"slices"
	"strings"
)

// Conditions returns the flags among a target's words that set speed and waits.
func Conditions(words []string) string {
	var all []string
	for _, flag := range []string{"--at", "--sample", "--lead", "--settle", "--pulse"} {
		if i := slices.Index(words, flag); i >= 0 && i+1 < len(words) {
			all = append(all, flag, words[i+1])
		}
	}
	return strings.Join(all, " ")
}
