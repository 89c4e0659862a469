// Package shmoo measures under which times a chip passes: vectors are run at each cell of a grid of knob settings.
//
// # Words
//
//   - A shmoo is a grid of cells over one or two axes. An axis is a knob of the transport (transport.Knob) with values.
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
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/tags"
	"utfbench/tile"
	"utfbench/transport"
)

// An Axis is a knob and the values that it is set to, ascending.
type Axis struct {
	Knob   string
	Values []time.Duration
}

// A Cell is what a chip did under one setting.
type Cell struct {
	X, Y    time.Duration // as the transport took them; Y is 0 without a second axis
	Verdict driver.Verdict
	Vectors int    // judged, each time counted
	Failed  int    // of them
	Trouble string // why it is ERROR: the first reason
	Done    bool
}

// About is what a shmoo was measured on and with. A grid that was read from CSV does not know it.
type About struct {
	Bench     string `json:"bench"` // its version
	Transport string `json:"transport"`
	Board     string `json:"board"`
	Revision  string `json:"revision"` // that the chip is compared with
	Vectors   int    `json:"vectors"`  // selected for each cell
	Count     int    `json:"count"`    // how often each runs there

	Tags tags.Set `json:"tags,omitempty"` // circumstances; may be nil
}

// Title is one line of it.
func (a About) Title() string {
	if a.Transport == "" {
		return "shmoo"
	}
	with := ""
	if len(a.Tags) > 0 {
		with = "; tags: " + a.Tags.String()
	}
	return fmt.Sprintf("%s, board %s, compared with the %s model: %d vectors, %d times in each cell%s", a.Transport,
		a.Board, a.Revision, a.Vectors, a.Count, with)
}

// A Grid is a shmoo. Cells are row by row, the row of the shortest Y first.
type Grid struct {
	About About
	X, Y  Axis // Y has no knob and one value when there is one axis
	Cells []Cell
}

// points is how many values an axis has if it does not say.
const points = 12

// mostPoints is how many it has at most.
const mostPoints = 100

// ParseAxis reads KNOB=LOW..HIGH[/N], as in pulse=20ns..2us/8: N values, with equal factors if HIGH is ten times LOW or
// more, else with equal differences.
func ParseAxis(text string) (a Axis, err error) {
	knob, span, ok := strings.Cut(text, "=")
	span, number, many := strings.Cut(span, "/")
	from, to, ranged := strings.Cut(span, "..")
	n := points
	if many {
		n, err = strconv.Atoi(number)
	}
	low, lerr := time.ParseDuration(from)
	high, herr := time.ParseDuration(to)
	if !ok || knob == "" || !ranged || err != nil || lerr != nil || herr != nil || n < 2 || n > mostPoints ||
		low < 0 || high <= low {
		return a, fmt.Errorf("axis %q: say KNOB=LOW..HIGH or KNOB=LOW..HIGH/N, two times, the lower first, and N "+
			"from 2 to 100, as in pulse=20ns..2us/8", text)
	}
	a.Knob = knob
	for i := range n {
		at := float64(i) / float64(n-1)
		v := float64(low) + at*float64(high-low)
		if low > 0 && high >= 10*low {
			v = float64(low) * math.Pow(float64(high)/float64(low), at)
		}
		if d := time.Duration(math.Round(v)); len(a.Values) == 0 || d > a.Values[len(a.Values)-1] {
			a.Values = append(a.Values, d)
		}
	}
	return a, nil
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
	return New(right, up), err
}

// At is the cell of two values by their indices.
func (g *Grid) At(x, y int) *Cell { return &g.Cells[y*len(g.X.Values)+x] }

// XTime is the time of a column as the transport took it, or as it was asked for if no cell of the column was measured.
func (g *Grid) XTime(x int) time.Duration {
	for y := range g.Y.Values {
		if c := g.At(x, y); c.Done {
			return c.X
		}
	}
	return g.X.Values[x]
}

