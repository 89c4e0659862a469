package native

import (
	"context"
	"errors"
	"time"

	"utfbench/runs/history"
	"utfbench/runs/matrix"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
)

// A Group runs the same vectors on several targets, at the same time unless they share a device.
type Group struct {
	Run     station.Run   // common to all; its Target is ignored
	Timeout time.Duration // to open a target, and again to run the vectors
	History string        // to enter the runs into; "" is none
	// Refuse reports whether an error of a target keeps all from being asked: see matrix.Matrix.
	Refuse func(error) bool
	Done   func() // called after each vector on each target; may be nil
}

// A Member is one of the targets of a Group.
type Member struct {
	station.Run
	JUnit *report.JUnitRun // nil if there is none, since it keeps each vector
	Said  []string         // notes for the user, apart from its column

	of   *Group
	past *history.Writer
}

// Ask runs the vectors on all members. Column i of the table belongs to member i; an error means that nothing was run.
func (g *Group) Ask(ctx context.Context, all []*Member) (*matrix.Table, error) {
	m := matrix.Matrix{Timeout: g.Timeout, Done: g.Done, Refuse: g.Refuse}
	for _, one := range all {
		device, err := one.Target.Device()
		if err != nil {
			return nil, err
		}
		own := one.Run
		one.Run, one.of = g.Run, g
		one.Target, one.Wants, one.Then, one.Grade = own.Target, own.Wants, own.Then, new(station.Grading)
		one.Vectors.Explore = plan.Exploration{} // it was made
		m.Targets = append(m.Targets, matrix.Target{Name: one.Target.Transport, Device: device,
			Open: func(ctx context.Context) (matrix.Chip, error) { return one, one.open(ctx) }})
	}
	table, err := m.Run(ctx)
	for i, one := range all {
		if one.past == nil {
			continue
		}
		if note := one.past.Note(); note != "" {
			one.Said = append(one.Said, "bench: "+one.Target.Transport+": "+note)
		}
		if table != nil {
			table.Columns[i].Number = one.past.Number()
		}
	}
	return table, err
}

// Number returns the number of its run in the history, or 0.
func (m *Member) Number() int {
	if m.past == nil {
		return 0
	}
	return m.past.Number()
}

func (m *Member) open(ctx context.Context) error {
	err := m.Open(ctx)
	if err == nil {
		return nil
	}
	if left := new(station.LeftError); errors.As(err, &left) {
		m.Said = append(m.Said, left.Left)
	}
	m.Close()
	return err
}

// Close implements matrix.Chip.
func (m *Member) Close() { m.Said = append(m.Said, m.Run.Close()...) }

// Ask implements matrix.Chip.
func (m *Member) Ask(ctx context.Context, to report.Reporter) error {
	all := append(report.All{to}, Followed(m.Chip)...)
	if m.JUnit != nil {
		all = append(all, m.JUnit)
	}
	if m.of.History != "" && m.Chip.Recording == nil {
		m.past = history.NewWriter(m.of.History, m.Asked.Suites...)
		m.past.Due = DueAt(&m.Target)
		all = append(all, m.past)
	}
	_, err := m.Judge(ctx, all)
	return err
}

var _ matrix.Chip = (*Member)(nil)
