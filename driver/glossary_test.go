package driver

import (
	"slices"
	"testing"

	"utfbench/internal/cli"
)

// Each verdict is explained, and no other word.
func TestWords(t *testing.T) {
	book := cli.NewBook(Glossary)
	for _, v := range Verdicts[1:] { // Unjudged is never shown
		if _, err := book.Find(v.String()); err != nil {
			t.Error(err)
		}
	}
	for _, e := range book[0].Entries {
		if !slices.ContainsFunc(Verdicts[:], func(v Verdict) bool { return v.String() == e.Words[0] }) {
			t.Errorf("%s is no verdict", e.Words[0])
		}
	}
}
