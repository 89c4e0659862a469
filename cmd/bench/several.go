package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/driver"
	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/runs/history"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
)

// A member is the run on one of several targets.
type member struct {
	station.Run
	row  history.Row
	said []string // for the user, about the board and the history
}

// several runs the same vectors on several targets at the same time, and prints a table of the runs. Nothing is run
// after a mistake of the user's.
func (o *runOptions) several(cmd *cobra.Command) error {
	err := refuse(cmd, "several targets: bench run -t replay:RUN makes it of one of the runs",
		append(native.OutputNames(), "vcd")...)
	if err != nil {
		return err
	}
	began := time.Now()
	all, err := o.members(cmd)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(cmd.Context(), o.timeout, &driver.OvertimeError{Limit: o.timeout})
	defer cancel()
	dir := ""
	if !o.noHistory {
		dir = o.target.runs.enterInto(cmd)
	}
	bar := o.target.progress.NewEagerBar(len(all)*o.VectorPlan.Vectors*max(1, o.Count), "vectors")
	together(all, func(m *member) { m.row.Err = m.open(ctx) })
	i := slices.IndexFunc(all, func(m *member) bool {
		return m.row.Err != nil && failure.KindOf(m.row.Err) == failure.User
	})
	if i < 0 {
		together(all, func(m *member) { m.judge(ctx, dir, bar) })
	}
	together(all, func(m *member) { m.said = append(m.said, m.Close()...) })
	bar.End()
	table := &history.Table{Tile: o.target.Tile.Name(), Vectors: o.VectorPlan.Vectors, Elapsed: time.Since(began)}
	for _, m := range all {
		writeLines(cmd.ErrOrStderr(), m.said)
		table.Rows = append(table.Rows, &m.row)
	}
	switch {
	case cmd.Context().Err() != nil && i >= 0:
		return cmd.Context().Err()
	case i >= 0:
		return fmt.Errorf("%s: %w", all[i].row.Target, all[i].row.Err)
	}
	out := cmd.OutOrStdout()
	if err := table.WriteText(out); err != nil {
		return benchFault(fmt.Errorf("writing the table: %w", err))
	}
	report.WriteSuggestions(out, table.Suggestions())
	return table.Err()
}

// members returns the runs, which share their vectors. A flag counts for each target that has a use for it.
func (o *runOptions) members(cmd *cobra.Command) (all []*member, err error) {
	t := &o.target
	names := append([]string{t.Transport}, o.others...)
	t.FindRecording = t.runs.Find
	devices := map[string]string{}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, failure.Usagef("transport %s is given twice: use each target once", name)
		}
		m := &member{Run: o.Run, row: history.Row{Target: name}}
		m.Target = t.Target
		m.Target.Transport = name
		if err := native.ResolveAuto(&m.Target, t.boards()); err != nil {
			return nil, err
		}
		device, err := m.Target.Device()
		if err != nil {
			return nil, err
		}
		if other, met := devices[device]; met && device != "" {
			return nil, failure.Usagef("%s is the same device as %s: use it once", name, other)
		}
		k, _, _ := m.Target.Kind() // which Device would have refused
		m.row.HasWires = k.HasWires
		devices[device], all = name, append(all, m)
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		uses := func(m *member) bool { return m.Target.CheckUse(f.Name) == nil && m.Target.Uses(f.Name) }
		if !slices.ContainsFunc(all, uses) {
			err = cmp.Or(err, failure.Usagef("--%s %s: none of the targets has a use for it", f.Name, f.Value))
		}
	})
	if err != nil {
		return nil, err
	}
	o.Target = t.Target
	if err := o.Select(cmd.Context()); err != nil {
		return nil, err
	}
	for _, m := range all {
		m.Target = m.Target.WithTransport(m.Target.Transport)
		if err := m.Target.Check(); err != nil {
			return nil, err
		}
		asked, grade := *o.VectorPlan.Invocation, *o.Grade
		m.VectorPlan, m.Grade, m.Version, m.WiringCommand = o.VectorPlan, &grade, version(),
			(*station.Chip).WiringCommand
		m.VectorPlan.Invocation = &asked
	}
	return all, nil
}

// together does something for each member at the same time, and waits.
func together(all []*member, do func(*member)) {
	var group failure.Group
	for _, m := range all {
		group.Go(func() { do(m) })
	}
	group.Wait()
}

// open opens the chip within the remaining time.
func (m *member) open(ctx context.Context) error {
	err := m.Plan(ctx)
	if err == nil {
		err = m.Open(ctx)
	}
	if left, is := errors.AsType[*station.BoardStateError](err); is {
		m.said = append(m.said, left.BoardState)
	}
	if ctx.Err() != nil && context.Cause(ctx) != context.Canceled {
		err = benchFault(fmt.Errorf("the time was over before the chip was open: give a longer --timeout"))
	}
	return err
}

// judge runs the vectors on an open chip.
func (m *member) judge(ctx context.Context, dir string, bar *cli.Bar) {
	if m.row.Err == nil {
		m.row.Err = m.Prepare(ctx)
	}
	if m.row.Err != nil {
		return
	}
	o := native.Outputs{Text: &report.Text{Out: io.Discard}, Context: ctx, History: dir,
		Reporters: report.Reporters{&m.row}}
	if m.Chip.Recording != nil {
		o.History = ""
	}
	_, m.row.Err = o.Judge(ctx, &m.Run, report.ResultFunc(func(*driver.Result) error { bar.Add(1); return nil }))
	m.row.Number = o.RunNumber()
	if note := o.Note(); note != "" {
		m.said = append(m.said, "bench: "+m.row.Target+": "+note)
	}
}
