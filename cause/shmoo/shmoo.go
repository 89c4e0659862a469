// Package shmoo measures under which times a chip passes: vectors are run at each cell of a grid of knob settings.
//
// # Words
//
//   - A shmoo is a grid of cells over one or two axes. An axis is a knob of the transport (transport.Knob) with values,
//     or a command of the user's that sets a supply, a chamber or whatever else.
//   - A cell is PASS when all vectors passed each time, FAIL when one of them failed each time, FLAKY when some failed,
//     but none each time. It is ERROR when the bench could not judge one of them, which says nothing about the chip.
//
// It goes from the safe corner, the longest times, to the unsafe one, so that a chip that stops answering has answered
// most.
package shmoo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/internal/tags"
	"utfbench/tile"
	"utfbench/transport"
)

// An Axis is a knob and the values that it is set to, ascending: times, or in billionths the numbers that a command
// sets (see axis.go).
type Axis struct {
	Knob   string
	Values []time.Duration
}

// A Cell is a chip's result under one setting.
type Cell struct {
	X, Y    time.Duration // as the transport took them; Y is 0 without a second axis
	Verdict driver.Verdict
	Vectors int    // judged, each time counted
	Failed  int    // of them
	Trouble string // why it is ERROR: the first reason
	Done    bool
	// it was not measured, but lies between cells that all show this; see Runner.Quick
	Presumed bool
}

// About describes the target of a shmoo. It is empty for the CSV of an older bench.
type About struct {
	Bench     string `json:"bench"` // its version
	Transport string `json:"transport"`
	Board     string `json:"board"`
	Revision  string `json:"revision"` // that the chip is compared with
	Vectors   int    `json:"vectors"`  // selected for each cell
	Count     int    `json:"count"`    // how often each runs there

	Tags tags.Set `json:"tags,omitempty"` // circumstances; may be nil

	// only in JSON; missing in older files
	Tile   string    `json:"tile,omitempty"`
	Device string    `json:"device,omitempty"` // what tells the board from others of its kind
	Made   time.Time `json:"made,omitzero"`
	Weak   string    `json:"weak,omitempty"` // why a PASS proves little: outputs that no cell compares
}

// Title returns the description in one line.
func (a About) Title() string {
	with := ""
	if len(a.Tags) > 0 {
		with = "; tags: " + a.Tags.String()
	}
	if a.Transport == "" { // read from the CSV of an older bench, which did not say it
		return "shmoo" + with
	}
	often := "once"
	if a.Count != 1 {
		often = fmt.Sprintf("%d times", a.Count)
	}
	return fmt.Sprintf("%s, board %s, compared with %s: %s, %s in each cell%s", a.Transport,
		a.Board, tile.ReferenceOf(a.Revision), printable.Count(a.Vectors, "vector"), often, with)
}

// A Grid is a shmoo. Cells are row by row, the row of the shortest Y first.
type Grid struct {
	About About
	X, Y  Axis // Y has no knob and one value when there is one axis
	Cells []Cell
}

// New makes a grid that was not measured yet. Y may be the zero Axis.
func New(x, y Axis) *Grid {
	if y.Knob == "" {
		y = Axis{Values: []time.Duration{0}}
	}
	return &Grid{X: x, Y: y, Cells: make([]Cell, len(x.Values)*len(y.Values))}
}

// Parse makes a grid of two axes as ParseAxis reads them; y may be empty.
func Parse(x, y string) (*Grid, error) {
	right, err := ParseAxis(x)
	if err != nil {
		return nil, err
	}
	var up Axis
	if y != "" {
		up, err = ParseAxis(y)
	}
	return New(right.named(), up.named()), err
}

// At returns the cell of two values by their indices.
func (g *Grid) At(x, y int) *Cell { return &g.Cells[y*len(g.X.Values)+x] }

// XTime returns a column's actual time, or the requested one if none of its cells was measured.
func (g *Grid) XTime(x int) time.Duration {
	for y := range g.Y.Values {
		if c := g.At(x, y); c.Done && !c.Presumed {
			return c.X
		}
	}
	return g.X.Values[x]
}

// YTime returns a row's time.
func (g *Grid) YTime(y int) time.Duration {
	for x := range g.X.Values {
		if c := g.At(x, y); c.Done && !c.Presumed {
			return c.Y
		}
	}
	return g.Y.Values[y]
}

// Measured returns the number of cells measured or presumed.
func (g *Grid) Measured() (n int) {
	for _, c := range g.Cells {
		if c.Done {
			n++
		}
	}
	return n
}

// Presumed returns the number of presumed cells.
func (g *Grid) Presumed() (n int) {
	for _, c := range g.Cells {
		if c.Presumed {
			n++
		}
	}
	return n
}

// Trouble says why the bench could not judge somewhere, though the transport worked; it is empty where it could.
func (g *Grid) Trouble() string {
	for i := range g.Cells {
		if c := &g.Cells[i]; c.Trouble != "" && c.Verdict != driver.Skipped {
			return c.Trouble
		}
	}
	return ""
}

