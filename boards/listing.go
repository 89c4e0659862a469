package boards

import (
	"cmp"
	"encoding/json"
	"io"

	"utfbench/internal/printable"
	"utfbench/transport"
)

// A Listing is a list of designs for output.
type Listing struct {
	Designs  []Design
	Revision func(*Design) string // returns the revision of a design whose model the bench has; "" for others
}

// WriteText writes the listing as a table.
func (l *Listing) WriteText(w io.Writer) error {
	table := printable.NewTable("shuttle", "number", "design", "clock", "danger", "repository", "commit", "revision")
	for i := range l.Designs {
		d := &l.Designs[i]
		clock := "-"
		if d.Clock > 0 {
			clock = transport.FormatFrequency(float64(d.Clock), -1)
		}
		table.Row(d.Shuttle, d.Number, d.Name, clock, cmp.Or(d.Danger, "-"), cmp.Or(d.Repo, "-"),
			cmp.Or(d.Commit, "-"), cmp.Or(l.Revision(d), "-"))
	}
	return table.Write(w)
}

// WriteJSON writes an object per design, one per line; docs/formats.md describes it.
func (l *Listing) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range l.Designs {
		d := &l.Designs[i]
		err := enc.Encode(struct {
			*Design
			Revision string `json:"revision,omitempty"`
		}{d, l.Revision(d)})
		if err != nil {
			return err
		}
	}
	return nil
}
