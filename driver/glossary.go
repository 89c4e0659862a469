package driver

import (
	_ "embed"

	"utfbench/internal/glossary"
)

//go:embed words.txt
var words string

// Words explains the verdicts.
func Words() glossary.Group { return glossary.Parse("Verdicts", "a verdict", words) }
