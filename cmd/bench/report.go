package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/station"
)

// reporting holds the flags of bench report.
type reporting struct {
	*design
	html          string
	open, verbose bool
}

func newReport(d *design) *cobra.Command {
	var o reporting
	cmd := &cobra.Command{
		Use:   "report RUN",
		Short: "Show a run's report again, as text or as a page",
		Long: `report judges a run again from its recording, and prints its report. With --html or --open it
writes one HTML file: verdict, what explains the failures, waveforms around the first divergences,
where it all comes from. ` + runWords + `

Exit codes: 0 the report is written, whatever its verdict; 3 the recording is incomplete.`,
		Example: `  bench report last -v
  bench report 7 --html 7.html --open`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	o.design = d
	d.tileFlag(cmd)
	f := cmd.Flags()
	f.StringVar(&o.html, "html", "", "write a page to this `FILE`")
	f.BoolVar(&o.open, "open", false, "open the page in the browser (default of --html: the RUN's name, with .html)")
	verboseFlag(f, &o.verbose, "a line for every vector, every failure with more of its steps")
	return cmd
}

func (o *reporting) run(cmd *cobra.Command, run string) error {
	c, err := o.recording(run)
	if err == nil {
		defer c.Close()
		_, err = c.Recording.Suites(c.Tile)
	}
	if err != nil {
		if r, rerr := o.runs.FindRun(run); rerr == nil && r != nil && (r.Pruned || c != nil) {
			r.WriteOutline(cmd.OutOrStdout())
		}
		return err
	}
	show := o.text
	if o.html != "" || o.open {
		show = o.page
	}
	return cmp.Or(show(cmd, run, c), complete(c))
}

func (o *reporting) text(cmd *cobra.Command, run string, c *station.Chip) error {
	c.Recording.Path = o.runs.StableNames([]string{run})[0] // the user's name for the run
	return again(cmd, cmd.OutOrStdout(), c, &judging{design: o.design, verbose: o.verbose})
}

// page writes the page, and opens it if --open is given.
func (o *reporting) page(cmd *cobra.Command, run string, c *station.Chip) (err error) {
	j := judging{design: o.design}
	if j.JudgedNumber, err = o.runs.Number(run); err != nil {
		return err
	}
	j.HTML, j.NoPartialPage = cmp.Or(o.html, o.env.Path(o.runs.FileName(run)+".html")), true
	done := o.ShowActivity("judging again, and looking for what explains it")
	err = again(cmd, io.Discard, c, &j)
	done()
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintln(cmd.OutOrStdout(), j.HTML); err != nil || !o.open {
		return err
	}
	if err = cli.OpenPage(j.HTML); err != nil {
		err = fmt.Errorf("--open: %w", err)
	}
	return benchFault(err)
}
