package main

import "github.com/spf13/cobra"

func newLab(d *design) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lab",
		Short: "Share boards between machines",
		Long: `A lab is a server, the machines that offer boards to it, and their boards. An invitation is a file
that lets a machine in; benchlab serve, which is a program of its own, writes the first one. See
docs/lab.md.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newLabBoards(), newLabJoin(d), newLabRun(d), newLabSweep(d), newLabHandIn(d))
	return cmd
}
