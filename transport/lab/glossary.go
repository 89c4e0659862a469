package lab

import (
	_ "embed"

	"utfbench/internal/glossary"
)

//go:embed words.txt
var words string

// Words returns the glossary of a lab's terms.
func Words() glossary.Group { return glossary.Parse("The lab", "a word of the lab", words) }
