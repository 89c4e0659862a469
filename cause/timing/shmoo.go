package timing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/transport"
)

// An Axis is a knob and its values in ascending order.
type Axis struct {
	Knob   string          `json:"knob"`
	Values []time.Duration `json:"values_ns"`
}

// A Cell is the result at one pair of settings.
type Cell struct {
	X, Y       time.Duration // times that were set; Y is 0 if there is no second axis
	Verdict    driver.Verdict
	Vectors    int    // number of judged executions
	Failed     int    // number of failed executions
	BenchError string // reason for the first ERROR
	Measured   bool
}

// About describes the target of a shmoo.
type About struct {
	Bench     string `json:"bench"` // version of the bench
	Transport string `json:"transport"`
	Board     string `json:"board"`
	Revision  string `json:"revision"` // revision of the reference
	Vectors   int    `json:"vectors"`  // number selected for each cell
	Count     int    `json:"count"`    // number of runs of each vector in a cell

	Tags files.Tags `json:"tags,omitempty"` // may be nil

	// only in JSON
	Tile       string    `json:"tile,omitempty"`
	Device     string    `json:"device,omitempty"` // distinguishes boards of the same kind
	Time       time.Time `json:"made,omitzero"`
	WeakReason string    `json:"weak,omitempty"` // why a PASS proves little: some outputs are never compared
	NoChip     bool      `json:"no_chip,omitempty"`
}

// Title describes the shmoo in one line.
func (a About) Title() string {
	with := ""
	if len(a.Tags) > 0 {
		with = "; tags: " + a.Tags.String()
	}
	often := "once"
	if a.Count != 1 {
		often = fmt.Sprintf("%d times", a.Count)
	}
	if a.NoChip {
		with += "; no chip was tested"
	}
	return fmt.Sprintf("%s, board %s, compared with %s: %s, %s in each cell%s", a.Transport,
		a.Board, tile.DescribeReference(a.Revision), printable.Count(a.Vectors, "vector"), often, with)
}

// A Grid is a shmoo. Its cells are stored row by row, shortest Y first.
type Grid struct {
	About About
	X, Y  Axis // Y has no knob and one value if there is no second axis
	Cells []Cell
}

// NewGrid returns a grid without measurements. y may be the zero Axis.
func NewGrid(x, y Axis) *Grid {
	if y.Knob == "" {
		y = Axis{Values: []time.Duration{0}}
	}
	return &Grid{X: x, Y: y, Cells: make([]Cell, len(x.Values)*len(y.Values))}
}

// ParseGrid returns a grid with axes in the syntax of ParseAxis. y may be empty.
func ParseGrid(x, y string) (*Grid, error) {
	right, err := ParseAxis(x)
	if err != nil {
		return nil, err
	}
	var up Axis
	if y != "" {
		up, err = ParseAxis(y)
	}
	return NewGrid(right, up), err
}

// At returns the cell at index x of X's values and y of Y's.
func (g *Grid) At(x, y int) *Cell { return &g.Cells[y*len(g.X.Values)+x] }

// XTime returns the time that was set in a column, or the requested time if no cell of the column was measured.
func (g *Grid) XTime(x int) time.Duration {
	for y := range g.Y.Values {
		if c := g.At(x, y); c.Measured {
			return c.X
		}
	}
	return g.X.Values[x]
}

// YTime is like XTime, for a row.
func (g *Grid) YTime(y int) time.Duration {
	for x := range g.X.Values {
		if c := g.At(x, y); c.Measured {
			return c.Y
		}
	}
	return g.Y.Values[y]
}

// CountMeasured returns the number of measured cells.
func (g *Grid) CountMeasured() (n int) {
	for i := range g.Cells {
		if g.Cells[i].Measured {
			n++
		}
	}
	return n
}

// FirstBenchError returns the first reason, except impossible settings, why the bench could not judge a cell, or "".
func (g *Grid) FirstBenchError() string {
	for i := range g.Cells {
		if c := &g.Cells[i]; c.BenchError != "" && c.Verdict != driver.Skipped {
			return c.BenchError
		}
	}
	return ""
}

