// Package document writes a command's findings for programs, with the build that wrote them and the tags of their
// circumstances, such as a supply voltage.
//
// # Words
//
//   - A document is one JSON object, which begins with its [Head]. Names are in
//     snake_case, with the unit as a suffix: _ns, _hz, _bytes. An empty list is
//     present; an unknown value is null or missing.
//   - docs/schemas has a JSON Schema for each document, which tests enforce.
package document

import (
	"encoding/json"
	"io"
)

// Schema is the version of all documents. It increases when a field is removed or changes its meaning; new fields do
// not change it.
const Schema = 1

// A Head begins every document.
type Head struct {
	Schema int    `json:"schema"`
	Bench  string `json:"bench"` // version
}

// NewHead returns a document's head with this version of the bench.
func NewHead(bench string) Head { return Head{Schema, bench} }

// Write writes a document, indented by two spaces, without HTML escaping.
func Write(w io.Writer, document any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(document)
}