// YTime is that of a row.
func (g *Grid) YTime(y int) time.Duration {
	for x := range g.X.Values {
		if c := g.At(x, y); c.Done {
			return c.Y
		}
	}
	return g.Y.Values[y]
}

// Measured is how many cells were.
func (g *Grid) Measured() (n int) {
	for _, c := range g.Cells {
		if c.Done {
			n++
		}
	}
	return n
}

// Trouble says why the bench could not judge somewhere, though the transport worked; it is empty where it could.
func (g *Grid) Trouble() string {
	for i := range g.Cells {
		if trouble := g.Cells[i].Trouble; trouble != "" {
			return trouble
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
	Count     int // how often each vector runs in a cell
	Progress  func(done, of int)
}

// EveryLine matches the names of the vectors of a cell, unless a user says others: 36 of three rows, a control
// character, a surrogate of the private planes and the last code point, in every form, order and with CHK high and low.
// They move every line both ways, in 1352 steps.
const EveryLine = `^chip/(bmp/0000009F|bmp/0000DB80|astral/0010FFFF)/`

// About says what the runner measures on and with, for a bench of a version and the name of the board.
func (b *Runner) About(bench, board string) About {
	return About{Bench: bench, Transport: b.Transport.String(), Board: board, Revision: b.Tile.Revision(),
		Vectors: len(b.Jobs), Count: b.Count}
}

// Check says whether the axes can be set, before anything is measured.
func (b *Runner) Check(g *Grid) error {
	if b.Knobs == nil {
		b.Knobs, _ = b.Transport.(transport.Tuner)
	}
	if b.Knobs == nil || len(b.Knobs.Knobs()) == 0 {
		return fmt.Errorf("%s has no knobs, so there is nothing to set: mock, gpio, and a demo board with an RP2040 "+
			"have pulse and settle", b.Transport)
	}
	for _, a := range []Axis{g.X, g.Y} {
		if a.Knob == "" {
			continue
		}
		for _, v := range []time.Duration{a.Values[0], a.Values[len(a.Values)-1]} {
			if err := transport.CheckKnob(b.Knobs.Knobs(), a.Knob, v); err != nil {
				return fmt.Errorf("axis %s of %s: %w", a.Knob, b.Transport, err)
			}
		}
	}
	if g.X.Knob == g.Y.Knob {
		return fmt.Errorf("both axes are %s: give them different knobs", g.X.Knob)
	}
	return nil
}

// Measure fills the grid, and puts the knobs back. It stops at the first error of the transport, or ctx's; what was
// measured is in the grid then.
func (b *Runner) Measure(ctx context.Context, g *Grid) (err error) {
	defer func() {
		for _, k := range b.Knobs.Knobs() {
			if _, kerr := b.Knobs.Tune(k.Name, k.Default); err == nil {
				err = kerr
			}
		}
	}()
	done := 0
	for y := range slices.Backward(g.Y.Values) {
		for x := range slices.Backward(g.X.Values) {
			if err := b.cell(ctx, g, x, y); err != nil {
				return err
			}
			if done++; b.Progress != nil {
				b.Progress(done, len(g.Cells))
			}
		}
	}
	return nil
}

// ErrNothing is returned by Measure if none of the vectors is meant for the chip.
var ErrNothing = errors.New("none of the vectors is meant for this chip")

func (b *Runner) cell(ctx context.Context, g *Grid, x, y int) (err error) {
	c := g.At(x, y)
	if c.X, err = b.Knobs.Tune(g.X.Knob, g.X.Values[x]); err != nil {
		return err
	}
	if g.Y.Knob != "" {
		if c.Y, err = b.Knobs.Tune(g.Y.Knob, g.Y.Values[y]); err != nil {
			return err
		}
	}
	trouble := ""
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
	c.Vectors = c.Failed + tally.Verdicts[driver.Pass]
	return err
}
