package main

import "github.com/spf13/cobra"

func newLab() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lab",
		Short: "Many boards on many machines: serve a lab, invite machines, see its boards",
		Long: `A lab is a server, the machines that offer boards to it, and their boards. An invitation is a file
that lets a machine in; bench lab serve writes the first one. See docs/lab.md.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newLabServe(), newLabInvite(), newLabRevoke(), newLabKeys(), newLabHosts(), newLabBoards(),
		newLabPage(), newLabJoin(), newLabRun(), newLabSweep(), newLabHandIn(), newLabMeasurements())
	return cmd
}
