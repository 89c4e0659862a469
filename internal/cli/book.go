package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
)

// An Entry explains a word.
type Entry struct {
	Words    []string // the word and its other spellings
	Text     string   // a few sentences
	Examples []string // commands, without "$ "
}

// A Chapter is a list of entries of one kind.
type Chapter struct {
	Title    string // such as "Verdicts"
	Singular string // such as "a verdict"
	Entries  []Entry
}

// NewBook makes a book from texts, each of which is a chapter. Blank lines separate entries; the first block is the
// chapter's title and, after a semicolon, its singular. The first line of an entry is its word and, after commas, other
// spellings. The rest is prose, and lines that begin with "$ " are commands to try. A word may have entries in several
// chapters: ERROR is a verdict, and a flag of the UTF chip.
func NewBook(texts ...string) (b Book) {
	for _, text := range texts {
		b = append(b, newChapter(text))
	}
	return b
}

func newChapter(text string) Chapter {
	head, text, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	title, one, _ := strings.Cut(head, "; ")
	g := Chapter{Title: title, Singular: one}
	for part := range strings.SplitSeq(text, "\n\n") {
		head, body, _ := strings.Cut(part, "\n")
		e := Entry{Words: strings.Split(head, ", ")}
		var prose []string
		for line := range strings.Lines(body) {
			line = strings.TrimSuffix(line, "\n")
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				e.Examples = append(e.Examples, command)
			} else {
				prose = append(prose, line)
			}
		}
		e.Text = strings.Join(prose, " ")
		g.Entries = append(g.Entries, e)
	}
	return g
}

// CommandChapter returns a chapter with the commands below root, each with its help.
func CommandChapter(root *cobra.Command) Chapter {
	c := Chapter{Title: "Commands", Singular: "a command"}
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() {
			_, path, _ := strings.Cut(cmd.CommandPath(), " ")
			c.Entries = append(c.Entries, Entry{[]string{path}, cmd.Short + ".", []string{of(cmd)}})
			c.Entries = append(c.Entries, CommandChapter(cmd).Entries...)
		}
	}
	return c
}

// A Book explains the words that the bench prints. A package that prints its own words provides a text for them.
type Book []Chapter

// A FoundEntry is an entry that Find has found, with its chapter.
type FoundEntry struct {
	Entry
	Chapter *Chapter
}

// Find returns the entries for a word. It tries the exact spelling, then any case, then terms that contain the word,
// then the parts. The error suggests the most similar word.
func (b Book) Find(word string, parts ...string) (all []FoundEntry, err error) {
	all = b.matching(func(w string) bool { return w == word })
	if all == nil {
		all = b.matching(func(w string) bool { return strings.EqualFold(w, word) })
	}
	if all == nil { // "fault" is a part of "stuck-at fault"
		all = b.matching(func(w string) bool { return slices.Contains(strings.Fields(w), word) })
	}
	if all == nil {
		for _, part := range parts {
			more, _ := b.Find(part) // a tile might not explain its registers
			all = append(all, more...)
		}
	}
	if all == nil {
		return nil, failure.Usagef("no word %q%s: see bench explain for the list", word, failure.DidYouMean(word,
			b.Words()))
	}
	return all, nil
}

// Explain writes the entries for the whole phrase or its parts; if there are none, for each word or its parts. It
// writes the entries that it finds before it returns an error for the other words.
func (b Book) Explain(w io.Writer, words []string, parts func(phrase string) []string) error {
	find := func(phrase string) ([]FoundEntry, error) {
		code := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(phrase, "exit"), " code"))
		phrase = cmp.Or(code, phrase)
		kind, _, _ := strings.Cut(phrase, ":") // as in rp2040:PORT
		return b.Find(phrase, append(parts(phrase), kind)...)
	}
	found, err := find(strings.Join(words, " "))
	if err != nil && len(words) > 1 {
		err = nil
		for _, word := range words {
			of, werr := find(word)
			found, err = append(found, of...), cmp.Or(err, werr)
		}
	}
	for i := range found {
		if i > 0 {
			fmt.Fprintln(w)
		}
		err = cmp.Or(found[i].WriteText(w), err)
	}
	return err
}

func (b Book) matching(word func(string) bool) (all []FoundEntry) {
	for i := range b {
		for _, e := range b[i].Entries {
			if slices.ContainsFunc(e.Words, word) {
				all = append(all, FoundEntry{e, &b[i]})
			}
		}
	}
	return all
}

// Words returns all words in all spellings.
func (b Book) Words() (all []string) {
	for _, g := range b {
		for _, e := range g.Entries {
			all = append(all, e.Words...)
		}
	}
	return all
}

const width = 80

// WriteText writes the entry with its chapter and examples.
func (f *FoundEntry) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is %s", f.Words[0], f.Chapter.Singular)
	if len(f.Words) > 1 {
		fmt.Fprintf(&b, "; also written %s", strings.Join(f.Words[1:], ", "))
	}
	b.WriteString(".\n")
	b.WriteString(indented(f.Entry.Text))
	for _, example := range f.Examples {
		fmt.Fprintf(&b, "    %s\n", example)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteList writes each chapter's title and words.
func (b Book) WriteList(w io.Writer) error {
	var s strings.Builder
	for _, g := range b {
		fmt.Fprintf(&s, "%s:\n", g.Title)
		var words []string
		for _, e := range g.Entries {
			words = append(words, e.Words[0])
		}
		s.WriteString(indented(strings.Join(words, ", ")))
	}
	_, err := io.WriteString(w, s.String())
	return err
}

func indented(text string) string { return "  " + hanging(text, 2, width) + "\n" }
