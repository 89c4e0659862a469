package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"utfbench/cause/shmoo"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

func newShmooCompare() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Draw the difference of two shmoos",
		Long: `compare shows where one of two boards passes and the other does not, or one board before and
after, and for each row from which value on each passes. Both are files of bench shmoo --csv or
--json, over the same axes.

Exit codes: 0 no cell passes in one and fails in the other, 1 some do, 2 bad input.`,
		Example: `  bench shmoo --csv 6.csv -t rp2040 --port /dev/ttyACM0
  bench shmoo --csv 7.csv -t rp2040 --port /dev/ttyACM1
  bench shmoo compare 6.csv 7.csv`,
		Args: takes(2, 2),
		RunE: func(cmd *cobra.Command, paths []string) error { return compareShmoos(cmd, paths, asJSON) },
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func compareShmoos(cmd *cobra.Command, paths []string, asJSON bool) error {
	var grids [2]*shmoo.Grid
	for i, path := range paths {
		var err error
		if grids[i], err = shmoo.ReadFile(path); err != nil {
			return err
		}
	}
	both, err := shmoo.Compare(grids[0], grids[1])
	if err != nil {
		return fmt.Errorf("%s and %s: %w", paths[0], paths[1], err)
	}
	out := cmd.OutOrStdout()
	write := func(w io.Writer) error { return both.JSON(w, version()) }
	if !asJSON {
		write = both.Text
		for i, g := range grids {
			line := fmt.Sprintf("%c  %s", 'A'+i, paths[i])
			if len(g.About.Tags) > 0 {
				line += "; tags: " + g.About.Tags.String()
			}
			fmt.Fprintln(out, printable.Text(line))
		}
		fmt.Fprintln(out)
	}
	if err := write(out); err != nil {
		return benchFault(err)
	}
	if !both.Same() {
		return failure.Told(failure.Chip)
	}
	return nil
}
