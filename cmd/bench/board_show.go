package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"utfbench/boards"
	"utfbench/boards/picture"
	"utfbench/internal/files"
)

func newBoardShow() *cobra.Command {
	var svg string
	cmd := &cobra.Command{
		Use:   "show BOARD",
		Short: "Draw how a board is wired: its header, or a table where it has none",
		Example: `  bench board show rpi
  bench board show rpi --svg wiring.svg
  bench board show ./my-board.yaml`,
		Args: cobra.ExactArgs(1),
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
	var out files.Set
	f, err := out.Create("--svg", path, 0)
	if err != nil {
		return err
	}
	_ = picture.SVG(f, b) // what cannot be written, commit tells
	if err := out.Commit(); err != nil {
		return benchFault(fmt.Errorf("--svg: %w", err))
	}
	return nil
}
