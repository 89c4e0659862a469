package wiring

import (
	_ "embed"

	"utfbench/internal/glossary"
)

//go:embed words.txt
var words string

// Words explains the verdicts of the wiring check.
func Words() glossary.Group {
	return glossary.Parse("Wires, by bench wiring", "what bench wiring says of the wires", words)
}
