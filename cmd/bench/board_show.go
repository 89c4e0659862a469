package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"utfbench/boards"
	"utfbench/internal/files"
	"utfbench/tile"
)

func newBoardShow() *cobra.Command {
	var svg, labels string
	cmd := &cobra.Command{
		Use:   "show BOARD",
		Short: "Draw a board's wiring",
		Long: `show draws the header of a board with the signal at each pin, and what the tile calls it. --labels
draws a strip for a printer, to be put over the pins of the header; print it without scaling.`,
		Example: `  bench board show rpi
  bench board show rpi --svg wiring.svg --labels strip.svg
  bench board show ./my-board.yaml`,
		Args: takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := boards.Open(args[0])
			if err != nil {
				return err
			}
			if svg == "" && labels == "" {
				return boards.WriteText(cmd.OutOrStdout(), b, lineFunctions)
			}
			return drawBoard(b, map[string]string{"--svg": svg, "--labels": labels})
		},
	}
	cmd.Flags().StringVar(&svg, "svg", "", "draw the header into this file instead, as SVG")
	cmd.Flags().StringVar(&labels, "labels", "", "draw a strip of labels for the header into this file instead, as SVG")
	return cmd
}

// lineFunctions returns the tile's names of a line.
func lineFunctions(line string) string { return tile.LineName(usual, line) }

// drawBoard writes each drawing that has a path.
func drawBoard(b *boards.Board, paths map[string]string) error {
	draw := map[string]func(io.Writer, *boards.Board, boards.Functions) error{"--svg": boards.WriteSVG,
		"--labels": boards.WriteLabels}
	var out files.Set
	defer out.Discard()
	for flag, path := range paths {
		if path == "" {
			continue
		}
		if err := draw[flag](io.Discard, b, lineFunctions); err != nil {
			return err
		}
		f, err := out.Create(flag, path, 0)
		if err != nil {
			return err
		}
		_ = draw[flag](f, b, lineFunctions) // what cannot be written, commit tells
	}
	if err := out.Commit(); err != nil {
		return benchFault(fmt.Errorf("drawing: %w", err))
	}
	return nil
}
