package main

import (
	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/plan"
	"utfbench/station"
)

// A selection is the vectors that a command works on, as its flags name them.
type selection struct {
	plan.Selection
	design *design
}

func (s *selection) flags(cmd *cobra.Command, d *design) {
	s.design = d
	selectFlags(cmd.Flags(), &s.Selection)
}

func (s *selection) fileFlag(cmd *cobra.Command, d *design) {
	s.design = d
	fileFlag(cmd.Flags(), &s.Selection)
}

// Plan returns the plan of a run of this selection.
func (s *selection) Plan(count int) (plan.Plan, error) {
	s.Tile = s.design.tile
	return s.Selection.Plan(count)
}

// Jobs returns the selected vectors.
func (s *selection) Jobs() ([]driver.Job, error) {
	s.Tile = s.design.tile
	return s.Selection.Jobs()
}

// find returns the vector of this name.
func (s *selection) find(name string) (driver.Job, error) {
	s.Tile = s.design.tile
	return s.Selection.Find(name)
}

// replayed returns the selected executions of a recording.
func (s *selection) replayed(c *station.Chip) (plan.Plan, error) { return c.PlanAgain(&s.Selection) }

// nothing says what left no vector.
func (s *selection) nothing() error { return s.Nothing() }

var errNothing = failure.Newf(failure.Nothing, "no vector is selected: see bench list for their names")
