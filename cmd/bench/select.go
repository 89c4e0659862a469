package main

import (
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/driver"
	"utfbench/runs/plan"
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

// of returns the selection, with the tile that was opened since the flags were made.
func (s *selection) of() *plan.Selection {
	s.Tile, s.Named = s.design.tile, s.design.name
	return &s.Selection
}

// some returns the selected vectors, at least one.
func (s *selection) some() ([]driver.Job, error) {
	jobs, err := s.of().Jobs()
	if err == nil && len(jobs) == 0 {
		err = s.Nothing()
	}
	return jobs, err
}

// refuseOwn refuses the flags that do not go with a RUN.
func refuseOwn(cmd *cobra.Command) error {
	return refuse(cmd, "a RUN: the recording has its own vectors", "file", "random", "seed", "revision")
}

// netlistFlag adds the flag that names a fabricated netlist.
func netlistFlag(f *pflag.FlagSet, path *string) {
	f.StringVar(path, "netlist", "", "gate-level Verilog of the tile, as place and route wrote it; docs/coverage.md "+
		"says where it is")
}

// writeText writes a text as it is.
func writeText(text string, w io.Writer) error {
	_, err := io.WriteString(w, text)
	return err
}
