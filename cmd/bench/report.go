package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/cause/cells"
	"utfbench/cause/shmoo"
	"utfbench/internal/browser"
	"utfbench/internal/files"
)

func newReport() *cobra.Command {
	var runs runFinder
	var out, grid, times, reach string
	var open bool
	cmd := &cobra.Command{
		Use:   "report RUN",
		Short: "Write the report of a recorded run as one HTML page",
		Long: `report judges a run again from its recording, and writes what came of it as one HTML file:
verdict, what explains the failures, waveforms around the first divergences, where it all comes
from.` + runWords,
		Args: takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := shmooOf(grid)
			if err != nil {
				return err
			}
			how, err := readTiming("timing", times)
			if err != nil {
				return err
			}
			coverage, err := readCoverage(reach)
			if err != nil {
				return err
			}
			c, err := runs.recording(args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			path := cmp.Or(out, strings.TrimSuffix(filepath.Base(args[0]), ".rec")+".html")
			number, err := runs.Number(args[0])
			if err != nil {
				return err
			}
			if err := again(cmd, io.Discard, c, &judging{html: path, shmoo: g, timing: how, coverage: coverage,
				number: number}); err != nil {
				return err
			}
			if _, err = fmt.Fprintln(cmd.OutOrStdout(), path); err != nil || !open {
				return err
			}
			if err := browser.Open(path); err != nil {
				return benchFault(fmt.Errorf("--open: %w", err))
			}
			return nil
		},
	}
	runs.flags(cmd)
	cmd.Flags().StringVar(&out, "out", "", "write it to this file (default: the recording's name, with .html)")
	cmd.Flags().BoolVar(&open, "open", false, "open it in the browser")
	cmd.Flags().StringVar(&grid, "shmoo", "", "show this shmoo too, which bench shmoo --csv wrote")
	cmd.Flags().StringVar(&times, "timing", "", "show how fast the chip is too, which bench timing --json wrote")
	cmd.Flags().StringVar(&reach, "coverage", "", "show how much of the silicon its vectors reach too, which bench "+
		"faults --json wrote")
	return cmd
}

// readCoverage reads the file of --coverage; nil without one.
func readCoverage(path string) (*cells.Report, error) {
	if path == "" {
		return nil, nil
	}
	f, err := files.Coverage.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--coverage: %w", err)
	}
	defer f.Close()
	r, err := cells.ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("--coverage: %s: %w", path, err)
	}
	return r, nil
}

// shmooOf reads the grid of --shmoo; nil without a file.
func shmooOf(path string) (*shmoo.Grid, error) {
	if path == "" {
		return nil, nil
	}
	g, err := readShmoo(path)
	if err != nil {
		return nil, fmt.Errorf("--shmoo: %w", err)
	}
	return g, nil
}
