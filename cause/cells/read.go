package cells

import (
	"io"

	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// ReadLocated reads the findings inside the chip from the output of bench diagnose --json.
func ReadLocated(in io.Reader) (*Located, error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	var d struct {
		Schema int      `json:"schema"`
		Inside *Located `json:"inside"`
	}
	switch err := printable.Decode(text, &d); {
	case err != nil:
		return nil, failure.Usagef("this was not written by bench diagnose --json: %w", err)
	case d.Schema != document.Schema:
		return nil, failure.Usagef("schema %d, and this bench reads schema %d of bench diagnose --json: make it again "+
			"with this bench", d.Schema, document.Schema)
	case d.Inside == nil:
		return nil, failure.Usagef("it has no findings about the chip's cells: run bench diagnose with --netlist")
	case d.Inside.Failed < 0 || d.Inside.Failed > d.Inside.Vectors:
		return nil, failure.Usagef("this was not written by bench diagnose --json: its numbers do not fit together")
	}
	return d.Inside, nil
}
