package diagnose

import (
	_ "embed"

	"utfbench/internal/glossary"
)

//go:embed words.txt
var words string

// Words explains the conclusions.
func Words() glossary.Group {
	return glossary.Parse("Conclusions, by bench diagnose", "a conclusion of bench diagnose", words)
}
