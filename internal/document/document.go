// Package document writes what a command found for programs.
//
// # Words
//
//   - A document is one JSON object, which begins with its [Head]. Names are in snake_case, and a unit is the end of a
//     name: _ns, _hz, _bytes. A list that is empty is there; what is not known is null, or missing.
//   - docs/schemas has a JSON Schema for each, which tests hold the commands to.
package document

import (
	"encoding/json"
	"io"
)

// Schema is the version of all documents. It rises when a field changes its meaning or goes; fields may be added
// without.
const Schema = 1

// A Head begins every document.
type Head struct {
	Schema int    `json:"schema"`
	Bench  string `json:"bench"` // its version
}

// NewHead returns the head of a document by this version of the bench.
func NewHead(bench string) Head { return Head{Schema, bench} }

// Write writes a document, indented by two spaces, without HTML escaping.
func Write(w io.Writer, document any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(document)
}
