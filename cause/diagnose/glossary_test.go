package diagnose

import (
	"testing"

	"utfbench/internal/glossary"
	"utfbench/internal/testkit"
)

// Each conclusion in the code is explained, and no other word.
func TestWords(t *testing.T) {
	g, all := Words(), testkit.Constants(t, "conclusion.go", "Conclusion")
	for _, word := range all {
		if _, err := (glossary.Book{g}).Find(word); err != nil {
			t.Error(err)
		}
	}
	if len(g.Entries) != len(all) {
		t.Errorf("%d words for %d conclusions", len(g.Entries), len(all))
	}
}
