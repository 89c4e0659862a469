package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/driver/plan"
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
			plan.Show(w, job)
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
