package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/boards"
	"utfbench/station/native"
)

func newBoardCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE",
		Short: "Check a board file",
		Args:  takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := boards.Open(args[0])
			if err != nil {
				return err
			}
			if err := native.CheckBoard(b); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s has a pin for each of %d signals, for the transport %s\n",
				b.File, b.Name, len(b.Pins), b.Transport)
			return err
		},
	}
}
