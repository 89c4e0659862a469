package driver

import (
	"testing"

	"utfbench/internal/cli"
)

// Each verdict has a complete row and a page of bench explain; the glossary has no other pages.
func TestVerdicts(t *testing.T) {
	book := cli.NewBook(Glossary)
	letters := map[byte]bool{}
	for _, v := range Verdicts {
		if _, err := book.Find(v.Name); err != nil && v.Name != "UNJUDGED" { // a bug
			t.Error(err)
		}
		if v.Name == "" || v.Colour == "" || v.Tone == "" || v.Level == "" || v.Letter != 0 && letters[v.Letter] {
			t.Errorf("the row lacks a column, or has another's letter: %+v", v)
		}
		letters[v.Letter] = true
	}
	for _, e := range book[0].Entries {
		if _, known := ParseVerdict(e.Words[0]); !known {
			t.Errorf("%s is no verdict", e.Words[0])
		}
	}
}
