package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/cause/minimise"
	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/terminal"
	"utfbench/runs/explain"
	"utfbench/runs/history"
	"utfbench/runs/identity"
	"utfbench/station"
	"utfbench/transport"
)

// minimiseOptions are the flags of bench minimise.
type minimiseOptions struct {
	target   target
	selected selection
	out      string
	timeout  time.Duration
	json     bool
}

func newMinimise(d *design) *cobra.Command {
	var o minimiseOptions
	cmd := &cobra.Command{
		Use:   "minimise VECTOR|RUN",
		Short: "Find a shortest sequence that still fails",
		Long: `minimise tries ever shorter and simpler sequences on the chip itself, until none without a step
of it, or with a simpler one, differs from the reference any more. It starts from a vector, or from
the first execution in a recording that is FAIL, and writes a vector that bench run --file
takes. A RUN brings its target along, flags and all, and the chip has to be the same one still;
-t names another target. A chip that fails now and then is asked often enough.

Exit codes: 0 a shortest sequence was found, 2 bad input, 3 the bench could not find out, or
--timeout was over, 5 there is nothing to minimise, 130 interrupted. The shortest until then is
written after 3 and 130 too, if there was one.

` + runWords,
		Args: takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	o.target.flags(cmd, d)
	o.target.runs.flags(cmd, d)
	f := cmd.Flags()
	o.selected.fileFlag(cmd, d)
	f.StringVar(&o.out, "out", "", "write the vector to this file (default: standard output)")
	jsonFlag(cmd, &o.json)
	f.DurationVar(&o.timeout, "timeout", 10*time.Minute, "stop after this long with the shortest so far")
	return cmd
}

func (o *minimiseOptions) run(cmd *cobra.Command, name string) error {
	if o.timeout <= 0 {
		return failure.Usagef("--timeout %s: has to be more than 0", o.timeout)
	}
	from, steps, recorded, err := o.start(cmd, name)
	if err != nil {
		return err
	}
	if err := o.target.design.tile.Lint(steps); err != nil {
		return benchFault(fmt.Errorf("%s: %w", from, err))
	}
	if o.out != "" {
		f, err := files.Create(o.out, 0) // what cannot be written is known before the search
		if err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		f.Discard()
	}
	c, err := o.target.open(cmd.Context(), cmd)
	if err != nil {
		return err
	}
	defer leave(cmd, c)
	if recorded != nil {
		if err := recorded.Still(name, c.Asked, c.Tile.Revision()); err != nil {
			return err
		}
	}
	search := minimise.Search{Transport: c.Transport, Tile: c.Tile}
	if terminal.Obeys(os.Stderr) {
		search.Progress = func(left, applied int) {
			terminal.Show(fmt.Sprintf("%d of %d steps left, %d applied", left, len(steps), applied), "")
		}
	}
	r, err := search.Within(cmd.Context(), o.timeout, steps)
	if search.Progress != nil {
		terminal.Clear()
	}
	if errors.Is(err, minimise.ErrPasses) {
		return failure.Newf(failure.Nothing, "%s does not fail %s, so there is nothing to minimise", c, from)
	}
	if cerr := c.Close(); cerr != nil && err == nil {
		err = fmt.Errorf("parking the chip: %w", cerr)
	}
	if r != nil {
		if werr := o.write(cmd.OutOrStdout(), c, r, from, len(steps)); werr != nil {
			return werr
		}
	}
	var stopped minimise.Stopped
	switch {
	case err == nil:
		return nil
	case errors.As(err, &stopped):
		return failure.New(failure.Interrupted, stopped)
	}
	return benchFault(err)
}

// start returns the steps to start from, and their name. A RUN sets the target, too, unless the command line names one;
// the returned identity is that of the required chip, if any.
func (o *minimiseOptions) start(cmd *cobra.Command, name string) (string, []transport.Step, *identity.Identity, error) {
	number, err := o.target.runs.Number(name)
	if err != nil {
		return "", nil, nil, err
	}
	if _, err := os.Stat(name); err != nil && number == 0 && !strings.HasPrefix(name, history.OfLab) {
		job, err := o.selected.find(name)
		if err != nil {
			return "", nil, nil, err
		}
		return name, job.Vector.Steps, nil, nil
	}
	c, err := o.target.runs.recording(name)
	if err != nil {
		return "", nil, nil, err
	}
	defer c.Close()
	pass, err := c.Recording.First(driver.Fail)
	if err != nil {
		return "", nil, nil, benchFault(err)
	}
	if pass == nil {
		return "", nil, nil, failure.Newf(failure.Nothing, "%s has no execution that is FAIL, so there is "+
			"nothing to minimise", name)
	}
	same, err := o.target.bring(cmd, name, &c.Recording.Start)
	switch {
	case err != nil:
		return "", nil, nil, fmt.Errorf("%s: %w", name, err)
	case !same:
		return pass.Vector, pass.Steps, nil, nil
	}
	return pass.Vector, pass.Steps, &c.Recording.Start.Identity, nil
}

// write writes the vector; to w where the file cannot be written any more, since the search may have taken long.
func (o *minimiseOptions) write(w io.Writer, c *station.Chip, r *minimise.Result, from string, whole int) error {
	var text bytes.Buffer
	if err := r.Vector(&text, from, c.String(), c.Tile); err != nil {
		return err
	}
	if o.json {
		return o.writeJSON(w, c, r, from, whole, text.Bytes())
	}
	if o.out == "" {
		_, err := w.Write(text.Bytes())
		return err
	}
	if err := files.Write(o.out, text.Bytes(), 0); err != nil {
		w.Write(text.Bytes())
		return benchFault(fmt.Errorf("--out: %w; the vector is on standard output instead", err))
	}
	explain.Minimised(w, c.Tile, r, from, whole)
	again := []string{"run", "--file", o.out}
	if n := r.Rate.Repeat(); n > 1 {
		again = append(again, "--count", strconv.Itoa(n))
	}
	_, err := fmt.Fprintf(w, "again: %s\n", pasted(c, again...))
	return err
}

// writeJSON writes the result for programs, with the vector in the document.
func (o *minimiseOptions) writeJSON(w io.Writer, c *station.Chip, r *minimise.Result, from string, whole int,
	vector []byte) error {
	if err := explain.MinimisedJSON(w, about(c), c.Tile, r, from, whole, string(vector)); err != nil || o.out == "" {
		return err
	}
	if err := files.Write(o.out, vector, 0); err != nil {
		return benchFault(fmt.Errorf("--out: %w; the vector is in what --json printed", err))
	}
	return nil
}
