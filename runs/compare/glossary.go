package compare

import (
	_ "embed"

	"utfbench/internal/glossary"
)

//go:embed words.txt
var words string

// Words returns the glossary of lots.
func Words() glossary.Group { return glossary.Parse("Many boards", "a word of many boards", words) }
