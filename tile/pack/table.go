package pack

import (
	"fmt"
	"io"

	"utfbench/internal/printable"
	"utfbench/transport"
)

// WriteTable writes a table of the designs, followed by the excluded ones.
func (p *Pack) WriteTable(w io.Writer) error {
	shown := ""
	if p.SuiteCount() > 0 {
		shown = "coverage, at least"
	}
	t := printable.NewTable("design", "kind", "clock", "danger", shown, "title")
	for _, d := range p.Designs {
		kind := printable.Count(d.Flops, "flip-flop")
		switch {
		case d.Combinational:
			kind = "combinational"
		case d.Flops == 0:
			kind = "latches, loops or clk"
		}
		clock := ""
		if d.ClockHz > 0 {
			clock = transport.FormatFrequency(float64(d.ClockHz), -1)
		}
		if shown = ""; d.Suite != "" {
			shown = fmt.Sprintf("%.1f %%", 100*float64(d.DetectedFaults)/float64(d.Faults))
		}
		t.Row(d.Name, kind, clock, d.Danger, shown, d.Title)
	}
	if err := t.Write(w); err != nil {
		return err
	}
	for _, l := range p.Excluded {
		fmt.Fprintf(w, "left out: %s: %s\n", l.Name, l.Reason)
	}
	_, err := fmt.Fprintf(w, "%s: %s; SHA-256 %s\n", p.Path, p.Index.String(), p.Digest)
	return err
}

// String summarises the contents of a pack.
func (x *Index) String() string {
	combinational := count(x.Designs, func(d *Design) bool { return d.Combinational })
	text := fmt.Sprintf("%s, %d of them combinational", printable.Count(len(x.Designs), "design"), combinational)
	if suites := x.SuiteCount(); suites > 0 {
		text += fmt.Sprintf(", %d with vectors", suites)
	}
	return fmt.Sprintf("%s; %d left out", text, len(x.Excluded))
}

// SuiteCount returns the number of designs with vectors.
func (x *Index) SuiteCount() int {
	return count(x.Designs, func(d *Design) bool { return d.Suite != "" })
}

func count(all []Design, is func(*Design) bool) (n int) {
	for i := range all {
		if is(&all[i]) {
			n++
		}
	}
	return n
}
