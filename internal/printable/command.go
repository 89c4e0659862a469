package printable

import (
	"strings"

	"utfbench/internal/lazy"
)

// plain matches words that no shell changes.
var plain = lazy.Regexp(`^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$`)

// Command returns a command of bench that can be pasted into a shell.
func Command(words ...string) string {
	line := "bench"
	for _, w := range words {
		if !plain().MatchString(w) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		line += " " + w
	}
	return line
}
