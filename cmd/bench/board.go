package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"utfbench/boards"
	"utfbench/boards/picture"
	"utfbench/desk"
	"utfbench/internal/files"
)

func newBoard() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "board",
		Short: "List boards, draw their wiring, check a board file",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBoardList(), newBoardShow(), newBoardCheck())
	return cmd
}

func newBoardList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the boards that are built in",
		Args:  cobra.NoArgs,
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

func newBoardShow() *cobra.Command {
	var svg string
	cmd := &cobra.Command{
		Use:   "show BOARD",
		Short: "Draw how a board is wired: its header, or a table where it has none",
		Example: `  bench board show rpi
  bench board show rpi --svg wiring.svg
  bench board show ./my-board.yaml`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeBoard,
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := boards.Open(args[0])
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("svg") {
				return writeSVG(svg, b)
			}
			return picture.Text(cmd.OutOrStdout(), b)
		},
	}
	cmd.Flags().StringVar(&svg, "svg", "", "draw the header into this file instead, as SVG")
	return cmd
}

func writeSVG(path string, b *boards.Board) error {
	if err := picture.SVG(io.Discard, b); err != nil {
		return err
	}
	f, err := files.Create(path, 0)
	if err != nil {
		return fmt.Errorf("--svg: %w", err)
	}
	if err := picture.SVG(f, b); err != nil {
		f.Discard()
		return benchFault(fmt.Errorf("--svg: %w", err))
	}
	if err := f.Commit(); err != nil {
		return benchFault(fmt.Errorf("--svg: %w", err))
	}
	return nil
}

func newBoardCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE",
		Short: "Check a board file",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := boards.Open(args[0])
			if err != nil {
				return err
			}
			if err := desk.CheckBoard(b); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s has a pin for each of %d signals, for the transport %s\n", b.File, b.Name, len(b.Pins), b.Transport)
			return err
		},
	}
}

func completeBoard(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return boards.Names(), cobra.ShellCompDirectiveDefault
}
