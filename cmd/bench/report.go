package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/station/native"
)

// reporting are the flags of bench report.
type reporting struct {
	runs                     runFinder
	out                      string
	open                     bool
	shmoo, timing, diagnosis string // files that other commands wrote, "" for none
}

func newReport(d *design) *cobra.Command {
	var o reporting
	cmd := &cobra.Command{
		Use:   "report RUN",
		Short: "Write a run's report as one HTML page",
		Long: `report judges a run again from its recording, and writes one HTML file: verdict, what explains the
failures, waveforms around the first divergences, where it all comes from. ` + runWords,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	o.runs.flags(cmd, d)
	f := cmd.Flags()
	f.StringVar(&o.out, "out", "", "write it to this file (default: the recording's name, with .html)")
	f.BoolVar(&o.open, "open", false, "open it in the browser")
	f.StringVar(&o.shmoo, "shmoo", "", "show this shmoo too, which bench shmoo --json wrote")
	f.StringVar(&o.timing, "timing", "", "show how fast the chip is too, which bench timing --json wrote")
	f.StringVar(&o.diagnosis, "diagnosis", "", "show which cells explain it too, which bench diagnose --json "+
		"--netlist wrote")
	return cmd
}

func (o *reporting) run(cmd *cobra.Command, run string) (err error) {
	var j judging
	if err := native.Attach(&j.Page, o.shmoo, o.timing, o.diagnosis); err != nil {
		return err
	}
	c, err := o.runs.recording(run)
	if err != nil {
		return err
	}
	defer c.Close()
	if j.Number, err = o.runs.Number(run); err != nil {
		return err
	}
	j.HTML, j.HTMLFlag = cmp.Or(o.out, fileName(run, j.Number)+".html"), "--out"
	j.Page.Context = cmd.Context()
	done := cli.Working("judging again, and looking for what explains it")
	err = again(cmd, io.Discard, c, &j)
	done()
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintln(cmd.OutOrStdout(), j.HTML); err != nil || !o.open {
		return err
	}
	if err := cli.OpenPage(j.HTML); err != nil {
		return benchFault(fmt.Errorf("--open: %w", err))
	}
	return nil
}