// A Runner measures grids.
type Runner struct {
	Transport transport.Transport
	Knobs     transport.Tuner // nil is those of Transport, which Check looks for
	Tile      tile.Tile
	Jobs      []driver.Job
	Count     int  // how often each vector runs in a cell
	Quick     bool // leave out cells between others that all show the same
	Insist    bool // judge a chip at speed also where what a right chip shows is not known
	Progress  func(done, of int)

	ran  map[string]time.Duration // what a command has set last, by the command
	done int                      // cells that were measured
}

// EveryLine matches the names of the vectors of a cell, unless a user says others: 36 of three rows, a control
// character, a surrogate of the private planes and the last code point, in every form, order and with CHK high and low.
// They move every line both ways, in 1352 steps.
const EveryLine = `^chip/(bmp/0000009F|bmp/0000DB80|astral/0010FFFF)/`

// About describes the runner's target, for a version of the bench and a board.
func (b *Runner) About(bench, board string) About {
	return About{Bench: bench, Transport: b.Transport.String(), Board: board, Revision: b.Tile.Revision(),
		Vectors: len(b.Jobs), Count: b.Count}
}

// Check reports, before measuring, whether the axes can be set.
func (b *Runner) Check(g *Grid) error {
	if b.Knobs == nil {
		b.Knobs, _ = b.Transport.(transport.Tuner)
	}
	if g.X.Knob == g.Y.Knob {
		return failure.Usagef("both axes are %s: give them different knobs", g.X.Knob)
	}
	for _, a := range []Axis{g.X, g.Y} {
		if _, runs := a.command(); runs || a.Knob == "" {
			continue
		}
		if b.Knobs == nil || len(b.Knobs.Knobs()) == 0 {
			return failure.Usagef("%s has no knobs, so there is nothing to set: mock, gpio and demo boards have "+
				"pulse and settle", b.Transport)
		}
		for _, v := range []time.Duration{a.Values[0], a.Values[len(a.Values)-1]} {
			if err := transport.CheckKnob(b.Knobs.Knobs(), a.Knob, v); err != nil {
				return failure.Usagef("axis %s of %s: %w", a.Knob, b.Transport, err)
			}
		}
	}
	return nil
}

// Measure fills the grid, and restores the knobs. It stops at the first error of the transport, or ctx's, with a
// partial grid.
func (b *Runner) Measure(ctx context.Context, g *Grid) (err error) {
	defer func() {
		if b.Knobs == nil {
			return
		}
		for _, k := range b.Knobs.Knobs() {
			if _, kerr := b.Knobs.Tune(k.Name, k.Default); err == nil {
				err = kerr
			}
		}
	}()
	b.ran, b.done = map[string]time.Duration{}, 0
	if b.Quick {
		return b.quickly(ctx, g)
	}
	outer, inner := len(g.Y.Values), len(g.X.Values)
	_, slow := g.X.command()
	if slow { // a supply takes its time
		outer, inner = inner, outer
	}
	for i := range outer {
		for j := range inner {
			x, y := inner-1-j, outer-1-i
			if slow {
				x, y = y, x
			}
			if err := b.cell(ctx, g, x, y); err != nil {
				return err
			}
		}
	}
	return nil
}

// ErrNothing is returned by Measure if no vector applies to the chip.
var ErrNothing = errors.New("no vector applies to this chip")

// cell measures one.
func (b *Runner) cell(ctx context.Context, g *Grid, x, y int) (err error) {
	c := g.At(x, y)
	defer func() {
		if b.done++; b.Progress != nil && c.Done {
			b.Progress(b.done, len(g.Cells))
		}
	}()
	*c = Cell{}
	trouble := ""
	err = b.setAll(ctx, g, x, y)
	var failed *commandError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &failed):
		*c = Cell{X: g.X.Values[x], Y: g.Y.Values[y], Done: true, Verdict: driver.Error, Trouble: failed.Error()}
		return nil
	case errors.Is(err, errNot):
		*c = Cell{X: g.X.Values[x], Y: g.Y.Values[y], Done: true, Verdict: driver.Skipped, Trouble: err.Error()}
		return nil
	case err != nil:
		return err
	}
	r := driver.Runner{Transport: b.Transport, Tile: b.Tile, Count: b.Count, Report: func(r *driver.Result) {
		if r.Verdict == driver.Error {
			trouble = cmp.Or(trouble, r.Reason)
		}
	}}
	tally, err := r.Run(ctx, b.Jobs)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case tally.Verdict() == driver.Skipped:
		return ErrNothing
	}
	c.Done, c.Verdict, c.Failed, c.Trouble = true, tally.Verdict(), tally.Verdicts[driver.Fail], trouble
	if c.Vectors = c.Failed + tally.Verdicts[driver.Pass]; c.Verdict == driver.Weak {
		c.Verdict, g.About.Weak = driver.Pass, tally.Weakness()
	}
	return err
}
