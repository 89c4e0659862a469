package lot

import (
	_ "embed"

	"utfbench/internal/glossary"
)

//go:embed words.txt
var words string

// Words explains the words of a lot.
func Words() glossary.Group { return glossary.Parse("Many boards", "a word of many boards", words) }
