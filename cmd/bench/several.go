package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/history"
	"utfbench/station"
	"utfbench/station/native"
)

// several runs the same vectors on several targets at once, and prints a table. A flag applies where it can be used.
func (o *runOptions) several(cmd *cobra.Command) error {
	err := refuse(cmd, "several targets: bench run -t replay:RUN makes it of one of the runs",
		append(native.OutputNames(), "vcd")...)
	if err != nil {
		return err
	}
	began, t := time.Now(), &o.target
	o.Target, o.Version, o.WiringCommand = t.Target, version(), (*station.Chip).WiringCommand
	all, err := native.NewMembers(&o.Run, append([]string{t.Transport}, t.others...), t.boards())
	if err != nil {
		return err
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		uses := func(m *native.Member) bool {
			return m.Target.CheckOptionUse(f.Name) == nil && m.Target.UsesOption(f.Name)
		}
		if !slices.ContainsFunc(all, uses) {
			err = cmp.Or(err, failure.Usagef("--%s %s: none of the targets has a use for it", f.Name, f.Value))
		}
	})
	if err == nil {
		err = o.Select(cmd.Context())
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(cmd.Context(), o.timeout, &driver.OvertimeError{Limit: o.timeout})
	defer cancel()
	dir := ""
	if !o.noHistory {
		dir = t.enterInto()
	}
	bar := t.progress.NewBar(len(all)*o.VectorPlan.Vectors*max(1, o.Count), "vectors")
	err = native.RunMembers(ctx, &o.Run, all, dir, func() { bar.Add(1) })
	bar.End()
	table := &history.Table{Tile: t.Tile.Name(), Vectors: o.VectorPlan.Vectors, Elapsed: time.Since(began)}
	for _, m := range all {
		writeLines(cmd.ErrOrStderr(), m.Notes)
		table.Rows = append(table.Rows, &m.Row)
	}
	if err != nil {
		return cmp.Or(cmd.Context().Err(), err)
	}
	if err := table.WriteText(cmd.OutOrStdout()); err != nil {
		return benchFault(fmt.Errorf("writing the table: %w", err))
	}
	return table.Err()
}
