package native

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/history"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/transport/rp2040/demoboard"
)

// A Member is a run on one of several targets, which all run the same vectors at the same time.
type Member struct {
	station.Run
	Row   history.Row
	Notes []string // notes for the user on the board and the history
}

// NewMembers returns copies of a run for several transports. It refuses targets that share a device.
func NewMembers(r *station.Run, transports []string, boards []demoboard.Port) (all []*Member, err error) {
	devices := map[string]string{}
	for i, name := range transports {
		if slices.Contains(transports[:i], name) {
			return nil, failure.Usagef("transport %s is given twice: use each target once", name)
		}
		m := &Member{Run: *r, Row: history.Row{Target: name}}
		m.Target.Transport = name
		if err := ResolveAuto(&m.Target, boards); err != nil {
			return nil, err
		}
		device, err := m.Target.DeviceName()
		if err != nil {
			return nil, err
		}
		if other, met := devices[device]; met && device != "" {
			return nil, failure.Usagef("%s is the same device as %s: use it once", name, other)
		}
		devices[device], all = name, append(all, m)
	}
	return all, nil
}

func (m *Member) share(r *station.Run) error {
	m.Target = m.Target.WithTransport(m.Target.Transport)
	m.Target.Seed = r.Target.Seed
	asked, grade := *r.VectorPlan.Invocation, *r.Grade
	m.VectorPlan, m.Grade, m.Version, m.WiringCommand = r.VectorPlan, &grade, r.Version, r.WiringCommand
	m.VectorPlan.Invocation = &asked
	return m.Target.Check()
}

// RunMembers runs the vectors of a planned run on all members. Bad input for one of them is an error before any vector.
func RunMembers(ctx context.Context, r *station.Run, all []*Member, dir string, onResult func()) error {
	for _, m := range all {
		if err := m.share(r); err != nil {
			return err
		}
	}
	concurrently(all, func(m *Member) { m.Row.Err = m.open(ctx) })
	defer concurrently(all, func(m *Member) { m.Notes = append(m.Notes, m.Close()...) })
	for _, m := range all {
		if m.Row.Err != nil && failure.KindOf(m.Row.Err) == failure.User {
			return fmt.Errorf("%s: %w", m.Row.Target, m.Row.Err)
		}
	}
	concurrently(all, func(m *Member) { m.judge(ctx, dir, onResult) })
	return nil
}

// concurrently calls do for all members at the same time, and waits for them.
func concurrently(all []*Member, do func(*Member)) {
	var group failure.Group
	for _, m := range all {
		group.Go(func() { do(m) })
	}
	group.Wait()
}

// open opens the member's chip unless the run's time is up.
func (m *Member) open(ctx context.Context) error {
	err := m.Plan(ctx)
	if err == nil {
		err = m.Open(ctx)
	}
	if left, is := errors.AsType[*station.BoardStateError](err); is {
		m.Notes = append(m.Notes, left.BoardState)
	}
	if ctx.Err() != nil && context.Cause(ctx) != context.Canceled {
		err = failure.Newf(failure.Bench, "the time was over before the chip was open: give a longer --timeout")
	}
	return err
}

// judge runs the vectors on the open chip. It records the run in the history in dir, unless dir is "".
func (m *Member) judge(ctx context.Context, dir string, onResult func()) {
	if m.Row.Err == nil {
		m.Row.Err = m.Prepare(ctx)
	}
	if m.Row.Err != nil {
		return
	}
	o := Outputs{Text: &report.Text{Out: io.Discard}, Context: ctx, History: dir, Reporters: report.Reporters{&m.Row}}
	if m.Chip.Recording != nil {
		o.History = ""
	}
	_, m.Row.Err = o.Judge(ctx, &m.Run, report.ResultFunc(func(*driver.Result) error { onResult(); return nil }))
	m.Row.Number = o.RunNumber()
	if note := o.Note(); note != "" {
		m.Notes = append(m.Notes, "bench: "+m.Row.Target+": "+note)
	}
}
