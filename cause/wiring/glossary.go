package wiring

import (
	_ "embed"

	"utfbench/internal/glossary"
)

//go:embed words.txt
var words string

// Words explain what a check of the wires may say.
func Words() glossary.Group {
	return glossary.Parse("Wires, by bench wiring", "what bench wiring says of the wires", words)
}
