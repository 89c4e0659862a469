package utf

import (
	"strings"
	"testing"

	"utfbench/internal/cli"
	"utfbench/model"
	"utfbench/tile"
)

// Each pin, flag, register and revision of the chip is explained.
func TestWords(t *testing.T) {
	book := cli.NewBook(words)
	all := append(tile.Revisions(TT09), TT09.Inputs()...)
	all = append(append(all, TT09.Outputs(0xFF)...), TT09.Outputs(0)...)
	for _, bit := range model.Bits {
		all = append(all, strings.TrimRight(bit, "0123456789"))
	}
	for _, word := range all {
		if _, err := book.Find(word); err != nil {
			t.Error(err)
		}
	}
}
