package utf

import (
	"strings"
	"testing"

	"utfbench/internal/glossary"
	"utfbench/model"
	"utfbench/tile"
)

// Each pin, flag, register and revision of the chip is explained.
func TestWords(t *testing.T) {
	book := glossary.Book{TT09.Words()}
	words := append(tile.Revisions(TT09), TT09.Inputs()...)
	words = append(append(words, TT09.Outputs(0xFF)...), TT09.Outputs(0)...)
	for _, bit := range model.Bits {
		words = append(words, strings.TrimRight(bit, "0123456789"))
	}
	for _, word := range words {
		if _, err := book.Find(word); err != nil {
			t.Error(err)
		}
	}
}
