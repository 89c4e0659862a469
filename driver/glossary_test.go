package driver

import (
	"slices"
	"testing"

	"utfbench/internal/glossary"
)

// Each verdict is explained, and nothing else is called one.
func TestWords(t *testing.T) {
	g := Words()
	for _, v := range Verdicts[Pass:] { // nobody meets Unjudged
		if _, err := (glossary.Book{g}).Find(v.String()); err != nil {
			t.Error(err)
		}
	}
	for _, e := range g.Entries {
		if !slices.ContainsFunc(Verdicts[:], func(v Verdict) bool { return v.String() == e.Words[0] }) {
			t.Errorf("%s is no verdict", e.Words[0])
		}
	}
}
