// Package printable makes foreign text safe to print. Text from a board, a recording or a file name may contain control
// characters that a terminal obeys, or that break a page or table, so that a board could forge a line of a report. Code
// that reads such text passes it through [Text].
package printable

import (
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Text escapes invisible characters and invalid UTF-8 as Go does: an ESC becomes \x1b. It keeps spaces, but escapes
// line ends and bidirectional marks.
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

// hidden reports whether a character is invisible, or U+FFFD, which stands for invalid UTF-8.
func hidden(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }

// maxWord is the maximum length of a word in a message, in bytes: a foreign file may contain a word of a megabyte.
const maxWord = 1000

// Lines cleans a message of several lines, such as a compiler's. It keeps line ends and tabs, and cuts very long words.
func Lines(s string) string {
	lines := strings.Split(longWord().ReplaceAllStringFunc(s, shortened), "\n")
	for i, line := range lines {
		parts := strings.Split(line, "\t")
		for j := range parts {
			parts[j] = Text(parts[j])
		}
		lines[i] = strings.Join(parts, "\t")
	}
	return strings.Join(lines, "\n")
}

// longWord matches words that shortened cuts.
var longWord = LazyRegexp(fmt.Sprintf(`\S{%d}\S+`, maxWord))

func shortened(word string) string {
	return fmt.Sprintf("%s... (%d bytes)", strings.ToValidUTF8(word[:100], ""), len(word))
}

// Count formats a number of things, as in "1 vector" and "2 vectors".
func Count(n int, thing string) string { return Plural(n, thing, thing+"s") }

// Plural formats a number of things with the singular or the plural.
func Plural(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return strconv.Itoa(n) + " " + many
}

// XML escapes a text for an XML document, such as a picture. Characters that XML forbids become U+FFFD.
func XML(text string) string {
	var s strings.Builder
	_ = xml.EscapeText(&s, []byte(text)) // writing to a strings.Builder never fails
	return s.String()
}

// CompareNatural compares names in natural order: b2 comes before b10.
func CompareNatural(a, b string) int {
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

// plain matches words that need no quotes in a POSIX shell.
var plain = LazyRegexp(`^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$`)

// List joins words with commas, and an "and" before the last.
func List(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// ListAtMost lists up to limit of the texts, and the number of others: "uo0, uo3 and 5 more".
func ListAtMost(all []string, limit int) string {
	if len(all) <= limit {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:limit], ", "), len(all)-limit)
}

// Command returns a command of bench that can be pasted into a shell.
func Command(words ...string) string { return ProgramCommand("bench", words...) }

// ProgramCommand returns a command of a program that can be pasted into a shell.
func ProgramCommand(program string, words ...string) string {
	line := program
	for _, w := range words {
		if !plain().MatchString(w) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		line += " " + w
	}
	return line
}

// Decode reads JSON like json.Unmarshal, and passes every text in it through [Text]. Numbers keep their spelling.
func Decode(text []byte, value any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err
	}
	clean, err := json.Marshal(texts(v))
	if err != nil {
		return err
	}
	return json.Unmarshal(clean, value)
}

// texts passes the texts in a decoded value, except the names of fields, through Text.
func texts(v any) any {
	switch v := v.(type) {
	case string:
		return Text(v)
	case []any:
		for i := range v {
			v[i] = texts(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = texts(v[name])
		}
	}
	return v
}
