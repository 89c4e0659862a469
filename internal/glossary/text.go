package glossary

import (
	"fmt"
	"io"
	"strings"
)

const width = 80

// Text writes an entry for people.
func (f *Found) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is %s", f.Words[0], f.Of.One)
	if len(f.Words) > 1 {
		fmt.Fprintf(&b, "; also written %s", strings.Join(f.Words[1:], ", "))
	}
	b.WriteString(".\n")
	wrap(&b, "  ", strings.Fields(f.Entry.Text))
	for _, example := range f.Examples {
		fmt.Fprintf(&b, "    %s\n", example)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// List writes the words in their groups.
func (b Book) List(w io.Writer) error {
	var s strings.Builder
	for _, g := range b {
		fmt.Fprintf(&s, "%s:\n", g.Title)
		var words []string
		for _, e := range g.Entries {
			words = append(words, e.Words[0]+",")
		}
		if n := len(words); n > 0 {
			words[n-1] = strings.TrimSuffix(words[n-1], ",")
		}
		wrap(&s, "  ", words)
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// wrap writes words in indented lines.
func wrap(b *strings.Builder, indent string, words []string) {
	line := ""
	for _, word := range words {
		if line != "" && len(indent+line+" "+word) > width {
			fmt.Fprintf(b, "%s%s\n", indent, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	if line != "" {
		fmt.Fprintf(b, "%s%s\n", indent, line)
	}
}
