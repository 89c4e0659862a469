package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/boards"
)

func newBoardList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the built-in boards",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w := bufio.NewWriter(cmd.OutOrStdout())
			fmt.Fprintf(w, "%-14s  %-9s  %s\n", "board", "transport", "is")
			for _, name := range boards.Names() {
				b, err := boards.Open(name)
				if err != nil {
					return err
				}
				fmt.Fprintf(w, "%-14s  %-9s  %s\n", b.Name, b.Transport, b.Title)
			}
			return w.Flush()
		},
	}
}
