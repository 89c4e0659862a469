package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"utfbench/cause/cells"
	"utfbench/cause/shmoo"
	"utfbench/cause/timing"
	"utfbench/internal/files"
	"utfbench/internal/terminal"
)

// reporting are the flags of bench report.
type reporting struct {
	runs      runFinder
	out       string
	open      bool
	shmoo     string // files that other commands wrote, "" for none
	timing    string
	diagnosis string
}

func newReport(d *design) *cobra.Command {
	var o reporting
	cmd := &cobra.Command{
		Use:   "report RUN",
		Short: "Write a run's report as one HTML page",
		Long: `report judges a run again from its recording, and writes what came of it as one HTML file:
verdict, what explains the failures, waveforms around the first divergences, where it all comes
from.` + runWords,
		Args: takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	o.runs.flags(cmd, d)
	f := cmd.Flags()
	f.StringVar(&o.out, "out", "", "write it to this file (default: the recording's name, with .html)")
	f.BoolVar(&o.open, "open", false, "open it in the browser")
	f.StringVar(&o.shmoo, "shmoo", "", "show this shmoo too, which bench shmoo --csv or --json wrote")
	f.StringVar(&o.timing, "timing", "", "show how fast the chip is too, which bench timing --json wrote")
	f.StringVar(&o.diagnosis, "diagnosis", "", "show which cells explain it too, which bench diagnose --json "+
		"--netlist wrote")
	return cmd
}

func (o *reporting) run(cmd *cobra.Command, run string) error {
	j, err := o.read()
	if err != nil {
		return err
	}
	c, err := o.runs.recording(run)
	if err != nil {
		return err
	}
	defer c.Close()
	j.HTML = cmp.Or(o.out, fileName(run)+".html")
	if j.Number, err = o.runs.Number(run); err != nil {
		return err
	}
	if err := again(cmd, io.Discard, c, j); err != nil {
		return err
	}
	if _, err = fmt.Fprintln(cmd.OutOrStdout(), j.HTML); err != nil || !o.open {
		return err
	}
	if err := terminal.OpenPage(j.HTML); err != nil {
		return benchFault(fmt.Errorf("--open: %w", err))
	}
	return nil
}

// read reads the further contents of the page.
func (o *reporting) read() (*judging, error) {
	var j judging
	var err error
	if j.Page.Shmoo, err = shmooOf(o.shmoo); err != nil {
		return nil, err
	}
	if o.timing != "" {
		if j.Page.Timing, err = timing.ReadFile("timing", o.timing); err != nil {
			return nil, err
		}
	}
	if j.Page.Inside, err = readOf(files.Diagnosis, "--diagnosis", o.diagnosis, cells.ReadLocated); err != nil {
		return nil, err
	}
	return &j, nil
}

// readOf reads the file of a flag; nil without one.
func readOf[T any](kind files.Kind, flag, path string, read func(io.Reader) (*T, error)) (*T, error) {
	if path == "" {
		return nil, nil
	}
	f, err := kind.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	defer f.Close()
	r, err := read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", flag, path, err)
	}
	return r, nil
}

// shmooOf reads the grid of --shmoo; nil without a file.
func shmooOf(path string) (*shmoo.Grid, error) {
	if path == "" {
		return nil, nil
	}
	g, err := shmoo.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--shmoo: %w", err)
	}
	return g, nil
}
