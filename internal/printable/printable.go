// Package printable makes foreign text safe to print. Text from a board, a recording or a file name may contain control
// characters that a terminal obeys, or that break a page or table, so that a board could forge a line of a report.
// Whatever reads such text passes it through [Text].
package printable

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
)

// Text escapes invisible characters and invalid UTF-8 as Go does: an ESC becomes \x1b. Spaces stay; line ends and
// bidirectional marks do not.
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

// hidden reports invisible characters; U+FFFD stands for invalid UTF-8.
func hidden(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }

// Lines cleans a message of several lines, such as a compiler's. Line ends and tabs stay.
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

// Count formats a number of things, such as "1 vector" and "2 vectors".
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}

// Natural compares names in natural order: b2 comes before b10.
func Natural(a, b string) int {
	for a != "" && b != "" {
		if m, n := digits(a), digits(b); m > 0 && n > 0 {
			x, y := strings.TrimLeft(a[:m], "0"), strings.TrimLeft(b[:n], "0")
			if by := cmp.Or(len(x)-len(y), strings.Compare(x, y)); by != 0 {
				return by
			}
			a, b = a[m:], b[n:]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
