package timing

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/transport"
)

// ReadFile reads a file of bench timing --json.
func ReadFile(path string) (*Report, error) {
	f, err := files.Timing.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--timing: %w", err)
	}
	defer f.Close()
	r, err := ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("--timing %s: %w", path, err)
	}
	return r, nil
}

// ReadJSON reads the output of JSON. It makes foreign text printable.
func ReadJSON(r io.Reader) (*Report, error) {
	var d reportDocument
	if err := document.Read(r, "bench timing --json", &d); err != nil {
		return nil, err
	}
	report, err := d.report()
	if err != nil {
		return nil, failure.Usagef("not written by bench timing --json: %w", err)
	}
	return report, nil
}

// report returns the report of a document.
func (d *reportDocument) report() (*Report, error) {
	r := d.Report
	r.Predicted = nil
	if r.Vectors < 0 || r.Count < 0 || len(d.Lines) == 0 || max(len(d.Lines), len(r.Inputs)) > len(transport.Lines) {
		return nil, failure.Usagef("%d vectors, %d times, %d lines, %d inputs", r.Vectors, r.Count, len(d.Lines),
			len(r.Inputs))
	}
	err := cmp.Or(sound("least_period_ns", r.Period), sound("chip_least_period_ns", r.Own), sound("setup_ns", r.Setup),
		sound("hold_ns", r.Hold), sound("shortest_period_ns", r.Shortest), sound("lead_ns", r.Lead))
	for i := range d.Lines {
		l := &d.Lines[i]
		err = cmp.Or(err, l.check())
		r.Lines = append(r.Lines, l.Line)
	}
	for _, e := range r.Exercised {
		if !slices.Contains(transport.Lines, e.Name) || e.Edges < 0 || e.Edges > enough {
			err = cmp.Or(err, failure.Usagef("%q is no line, or has %d edges", e.Name, e.Edges))
		}
	}
	for _, i := range r.Inputs {
		err = cmp.Or(err, sound("setup_ns", i.Setup))
	}
	return &r, err
}

// check completes a line, and returns an error unless it can be one.
func (l *lineDocument) check() error {
	if !slices.Contains(transport.Lines, l.Name) || l.Edges < 0 {
		return failure.Usagef("%q is no line, or has %d edges", l.Name, l.Edges)
	}
	l.Line.Name = l.Name
	err := sound("least_period_ns", l.Period)
	if t := l.Through; t != nil {
		err = cmp.Or(err, sound("input_to_output_ns", t.Most), sound("above_ns", t.Least))
	}
	if l.Time == nil {
		l.Least = 0
		return err
	}
	l.Most = *l.Time
	err = cmp.Or(err, sound("clock_to_output_ns", l.Most), sound("above_ns", l.Least))
	if err == nil && l.Least > l.Most {
		err = failure.Usagef("the time of %s", l.Name)
	}
	return err
}

// longest is the maximum time in a document.
const longest = time.Hour

// sound returns an error unless a document's time is possible; field names it.
func sound(field string, d time.Duration) error {
	if d < 0 || d > longest {
		return failure.Usagef("%s is %d: 0 to %d are allowed", field, d, longest)
	}
	return nil
}
