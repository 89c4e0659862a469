// Package export writes vectors and runs for other programs and people: a self-checking Verilog testbench, a table, and
// a zip for a bug report.
//
// An [Exporter] takes vectors, or the executions of a recording, one by one, adds the samples of the tile's reference,
// and passes them to its formats. Testbench and table have the steps and these samples; for a recording the table also
// has the chip's. [Files] are both, and a [Bundle] is the zip. docs/formats.md describes the files.
package export

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/transport"
)

// A Vector is a vector or an execution, as passed to a format.
type Vector struct {
	Name      string
	Place     string // FILE:LINE, or "" if unknown
	Iteration int    // of an execution, from 1; 0 for a vector
	Steps     []transport.Step
	Want      []transport.Sample // the reference's samples; unpredictable bits are unknown
	Got       []transport.Sample // of an execution: the samples of the completed steps
}

// Title returns the name, followed by @N in iteration N > 1, as in waveform files.
func (v *Vector) Title() string {
	if v.Iteration > 1 {
		return fmt.Sprintf("%s@%d", v.Name, v.Iteration)
	}
	return v.Name
}

// A Format writes vectors.
type Format interface {
	// WriteVector writes a vector. It must not retain it.
	WriteVector(*Vector) error
	// End is called after the last vector.
	End() error
}

// An Exporter passes vectors to formats. Fill in Tile and To.
type Exporter struct {
	Tile    tile.Tile
	Formats []Format

	Vectors, Steps int // number exported
	Omitted        int // vectors for another revision, and executions without steps
}

// AddJobs exports vectors and ends the formats. The error reports an illegal or contradicted vector, or is the
// reference's, a format's, or ctx's.
func (e *Exporter) AddJobs(ctx context.Context, jobs iter.Seq2[int, driver.Job]) error {
	for _, job := range jobs {
		v := job.Vector
		if v.Revision != "" && v.Revision != e.Tile.Revision() {
			e.Omitted++
			continue
		}
		place := fmt.Sprintf("%s:%d", job.File, v.Line)
		if err := e.export(ctx, &Vector{Name: v.Name, Place: place, Steps: v.Steps}, v.Checks); err != nil {
			return atPlace(place, err)
		}
	}
	return e.End()
}

// AddRecording exports the executions of a recorded run that keep selects, under the user's name for it; nil keeps all.
// The formats do not end with it.
func (e *Exporter) AddRecording(ctx context.Context, name string, rec *report.Recording,
	keep func(*report.Execution) bool) error {
	for _, to := range e.Formats {
		if c, is := to.(*CSV); is {
			c.begin(name, &rec.Start)
		}
	}
	for p, err := range rec.Executions() {
		switch {
		case err != nil:
			return err
		case keep != nil && !keep(p):
			continue
		case len(p.Steps) == 0:
			e.Omitted++
			continue
		}
		v := Vector{Name: p.Vector, Iteration: p.Iteration, Steps: p.Steps, Got: p.Got}
		if err := e.export(ctx, &v, nil); err != nil {
			return atPlace(rec.Path+": "+p.Vector, err)
		}
	}
	return nil
}

// String counts what was exported.
func (e *Exporter) String() string {
	text := printable.Count(e.Vectors, "vector") + ", " + printable.Count(e.Steps, "step")
	if e.Omitted > 0 {
		text += ", " + e.OmissionNote()
	}
	return text
}

// OmissionNote returns a sentence about the steps that were not exported.
func (e *Exporter) OmissionNote() string {
	return fmt.Sprintf("without the %d that are for another revision or were not run", e.Omitted)
}

// atPlace prefixes an error with the vector's place, unless an output could not be written, which is no vector's fault.
func atPlace(place string, err error) error {
	if errors.As(err, new(*fs.PathError)) {
		return err
	}
	return fmt.Errorf("%s: %w", place, err)
}

// export completes a vector and passes it to the formats.
func (e *Exporter) export(ctx context.Context, v *Vector, checks []golden.Check) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := e.Tile.Lint(v.Steps); err != nil {
		return err
	}
	if err := e.expect(v); err != nil {
		return err
	}
	if err := contradiction(v, checks); err != nil {
		return err
	}
	for _, to := range e.Formats {
		if err := to.WriteVector(v); err != nil {
			return err
		}
	}
	e.Vectors++
	e.Steps += len(v.Steps)
	return nil
}

// expect computes the reference's samples from an unknown state, as the driver does.
func (e *Exporter) expect(v *Vector) error {
	v.Want = make([]transport.Sample, len(v.Steps))
	if err := tile.Expect(e.Tile, v.Steps, v.Want); err != nil {
		return fmt.Errorf("cannot determine the expected samples: %w", err)
	}
	return nil
}

// contradiction returns an error if the reference contradicts the vector.
func contradiction(v *Vector, checks []golden.Check) error {
	for i := range checks {
		if c := &checks[i]; c.Fails(&v.Want[c.Step]) {
			return fmt.Errorf("the reference contradicts the vector at line %d, %s: the bench is at fault, "+
				"so this vector cannot judge a chip", c.Line, tile.FileStepText(c.Step))
		}
	}
	return nil
}

// End ends the formats.
func (e *Exporter) End() error {
	var all []error
	for _, to := range e.Formats {
		all = append(all, to.End())
	}
	return errors.Join(all...)
}
