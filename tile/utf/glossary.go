package utf

import (
	_ "embed"

	"utfbench/internal/glossary"
)

//go:embed words.txt
var words string

// Words implements tile.Explained.
func (Tile) Words() glossary.Group {
	return glossary.Parse("The chip: flags, pins, registers, revisions", "a word of the UTF chip", words)
}
