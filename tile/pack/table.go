package pack

import (
	"fmt"
	"io"
	"text/tabwriter"

	"utfbench/internal/printable"
	"utfbench/transport"
)

// Table lists the designs and the omitted ones.
func (p *Pack) Table(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "design\tkind\tclock\tdanger\tfaults shown, at least\ttitle")
	for _, d := range p.Designs {
		kind := fmt.Sprintf("%d flip-flops", d.Flops)
		switch {
		case d.Combinational:
			kind = "combinational"
		case d.Flops == 0:
			kind = "latches or loops"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", d.Name, kind, clockOf(d.ClockHz), d.Danger, d.shown(), d.Title)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, l := range p.Left {
		fmt.Fprintf(w, "left out: %s: %s\n", l.Name, l.Why)
	}
	_, err := fmt.Fprintf(w, "%s: %s; SHA-256 %s\n", p.Path, p.Index.String(), p.Digest)
	return err
}

// String summarises the contents of a pack.
func (x *Index) String() string {
	combinational, suites := 0, 0
	for i := range x.Designs {
		if x.Designs[i].Combinational {
			combinational++
		}
		if x.Designs[i].Suite != "" {
			suites++
		}
	}
	text := fmt.Sprintf("%s, %d of them combinational", printable.Count(len(x.Designs), "design"), combinational)
	if suites > 0 {
		text += fmt.Sprintf(", %d with vectors", suites)
	}
	return fmt.Sprintf("%s; %d left out", text, len(x.Left))
}

// shown formats the share of the faults that the design's vectors show, or returns "" without vectors.
func (d *Design) shown() string {
	if d.Suite == "" {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(d.Shown)/float64(d.Faults))
}

// clockOf formats a frequency, or returns "" for none.
func clockOf(hz int) string {
	if hz == 0 {
		return ""
	}
	return transport.Frequency(float64(hz), 4)
}
