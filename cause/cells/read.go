package cells

import (
	"fmt"
	"io"
	"math"
	"slices"

	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// ReadJSON reads what JSON wrote.
func ReadJSON(in io.Reader) (*Report, error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	r := new(Report)
	if err := printable.Decode(text, r); err != nil {
		return nil, failure.Usagef("this is not what bench faults --json wrote: %w", err)
	}
	switch {
	case r.Schema != document.Schema:
		return nil, failure.Usagef("schema %d, and this bench reads schema %d of bench faults --json: make it "+
			"again with "+
			"this bench", r.Schema, document.Schema)
	case !r.plausible():
		return nil, failure.Usagef("this is not what bench faults --json wrote: its numbers do not fit together")
	}
	return r, nil
}

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
		return nil, failure.Usagef("this is not what bench diagnose --json wrote: %w", err)
	case d.Schema != document.Schema:
		return nil, failure.Usagef("schema %d, and this bench reads schema %d of bench diagnose --json: make it again "+
			"with this bench", d.Schema, document.Schema)
	case d.Inside == nil:
		return nil, failure.Usagef("it says nothing of the chip's cells: bench diagnose does with --netlist")
	case !d.Inside.plausible():
		return nil, failure.Usagef("this is not what bench diagnose --json wrote: its numbers do not fit together")
	}
	return d.Inside, nil
}

func (l *Located) plausible() bool {
	for _, p := range slices.Concat(l.Best, l.Less) {
		if p.At != nil && max(math.Abs(p.At.X), math.Abs(p.At.Y)) > mostUm {
			return false
		}
	}
	return l.Failed >= 0 && l.Failed <= l.Vectors
}

// plausible reports whether no part exceeds its whole.
func (r *Report) plausible() bool {
	within := func(c Counts) bool {
		return c.Classes >= 0 && c.Faults >= 0 && c.Classes <= r.All.Classes && c.Faults <= r.All.Faults
	}
	for _, s := range r.Suites {
		if !within(s.Found) {
			return false
		}
	}
	if r.Die != nil && !r.Die.plausible() {
		return false
	}
	return within(r.All) && within(r.Total.Found) && within(r.Untest) && within(r.Open) &&
		r.Total.Found.Classes+r.Untest.Classes+r.Open.Classes == r.All.Classes
}

// A Bar is a suite as a picture shows it: parts of all classes, in percent.
type Bar struct {
	Suite
	OfAll, OfTestable string  // found, in words
	Percent           float64 // found, of all
}

// Bars returns the bars of the suites, and of all together.
func (r *Report) Bars() (all []Bar) {
	suites := append([]Suite(nil), r.Suites...)
	if len(suites) != 1 {
		suites = append(suites, r.Total)
	}
	for _, s := range suites {
		b := Bar{Suite: s, OfAll: percent(s.Found.Classes, r.All.Classes),
			OfTestable: percent(s.Found.Classes, r.All.Classes-r.Untest.Classes)}
		if r.All.Classes > 0 {
			b.Percent = 100 * float64(s.Found.Classes) / float64(r.All.Classes)
		}
		all = append(all, b)
	}
	return all
}

// Never returns the percentage of classes proved untestable.
func (r *Report) Never() float64 {
	if r.All.Classes == 0 {
		return 0
	}
	return 100 * float64(r.Untest.Classes) / float64(r.All.Classes)
}

// Missed returns the first faults of the open classes, in the netlist's order.
func (r *Report) Missed() (all []string) {
	last := 0
	for i := range r.Faults {
		f := &r.Faults[i]
		if f.Class != last && !f.Untestable {
			all = append(all, fmt.Sprintf("%s (%s)", f, f.Type))
		}
		last = f.Class
	}
	return all
}
