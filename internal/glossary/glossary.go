// Package glossary explains the words that the bench prints: a package that prints some has a text of them, and bench
// explain joins the texts.
//
// # The text
//
// Entries have a blank line between them. The first line of one is its word, and after commas other ways to write it;
// what follows is prose, and lines that begin with "$ " are commands to try. A word may have several entries, in
// different groups: ERROR is a verdict, and a flag of the UTF chip.
package glossary

import (
	"slices"
	"strings"

	"utfbench/internal/failure"
)

// An Entry explains a word.
type Entry struct {
	Words    []string // the word, and other ways to write it
	Text     string   // one or a few sentences
	Examples []string // commands, without "$ "
}

// A Group is entries of one kind.
type Group struct {
	Title   string // as in "Verdicts"
	One     string // what one of them is, as in "a verdict"
	Entries []Entry
}

// Parse reads a text of entries.
func Parse(title, one, text string) Group {
	g := Group{Title: title, One: one}
	for part := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
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

// A Book is groups in the order in which they are listed.
type Book []Group

// A Found is an entry with its group.
type Found struct {
	Entry
	Of *Group
}

// Find gives all entries of a word as it is written, or else in any case. The error proposes the nearest.
func (b Book) Find(word string) (all []Found, err error) {
	all = b.matching(func(w string) bool { return w == word })
	if all == nil {
		all = b.matching(func(w string) bool { return strings.EqualFold(w, word) })
	}
	if all == nil {
		return nil, failure.Usagef("no word %q%s: see bench explain for the list", word, failure.Hint(word, b.Words()))
	}
	return all, nil
}

// matching gives the entries of which a word matches.
func (b Book) matching(word func(string) bool) (all []Found) {
	for i := range b {
		for _, e := range b[i].Entries {
			if slices.ContainsFunc(e.Words, word) {
				all = append(all, Found{e, &b[i]})
			}
		}
	}
	return all
}

// Words returns all words, in every spelling.
func (b Book) Words() (all []string) {
	for _, g := range b {
		for _, e := range g.Entries {
			all = append(all, e.Words...)
		}
	}
	return all
}
