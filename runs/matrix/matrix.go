// Package matrix asks several targets the same vectors, at the same time where they share no device, and says where
// they agree: one table, a row a target, and one sentence.
//
// A [Target] is what a user names, such as rp2040:/dev/ttyACM1. [Matrix.Run] opens all of them, asks each, and gives a
// [Table]: a [Column] for each target, which is a report.Reporter that keeps what the target answered to each vector.
// The Table has the verdict, the vectors that are not the same on all targets, and the sentence; Text, JSON and HTML
// write it. Nothing here knows what kind of transport a target has.
package matrix

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"utfbench/driver"
	"utfbench/internal/crash"
	"utfbench/internal/printable"
	"utfbench/runs/report"
)

// A Target is one of the targets.
type Target struct {
	Name   string // as the user names it
	Device string // what it has to itself while it is open; targets of one device are asked in turn; "" is nothing

	Open func(context.Context) (Chip, error)
}

// A Chip is a Target that is open.
type Chip interface {
	// Ask runs the vectors and reports them. An error means that the target could not be tested; transport errors
	// during the run are the Outcome's Trouble.
	Ask(context.Context, report.Reporter) error

	// Close parks the chip. It is called once, also after Ask.
	Close()
}

// A Matrix is a set of targets and their common vectors.
type Matrix struct {
	Targets []Target
	Timeout time.Duration // to open a target, and again to ask it
	// Refuse reports whether an error of Open is the user's to correct, so that nothing runs: all targets are opened
	// before the first runs. If it is nil, nothing is refused, and each runs once it is open.
	Refuse func(error) bool
	Done   func() // called after each vector on each target, one call at a time; may be nil

	telling sync.Mutex // around Done
}

// errLate is in the error of a target that took longer to open than is allowed. It is never for the user to mend.
var errLate = errors.New("it was not open before the time was over, and a longer --timeout gives more")

// Run opens and tests the targets. One that fails is ERROR in its column, and the others continue. The error is one
// that Refuse accepts, of the first target of its device, or the context's before any ran. In both cases nothing was
// run.
func (m *Matrix) Run(ctx context.Context) (*Table, error) {
	began := time.Now()
	asked := make([]asking, len(m.Targets))
	t := &Table{}
	for i := range m.Targets {
		c := newColumn(m.Targets[i].Name)
		t.Columns = append(t.Columns, c)
		asked[i] = asking{matrix: m, target: &m.Targets[i], column: c}
	}
	groups := byDevice(m.Targets)
	if m.Refuse != nil {
		together(groups, func(group []int) { asked[group[0]].open(ctx) })
	}
	if err := m.refused(ctx, asked); err != nil {
		for i := range asked {
			asked[i].close()
		}
		return nil, err
	}
	together(groups, func(group []int) {
		for n, i := range group {
			if n > 0 || m.Refuse == nil {
				asked[i].open(ctx)
			}
			asked[i].ask(ctx)
		}
	})
	t.Elapsed = time.Since(began)
	return t, nil
}

// refused returns why nothing runs.
func (m *Matrix) refused(ctx context.Context, asked []asking) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range asked {
		if err := asked[i].err; err != nil && !errors.Is(err, errLate) && m.Refuse(err) {
			return fmt.Errorf("%s: %w", asked[i].column.Target, err)
		}
	}
	return nil
}

// byDevice groups the targets, by their indices, so that no two groups share a device.
func byDevice(targets []Target) (groups [][]int) {
	at := map[string]int{}
	for i := range targets {
		device := targets[i].Device
		n, met := at[device]
		if device != "" && met {
			groups[n] = append(groups[n], i)
			continue
		}
		at[device] = len(groups)
		groups = append(groups, []int{i})
	}
	return groups
}

// together does something for all groups at the same time, and returns when all is done.
func together(groups [][]int, do func([]int)) {
	var all crash.Group
	for _, group := range groups {
		all.Go(func() { do(group) })
	}
	all.Wait()
}

// asking is what becomes of a target.
type asking struct {
	matrix *Matrix
	target *Target
	column *Column
	chip   Chip
	err    error // of opening it
}

func (a *asking) open(ctx context.Context) {
	if a.err = ctx.Err(); a.err != nil {
		return
	}
	limited, cancel := context.WithTimeout(ctx, a.matrix.Timeout)
	defer cancel()
	if a.chip, a.err = a.target.Open(limited); a.err == nil {
		return
	}
	a.chip = nil // and no interface around nothing
	if late(limited) {
		a.err = fmt.Errorf("%w, %s: %w", errLate, a.matrix.Timeout, a.err)
	}
}

// ask asks a target that is open, and closes it. Whatever becomes of it is in its column.
func (a *asking) ask(ctx context.Context) {
	began := time.Now()
	defer a.close()
	limited, cancel := context.WithTimeout(ctx, a.matrix.Timeout)
	defer cancel()
	err := a.err
	if a.chip != nil {
		err = a.chip.Ask(limited, report.All{a.column, report.Each(a.matrix.done)})
		a.column.Took = time.Since(began)
	}
	switch {
	case err == nil:
	case ctx.Err() != nil:
		a.column.Stopped = true
	case late(limited):
		a.column.Reason = fmt.Sprintf("no answer within %s, and a longer --timeout gives more time", a.matrix.Timeout)
	default:
		a.column.Reason, a.column.Err = printable.Lines(err.Error()), err
	}
}

func (a *asking) close() {
	if a.chip != nil {
		a.chip.Close()
	}
}

func (m *Matrix) done(*driver.Result) error {
	m.telling.Lock()
	defer m.telling.Unlock()
	if m.Done != nil {
		m.Done()
	}
	return nil
}

// late reports whether the time limit passed.
func late(ctx context.Context) bool { return errors.Is(ctx.Err(), context.DeadlineExceeded) }
