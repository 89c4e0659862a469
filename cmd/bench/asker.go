package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/tags"
	"utfbench/runs/matrix"
	"utfbench/runs/plan"
)

// An asker asks several targets the same vectors, at the same time.
type asker struct {
	selected selection // for a recording
	asked    plan.Plan
	timeout  time.Duration
	noWiring bool
	history  string // to enter the runs into; "" is none
	tags     tags.Set
}

// ask runs the targets and prints their notes. See matrix.Matrix for refuse; an error means that nothing was run.
func (a *asker) ask(cmd *cobra.Command, all []*oneOf, refuse func(error) bool) (*matrix.Table, error) {
	bar, done := newBar(len(all)*a.asked.Vectors, "vectors"), 0
	m := matrix.Matrix{Timeout: a.timeout, Done: func() { done++; bar.at(done) }, Refuse: refuse}
	for _, one := range all {
		device, err := one.Device()
		if err != nil {
			return nil, err
		}
		one.selected, one.asked, one.noWiring = a.selected, a.asked, a.noWiring
		one.history, one.tags = a.history, a.tags
		m.Targets = append(m.Targets, matrix.Target{Name: one.Transport, Device: device,
			Open: func(ctx context.Context) (matrix.Chip, error) { return one, one.open(ctx) }})
	}
	table, err := m.Run(cmd.Context())
	bar.clear()
	for i, one := range all {
		if number := one.tell(cmd.ErrOrStderr()); table != nil {
			table.Columns[i].Number = number
		}
	}
	return table, err
}

var _ matrix.Chip = (*oneOf)(nil)
