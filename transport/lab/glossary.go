package lab

import (
	_ "embed"

	"utfbench/internal/glossary"
)

//go:embed words.txt
var words string

// Words explains the words of a lab.
func Words() glossary.Group { return glossary.Parse("The lab", "a word of the lab", words) }
