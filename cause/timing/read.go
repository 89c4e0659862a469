package timing

import (
	"cmp"
	"io"
	"slices"
	"time"

	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/transport"
)

// ReadJSON reads the output of JSON, with the delays before subtraction. It makes foreign text printable.
func ReadJSON(r io.Reader) (*Report, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var d reportDocument
	if err := printable.Decode(text, &d); err != nil {
		return nil, failure.Usagef("not written by bench timing --json: %w", err)
	}
	if d.Schema != document.Schema || len(d.Lines) == 0 {
		return nil, failure.Usagef("not written by bench timing --json, or by another version: schema %d (want %d)",
			d.Schema, document.Schema)
	}
	report, err := d.report()
	if err != nil {
		return nil, failure.Usagef("not written by bench timing --json: %w", err)
	}
	return report, nil
}

// report converts a document to a report.
func (d *reportDocument) report() (*Report, error) {
	r := &Report{Bench: d.Bench, Transport: d.Transport, Board: d.Board, Tile: d.Tile, Revision: d.Revision,
		Device: d.Device, Padless: d.Padless, Made: d.Made, Vectors: d.Vectors, Count: d.Count, Tick: d.Tick,
		Bound:     d.Bound,
		LimitedBy: d.LimitedBy, Unsure: d.Unsure, HoldFloor: d.HoldFloor}
	if d.Vectors < 0 || d.Count < 0 || max(len(d.Lines), len(d.Inputs)) > len(transport.Lines) {
		return nil, failure.Usagef("%d vectors, %d times, %d lines, %d inputs", d.Vectors, d.Count, len(d.Lines),
			len(d.Inputs))
	}
	var wrong [6]error
	r.Period, wrong[0] = nanoseconds("least_period_ns", d.Period)
	r.Own, wrong[1] = nanoseconds("chip_least_period_ns", d.Own)
	r.Setup, wrong[2] = nanoseconds("setup_ns", d.Setup)
	r.Hold, wrong[3] = nanoseconds("hold_ns", d.Hold)
	r.Shortest, wrong[4] = nanoseconds("shortest_period_ns", d.Shortest)
	r.Lead, wrong[5] = nanoseconds("lead_ns", d.Lead)
	if err := cmp.Or(wrong[:]...); err != nil {
		return nil, err
	}
	for i := range d.Lines {
		l, err := d.Lines[i].line()
		if err != nil {
			return nil, err
		}
		r.Lines = append(r.Lines, l)
	}
	for _, e := range d.Exercised {
		if !slices.Contains(transport.Lines, e.Line) || e.Edges < 0 || e.Edges > enough {
			return nil, failure.Usagef("%q is no line, or has %d edges", e.Line, e.Edges)
		}
		r.Exercised = append(r.Exercised, Exercise{e.Line, e.Edges})
	}
	for _, i := range d.Inputs {
		setup, err := nanoseconds("setup_ns", i.Setup)
		if err != nil {
			return nil, err
		}
		r.Inputs = append(r.Inputs, Input{i.Lines, setup})
	}
	return r, nil
}

// line converts a document's line.
func (j *jsonLine) line() (l Line, err error) {
	if !slices.Contains(transport.Lines, j.Line) || j.Edges < 0 {
		return l, failure.Usagef("%q is no line, or has %d edges", j.Line, j.Edges)
	}
	l = Line{Name: j.Line, Edges: j.Edges}
	if l.Through, err = j.Through.through(); err != nil {
		return l, err
	}
	if l.Period, err = nanoseconds("least_period_ns", j.Least); err != nil || j.Time == nil {
		return l, err
	}
	l.Most, err = nanoseconds("clock_to_output_ns", *j.Time)
	if err == nil {
		l.Least, err = nanoseconds("above_ns", j.Above)
	}
	if err == nil && l.Least > l.Most {
		err = failure.Usagef("the time of %s", l.Name)
	}
	return l, err
}

// longest is the maximum time in a document.
const longest = time.Hour

// nanoseconds converts a document's time; field names it in errors.
func nanoseconds(field string, ns float64) (time.Duration, error) {
	if !(ns >= 0 && ns <= float64(longest)) {
		return 0, failure.Usagef("%s is %g: 0 to %g are allowed", field, ns, float64(longest))
	}
	return time.Duration(ns), nil
}
