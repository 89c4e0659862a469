// Package printable is the one place where text of others becomes text for people. What a board, a recording or a
// file's name says may hold control characters; a terminal would obey them, and a page or a table would break, so that
// a board could forge a line of a report. Whatever takes such text in, from a board or a file, passes it through
// [Text].
package printable

import (
	"strconv"
	"strings"
	"unicode"
)

// Text shows each character that has no shape of its own, and each byte that is not UTF-8, as Go would write it: an ESC
// becomes \x1b. Spaces stay; line ends and the marks that turn the direction of writing do not.
func Text(s string) string {
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if !hidden(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRune(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// hidden are the characters without a shape; U+FFFD stands for what was not UTF-8.
func hidden(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }

// Lines is Text for a message that may have lines, as those of a compiler do: line ends and tabs stay.
func Lines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		parts := strings.Split(line, "\t")
		for j := range parts {
			parts[j] = Text(parts[j])
		}
		lines[i] = strings.Join(parts, "\t")
	}
	return strings.Join(lines, "\n")
}

// Count counts things, as in "1 vector" and "2 vectors".
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}
