package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/boards"
	"utfbench/station/native"
	"utfbench/tile"
)

func newBoard() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "board",
		Short: "List the built-in boards",
		RunE:  func(cmd *cobra.Command, _ []string) error { return boards.WriteList(cmd.OutOrStdout()) },
	}
	cmd.AddCommand(newBoardShow(), newBoardCheck())
	return cmd
}

func newBoardShow() *cobra.Command {
	return &cobra.Command{
		Use:   "show BOARD",
		Short: "Draw the wiring of a built-in board, or of a board file",
		Example: `  bench board show rpi
  bench board show ./my-board.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := boards.Open(args[0])
			if err != nil {
				return err
			}
			names := func(line string) string { return tile.LineName(usualTile, line) }
			return boards.WriteText(cmd.OutOrStdout(), b, names)
		},
	}
}

func newBoardCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE",
		Short: "Check a board file",
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
