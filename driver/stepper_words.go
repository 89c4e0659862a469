package driver

import (
	"slices"

	"utfbench/golden"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/transport"
)

// word matches the first word of an operation; no step begins with such a word.
var word = printable.LazyRegexp(`^[A-Za-z]{3,}$`)

// operation returns the steps of an operation of the tile's dialect, with its checkpoints if it has any.
func (d *Stepper) operation(name, rest string) (steps []transport.Step, checks []golden.Check, err error) {
	if d.words == nil {
		d.words = tile.Dialect(d.Tile).BeginVector(1)
	}
	q := d.words.Sequence()
	from, known := len(q.Steps), len(q.Checks)
	err = d.words.Operation(name, rest, d.line)
	wants := err == nil
	if err != nil && rest == "" && d.words.Operation(name, "-", d.line) == nil {
		err = nil
	}
	if err != nil {
		return nil, nil, err
	}
	q = d.words.Sequence()
	steps = slices.Clone(q.Steps[from:])
	if wants {
		for _, c := range q.Checks[known:] {
			c.Step -= from
			checks = append(checks, c)
		}
	}
	return steps, checks, nil
}

// missed returns the lines on which a sample differs from an operation's expectation.
func (d *Stepper) missed(i int, m transport.Sample) (lines transport.Outputs) {
	for _, c := range d.checks {
		if c.Step == i {
			lines |= c.FailedLines(&m)
		}
	}
	return lines
}
