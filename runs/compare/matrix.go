package compare

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/report"
)

// A Target is one of the targets.
type Target struct {
	Name   string // as named by the user
	Device string // exclusive while the target is open, so targets of one device take turns; "" for none

	Open func(context.Context) (Chip, error)
}

// A Chip is an open Target.
type Chip interface {
	// Ask runs the vectors and reports them. An error means that the target could not be tested; transport errors
	// during the run are the Outcome's Trouble.
	Ask(context.Context, report.Reporter) error

	// Close parks the chip. It is called once, also after Ask.
	Close()
}

// A Matrix is a set of targets and their common vectors. Run opens all targets, tests each, and returns a [Table]. Its
// [Column] for each target is a report.Reporter that keeps the target's result for each vector. The Table has the
// verdict, the vectors that differ between targets, and a sentence; Text and JSON write it.
type Matrix struct {
	Targets []Target
	Timeout time.Duration // for opening a target, and again for testing it
	// Refuse reports whether the user must correct an error of Open, so that nothing runs: all targets are then opened
	// before the first one runs. If it is nil, nothing is refused, and each runs once it is open.
	Refuse func(error) bool
	Done   func() // called after each vector on each target, one call at a time; may be nil

	telling sync.Mutex // guards calls of Done
}

// errLate marks a target that took too long to open. It is never a usage error.
var errLate = errors.New("give a longer --timeout")

// Run opens and tests the targets. One that fails is ERROR in its column, and the others continue. The error is one
// that Refuse accepts, of the first target of its device, or the context's before any target ran. In both cases nothing
// was run.
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

// refused returns the reason why nothing runs.
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

// byDevice groups the targets by their indices, so that no two groups share a device.
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

// together calls do for all groups concurrently and waits.
func together(groups [][]int, do func([]int)) {
	var all failure.Group
	for _, group := range groups {
		all.Go(func() { do(group) })
	}
	all.Wait()
}

// asking is the test of one target.
type asking struct {
	matrix *Matrix
	target *Target
	column *Column
	chip   Chip
	err    error // from opening it
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
	a.chip = nil // not an interface with a nil pointer
	if late(limited) {
		a.err = fmt.Errorf("not open within %s: %w: %w", a.matrix.Timeout, errLate, a.err)
	}
}

// ask tests an open target and closes it. The column has the result.
func (a *asking) ask(ctx context.Context) {
	began := time.Now()
	defer a.close()
	limited, cancel := context.WithTimeoutCause(ctx, a.matrix.Timeout, &driver.Overtime{Limit: a.matrix.Timeout})
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
		a.column.Reason = fmt.Sprintf("no response within %s: give a longer --timeout", a.matrix.Timeout)
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

func late(ctx context.Context) bool { return errors.Is(ctx.Err(), context.DeadlineExceeded) }
