package main

import "github.com/spf13/cobra"

func newBoard() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "board",
		Short: "List, draw and check boards",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBoardList(), newBoardShow(), newBoardCheck())
	return cmd
}