// A ShmooRunner measures the cells of grids.
type ShmooRunner struct {
	Transport transport.Transport
	Knobs     transport.Tuner // if nil, Check uses the knobs of Transport
	Tile      tile.Tile
	Jobs      []driver.Job
	Count     int  // number of runs of each vector in a cell
	Insist    bool // also judge at speeds at which a good chip's samples are unknown
	Progress  func(done, of int)

	done int // number of measured cells
}

// EveryLinePattern matches the default vectors of a cell: 36 vectors of three rows (a control character, a surrogate of
// the private planes, the last code point), in every form and order, with CHK high and low. In 1352 steps they move
// every line in both directions.
const EveryLinePattern = `^chip/(bmp/0000009F|bmp/0000DB80|astral/0010FFFF)/`

// About describes the target of the measurement. bench is the version of the bench.
func (b *ShmooRunner) About(bench, board string) About {
	return About{Bench: bench, Transport: b.Transport.String(), Board: board, Revision: b.Tile.Revision(),
		Vectors: len(b.Jobs), Count: b.Count}
}

// Check reports, before the measurement, whether the knobs of the axes can be set.
func (b *ShmooRunner) Check(g *Grid) error {
	if b.Knobs == nil {
		b.Knobs, _ = b.Transport.(transport.Tuner)
	}
	if g.X.Knob == g.Y.Knob {
		return failure.Usagef("both axes are %s: give them different knobs", g.X.Knob)
	}
	for _, a := range []Axis{g.X, g.Y} {
		if a.Knob == "" {
			continue
		}
		if b.Knobs == nil || len(b.Knobs.Knobs()) == 0 {
			return failure.Usagef("%s has no knobs, so there is nothing to set: mock, gpio and demo boards have some",
				b.Transport)
		}
		for _, v := range []time.Duration{a.Values[0], a.Values[len(a.Values)-1]} {
			if err := transport.CheckKnob(b.Knobs.Knobs(), a.Knob, v); err != nil {
				return failure.Usagef("axis %s of %s: %w", a.Knob, b.Transport, err)
			}
		}
	}
	return nil
}

// Measure measures the cells and restores the knobs. It stops at the first error of the transport or ctx.
func (b *ShmooRunner) Measure(ctx context.Context, g *Grid) (err error) {
	defer func() {
		for _, k := range b.Knobs.Knobs() {
			if _, kerr := b.Knobs.Tune(context.WithoutCancel(ctx), k.Name, k.Default); err == nil {
				err = kerr
			}
		}
	}()
	b.done = 0
	for y := range slices.Backward(g.Y.Values) {
		for x := range slices.Backward(g.X.Values) {
			if err := b.cell(ctx, g, x, y); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *ShmooRunner) cell(ctx context.Context, g *Grid, x, y int) (err error) {
	c := g.At(x, y)
	defer func() {
		if b.done++; b.Progress != nil && c.Measured {
			b.Progress(b.done, len(g.Cells))
		}
	}()
	*c = Cell{}
	trouble := ""
	err = b.setAll(ctx, g, x, y)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errNot):
		*c = Cell{X: g.X.Values[x], Y: g.Y.Values[y], Measured: true, Verdict: driver.Skipped, BenchError: err.Error()}
		return nil
	case err != nil:
		return err
	}
	r := driver.Runner{Transport: b.Transport, Tile: b.Tile,
		Rules: driver.Rules{Count: b.Count}, Report: func(r *driver.Result) {
			if r.Verdict == driver.Error {
				trouble = cmp.Or(trouble, r.Reason)
			}
		}}
	tally, err := r.Run(ctx, b.Jobs)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case tally.Verdict() == driver.Skipped:
		return ErrNoVector
	}
	c.Measured, c.Verdict, c.Failed, c.BenchError = true, tally.Verdict(), tally.Verdicts[driver.Fail], trouble
	if c.Vectors = c.Failed + tally.Verdicts[driver.Pass]; c.Verdict == driver.Weak {
		c.Verdict, g.About.WeakReason = driver.Pass, tally.Weakness()
	}
	return err
}
