package boards

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// A Listing is a list of designs for output.
type Listing struct {
	Designs  []Design
	Revision func(*Design) string // of the chip in a design known to the bench; "" for others
}

// Text writes the listing as a table.
func (l *Listing) Text(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "shuttle\tnumber\tdesign\tclock\tdanger\trepository\tcommit\trevision")
	for i := range l.Designs {
		d := &l.Designs[i]
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", d.Shuttle, d.Number, d.Name, hertz(d.Clock),
			cmp.Or(d.Danger, "-"), cmp.Or(d.Repo, "-"), cmp.Or(d.Commit, "-"), cmp.Or(l.Revision(d), "-"))
	}
	return table.Flush()
}

// hertz formats a frequency in the largest unit that keeps it at least one; "-" for 0.
func hertz(f int) string {
	switch {
	case f == 0:
		return "-"
	case f < 1e3:
		return fmt.Sprintf("%d Hz", f)
	case f < 1e6:
		return fmt.Sprintf("%v kHz", float64(f)/1e3)
	}
	return fmt.Sprintf("%v MHz", float64(f)/1e6)
}

// JSON writes one line with an object per design; docs/formats.md describes it.
func (l *Listing) JSON(w io.Writer) error {
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
