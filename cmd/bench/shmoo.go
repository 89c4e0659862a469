package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"utfbench/report"
	"utfbench/shmoo"
	"utfbench/transport"
)

// shmooOptions are the flags of bench shmoo.
type shmooOptions struct {
	target        target
	selected      selection
	x, y          string
	count         int
	svg, png, csv string
}

// telling are the vectors of a cell unless the user says: 36 of three rows, a surrogate, a noncharacter and the last code point,
// in every form, order and with CHK high and low. They move every line both ways in some 1200 steps, 30 ms on a demo board.
const telling = `^chip/(bmp/0000D800|bmp/0000FFFF|astral/0010FFFF)/`

func newShmoo() *cobra.Command {
	var o shmooOptions
	cmd := &cobra.Command{
		Use:   "shmoo",
		Short: "Measure under which times a chip passes",
		Long: `shmoo runs vectors under each setting of one or two of the transport's knobs, and draws which passed: pulse is how long each half of a
clock pulse lasts at least, settle how long changed levels are left at least. It can set what the transport controls and nothing else:
mock (where only the faults fmax and setup see it) and gpio have knobs; a demo board and a simulation have none.

Exit codes: 0 all cells were measured, whatever they showed; 2 bad input; 3 the bench could not measure; 130 interrupted. What was
measured until then is drawn and written.`,
		Example: `  bench shmoo -x pulse=10ns..1us -y settle=0..100ns/6 --fault fmax=10MHz --fault uio3=setup:40ns`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.target.flags(cmd)
	o.selected.flags(cmd)
	f := cmd.Flags()
	f.StringVarP(&o.x, "xaxis", "x", "pulse=20ns..2us", "the knob to the right, KNOB=LOW..HIGH[/POINTS]")
	f.StringVarP(&o.y, "yaxis", "y", "", "the knob upwards (default: none)")
	f.IntVar(&o.count, "count", 3, "run the vectors this often in each cell, to tell FLAKY from FAIL")
	f.StringVar(&o.svg, "svg", "", "draw it into this file")
	f.StringVar(&o.png, "png", "", "draw it into this file")
	f.StringVar(&o.csv, "csv", "", "write a line for each cell into this file")
	return cmd
}

func (o *shmooOptions) run(cmd *cobra.Command) error {
	if o.count < 1 {
		return fmt.Errorf("--count %d: has to be 1 or more", o.count)
	}
	grid, err := o.grid()
	if err != nil {
		return err
	}
	if o.selected.run == "" && len(o.selected.suites)+len(o.selected.files) == 0 {
		o.selected.run = telling
	}
	jobs, err := o.selected.jobs()
	if err != nil {
		return err
	}
	if len(jobs) == 0 {
		return errNothing
	}
	files, err := o.files()
	defer discard(files)
	if err != nil {
		return err
	}
	c, err := o.target.open(cmd)
	if err != nil {
		return err
	}
	defer c.Close()
	knobs, ok := c.Transport.(transport.Tuner)
	if !ok {
		return fmt.Errorf("%s has no knobs, so there is nothing to set: mock and gpio have pulse and settle", c)
	}
	b := shmoo.Bench{Transport: c, Knobs: knobs, Revision: c.revision, Jobs: jobs, Count: o.count, Progress: cellProgress(len(grid.Cells))}
	if err := b.Check(grid); err != nil {
		return err
	}
	merr := b.Measure(cmd.Context(), grid)
	if cerr := c.Close(); cerr != nil && merr == nil {
		merr = fmt.Errorf("parking the chip: %w", cerr)
	}
	if err := o.show(cmd.OutOrStdout(), c, grid, len(jobs), files); err != nil {
		return benchFault(err)
	}
	if merr != nil {
		return c.stopped(cmd.Context(), merr)
	}
	return nil
}

func (o *shmooOptions) grid() (*shmoo.Grid, error) {
	x, err := shmoo.ParseAxis(o.x)
	if err != nil {
		return nil, err
	}
	var y shmoo.Axis
	if o.y != "" {
		if y, err = shmoo.ParseAxis(o.y); err != nil {
			return nil, err
		}
	}
	return shmoo.New(x, y), nil
}

// files starts what was asked for, so that one that cannot be written is known before anything is measured.
func (o *shmooOptions) files() (files map[string]*report.File, err error) {
	files = map[string]*report.File{}
	for flag, path := range map[string]string{"svg": o.svg, "png": o.png, "csv": o.csv} {
		if path == "" {
			continue
		}
		if files[flag], err = report.Create(path); err != nil {
			delete(files, flag)
			return files, fmt.Errorf("--%s: %w", flag, err)
		}
	}
	return files, nil
}

func discard(files map[string]*report.File) {
	for _, f := range files {
		f.Discard()
	}
}

func cellProgress(of int) func(done, of int) {
	if !isTerminal(os.Stderr) {
		return nil
	}
	bar := progressbar.NewOptions(of, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetDescription("cells"),
		progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	return func(done, _ int) { _ = bar.Set(done) } // a bar that cannot be drawn is no reason to stop
}

func (o *shmooOptions) show(w io.Writer, c *chip, g *shmoo.Grid, vectors int, files map[string]*report.File) error {
	fmt.Fprintf(w, "%s, board %s, compared with the %s model: %d vectors, %d times in each cell\n\n", c, c.board.Name, c.revision, vectors, o.count)
	if err := g.Text(w); err != nil {
		return err
	}
	for kind, f := range files {
		err := error(nil)
		if kind == "csv" {
			err = g.CSV(f)
		} else {
			err = g.Plot(f, c.String(), kind)
		}
		if err != nil {
			return err
		}
		if err := f.Commit(); err != nil {
			return err
		}
	}
	return nil
}
