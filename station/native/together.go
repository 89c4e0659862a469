package native

import (
	"context"
	"errors"
	"slices"
	"time"

	"utfbench/internal/failure"
	"utfbench/runs/compare"
	"utfbench/runs/history"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
)

// A Group runs the same vectors on several targets, at the same time unless they share a device.
type Group struct {
	Run     station.Run   // common to all; its Target is ignored
	Timeout time.Duration // to open a target, and again to run the vectors
	History string        // to enter the runs into; "" is none
	// Refuse reports whether an error of a target keeps all from being asked: see compare.Matrix.
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
func (g *Group) Ask(ctx context.Context, all []*Member) (*compare.Table, error) {
	m := compare.Matrix{Timeout: g.Timeout, Done: g.Done, Refuse: g.Refuse}
	for _, one := range all {
		device, err := one.Target.Device()
		if err != nil {
			return nil, err
		}
		own := one.Run
		one.Run, one.of = g.Run, g
		one.Target, one.Wants, one.Grade = own.Target, own.Wants, new(station.Grading)
		one.Tags = g.Run.Tags.With(own.Tags)
		one.Vectors.Explore = plan.Exploration{} // it was made
		m.Targets = append(m.Targets, compare.Target{Name: one.Target.Transport, Device: device,
			Open: func(ctx context.Context) (compare.Chip, error) { return one, one.open(ctx) }})
	}
	table, err := m.Run(ctx)
	for i, one := range all {
		if note := one.past.Note(); note != "" {
			one.Said = append(one.Said, "bench: "+one.Target.Transport+": "+note)
		}
		if table != nil {
			table.Columns[i].Number = one.Number()
		}
	}
	return table, err
}

// Number returns the number of its run in the history, or 0.
func (m *Member) Number() int { return m.past.Number() }

func (m *Member) open(ctx context.Context) error {
	err := m.Open(ctx)
	if err == nil {
		return nil
	}
	if left, is := errors.AsType[*station.LeftError](err); is {
		m.Said = append(m.Said, left.Left)
	}
	m.Close()
	return err
}

// Close implements compare.Chip.
func (m *Member) Close() { m.Said = append(m.Said, m.Run.Close()...) }

// Ask implements compare.Chip.
func (m *Member) Ask(ctx context.Context, to report.Reporter) error {
	all := report.All{to}
	if m.JUnit != nil {
		all = append(all, m.JUnit)
	}
	if m.of.History != "" && m.Chip.Recording == nil {
		m.past = history.NewWriter(m.of.History, m.Asked.Suites...)
		all = append(all, m.past)
	}
	_, err := m.Judge(ctx, all)
	return err
}

var _ compare.Chip = (*Member)(nil)

// Plan selects the vectors of all members, of a tile.
func (g *Group) Plan(ctx context.Context, of *station.Target) (err error) {
	r := &g.Run
	r.Vectors.Tile, r.Vectors.Named = of.Tile, of.TileName
	r.Vectors.Seed, r.Vectors.Context = of.Seed, ctx
	if r.Asked, err = r.Vectors.Plan(1); err != nil {
		return err
	}
	r.Asked.Asked.NoWiring = r.NoWiring
	if r.Asked.Vectors == 0 {
		return r.Vectors.Nothing()
	}
	return nil
}

// About says of the group's table what it is about.
func (g *Group) About() compare.About {
	return compare.About{Bench: g.Run.Version, Tile: g.Run.Vectors.Tile.Name(), Vectors: g.Run.Asked.Vectors,
		Digest: g.Run.Asked.Digest}
}

// Members makes the members of transports, two of them or more.
func Members(transports []string, member func(transport string) (*Member, error)) (all []*Member, err error) {
	for _, name := range transports {
		if slices.ContainsFunc(all, func(m *Member) bool { return m.Target.Transport == name }) {
			return nil, failure.Usagef("transport %s is given twice: use each target once", name)
		}
		one, err := member(name)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	if len(all) < 2 {
		return nil, failure.Usagef("a matrix needs at least two targets, not %d: give each with -t, or use bench run",
			len(all))
	}
	return all, nil
}

// Use refuses an option with a value that no member uses.
func Use(all []*Member, board, option, value string, given bool) error {
	users := 0
	for _, one := range all {
		of := one.Target
		if of.Board = board; of.Uses(option) {
			users++
		}
	}
	if users == 0 && given {
		return failure.Usagef("--%s %s: none of the targets has a use for it", option, value)
	}
	return nil
}
