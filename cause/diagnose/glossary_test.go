package diagnose

import (
	"maps"
	"testing"

	"utfbench/driver"
	"utfbench/internal/cli"
	"utfbench/internal/testkit"
)

// The glossary explains each conclusion in the code, and nothing else.
func TestWords(t *testing.T) {
	book, all := cli.NewBook(Glossary), testkit.Constants(t, "conclusion.go", "Conclusion")
	maps.Copy(all, testkit.Constants(t, "../search/hypothesis.go", "Kind"))
	for _, word := range all {
		if _, err := book.Find(word); err != nil {
			t.Error(err)
		}
	}
	if len(book[0].Entries) != len(all) {
		t.Errorf("%d words for %d conclusions", len(book[0].Entries), len(all))
	}
}

// The glossary explains each state of the wires.
func TestWiringWords(t *testing.T) {
	for _, word := range states {
		if _, err := cli.NewBook(driver.Glossary, WiringGlossary).Find(word); err != nil {
			t.Error(err)
		}
	}
}
