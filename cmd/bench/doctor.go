package main

import "github.com/spf13/cobra"

func newDoctor() *cobra.Command {
	var t target
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Go through each layer between bench and chip, and say what to do about the first that fails",
		Long: `doctor goes from the port to the chip, a line for each layer: ok, or what is wrong and what to
do about it.

Exit codes: 0 all is well, 1 the chip or a wire, 2 bad input, 3 a layer before the chip, 5 all
is well of the model alone: no chip was asked.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return t.examine(cmd, cmd.OutOrStdout()) },
	}
	t.flags(cmd)
	return cmd
}
