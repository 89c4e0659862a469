package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/runs/history"
	"utfbench/runs/plan"
)

func newHistoryShow() *cobra.Command {
	var runs runFinder
	var verbose bool
	cmd := &cobra.Command{
		Use:   "show RUN",
		Short: "Show the report of a run again, from its recording",
		Long:  "show judges the recording of a run again. " + runWords,
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := runs.recording(args[0])
			if err == nil {
				defer c.Close()
				_, err = plan.Suites(c.Recording, c.Tile)
			}
			if err != nil {
				_ = runs.outline(cmd.OutOrStdout(), args[0]) // what is known without it; that it is gone is the error
				return err
			}
			if end := c.Recording.End; end != nil && badWires(end) {
				fmt.Fprintln(cmd.OutOrStdout(), "the wiring was at fault, and the chip was not judged")
				return nil
			}
			if err := again(cmd, cmd.OutOrStdout(), c, &judging{verbose: verbose}); err != nil {
				return err
			}
			return runs.since(cmd.OutOrStdout(), args[0])
		},
	}
	runs.flags(cmd)
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "a line for every vector, every failure in full")
	return cmd
}

// outline prints what the history knows of a run without its recording.
func (f *runFinder) outline(out io.Writer, run string) error {
	h, r, err := f.known(run)
	if r == nil {
		return err
	}
	defer h.Close()
	vectors, err := h.Vectors(r.Number)
	if err != nil {
		return benchFault(err)
	}
	w := bufio.NewWriter(out)
	defer w.Flush()
	s := &r.Start
	fmt.Fprintf(w, "run %d, %s, of bench %s: %s, board %s, compared with the %s model: %s\n", r.Number, s.Time.Local().Format(time.DateTime), s.Bench,
		s.Transport, s.Board, s.Revision, verdictOf(r))
	for _, v := range vectors {
		fmt.Fprintf(w, "%-7s %s\n        %d of %d: %s\n", v.Verdict, v.Name, v.Failed, v.Executions, v.Mismatch)
	}
	return nil
}

// known gives a run of the history, which is then open; nil if RUN is a path, or not in the history.
func (f *runFinder) known(run string) (*history.History, *history.Run, error) {
	number, err := f.number(run)
	if err != nil || number == 0 {
		return nil, nil, err
	}
	h, err := f.open()
	if err != nil {
		return nil, nil, err
	}
	r, err := h.Get(number)
	if err != nil {
		err = benchFault(err)
	}
	if r == nil {
		h.Close()
	}
	return h, r, err
}

// since says since when the board of a failing run fails; nothing for a path.
func (f *runFinder) since(out io.Writer, run string) error {
	h, r, err := f.known(run)
	if r == nil {
		return err
	}
	defer h.Close()
	if r.End == nil || r.End.Verdict != driver.Fail.String() && r.End.Verdict != driver.Flaky.String() {
		return nil
	}
	passed, failed, err := h.Since(r)
	if err != nil {
		return benchFault(err)
	}
	board := strings.TrimSpace(r.Start.Board + " " + r.Start.Device)
	switch {
	case failed == nil: // its own line was changed meanwhile
	case passed == nil:
		fmt.Fprintf(out, "run %d: no run passed on the board %s before it; the first that failed is run %d of %s\n", r.Number, board, failed.Number, when(failed))
	default:
		fmt.Fprintf(out, "run %d: passed on the board %s until run %d of %s; the first that failed since is run %d of %s\n", r.Number, board,
			passed.Number, when(passed), failed.Number, when(failed))
	}
	return nil
}

// when says when a run began and how much it asked, since a PASS of few vectors says little.
func when(r *history.Run) string {
	return fmt.Sprintf("%s (%d vectors)", r.Start.Time.Local().Format(time.DateTime), r.Start.Vectors)
}
