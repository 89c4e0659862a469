package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/driver"
)

func newShow() *cobra.Command {
	var selected selection
	cmd := &cobra.Command{
		Use:   "show VECTOR",
		Short: "Show the steps of a vector, what it expects, and where it comes from",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			job, err := selected.find(args[0])
			if err != nil {
				return err
			}
			w := bufio.NewWriter(cmd.OutOrStdout())
			defer w.Flush()
			show(w, job)
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			jobs, _ := selected.Jobs()
			var names []string
			for _, j := range jobs {
				names = append(names, j.Vector.Name)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	selected.fileFlag(cmd)
	return cmd
}

// find gives the vector of this name.
func (s *selection) find(name string) (driver.Job, error) {
	jobs, err := s.Jobs()
	if err != nil {
		return driver.Job{}, err
	}
	for _, j := range jobs {
		if j.Vector.Name == name {
			return j, nil
		}
	}
	words := []string{"list", "--vectors"}
	for _, file := range s.Files {
		words = append(words, "--file", file)
	}
	return driver.Job{}, fmt.Errorf("unknown vector %q; this lists all of them: %s", name, commandLine(words...))
}

func show(w *bufio.Writer, job driver.Job) {
	v := job.Vector
	fmt.Fprintf(w, "%s\n  file      %s:%d\n  document  %s\n  section   %s\n  row       %s\n",
		v.Name, job.File, v.Line, v.Source.Document, v.Source.Section, v.Source.Row)
	for _, field := range [][2]string{{"note", v.Note}, {"revision", v.Revision}, {"unicode", v.Unicode.String()}} {
		if field[1] != "" {
			fmt.Fprintf(w, "  %-9s %s\n", field[0], field[1])
		}
	}
	fmt.Fprintf(w, "\n%4s  %-2s %-3s %-2s  %s  %s  %-44s %s\n", "step", "ui", "uio", "oe", "rst_n", "clk", "does", "the vector expects")
	var q driver.Sequence
	q.Compile(v)
	checks := q.Checks
	for i, s := range q.Steps {
		expects := ""
		for len(checks) > 0 && checks[0].Step == i {
			expects += expectation(s.In, checks[0])
			checks = checks[1:]
		}
		rst := 1
		if s.Reset {
			rst = 0
		}
		fmt.Fprintf(w, "%4d  %02X %02X  %02X    %d    %3d  %-44s %s\n", i+1, s.In, s.IO, s.Drive, rst, s.Clocks, driver.Describe(s), expects)
	}
}

// expectation writes a checkpoint in bits, and in words where it is about flags. A bit that it leaves open is x.
func expectation(ui uint8, c driver.Check) string {
	text := ""
	if c.Out.Mask != 0 {
		text += " uo=" + driver.Binary(c.Out.Level, ^c.Out.Mask)
		text += " (" + driver.Flags(ui, c.Out.Level&c.Out.Mask) + ")"
	}
	if c.IO.Mask != 0 {
		text += " uio=" + driver.Hex(c.IO.Level, ^c.IO.Mask)
	}
	return text[1:]
}
