package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/lab/fleet"
	"utfbench/runs/history"
)

// handingIn are the flags of bench lab hand-in.
type handingIn struct {
	runs   runFinder
	invite string
	all    bool
}

func newLabHandIn(d *design) *cobra.Command {
	var o handingIn
	cmd := &cobra.Command{
		Use:   "hand-in [RUN...]",
		Short: "Hand in runs to the lab's history",
		Long: `hand-in copies runs of this machine's history to the lab's history, which anybody in the lab can
read. By default it copies the runs that are due: those on boards of this lab that could not be
handed in when they ended. RUN is the number of any run in the history, or last. A run that the
lab has already is not entered again.

Exit codes: 0 the lab has them, 2 bad input, 3 the lab does not answer, or does not take one.`,
		Example: `  bench lab hand-in
  bench lab hand-in 7 8 last
  bench history --lab`,
		Args: takes(0, many),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.runs.flags(cmd, d)
	f := cmd.Flags()
	f.StringVar(&o.invite, "invite", "", "invitation to the lab (default: BENCH_LAB, or the one that was used last)")
	f.BoolVar(&o.all, "all", false, "every run of the history that ended and has its recording")
	return cmd
}

func (o *handingIn) run(cmd *cobra.Command, args []string) error {
	if o.all && len(args) > 0 {
		return failure.Usagef("--all hands in every run: leave it out, or name no RUN")
	}
	h, err := o.runs.Open()
	if err != nil {
		return err
	}
	named, err := o.numbers(h, args)
	if err != nil {
		return err
	}
	l, err := openLabHistory(cmd, o.invite)
	if err != nil {
		return err
	}
	defer l.Close()
	told, failed, err := giveAll(cmd, l, h, named)
	switch {
	case err != nil:
		return benchFault(err)
	case cmd.Context().Err() != nil:
		return failure.Told(failure.Interrupted)
	case failed > 0:
		return failure.Told(failure.Bench)
	case told == 0:
		return o.nothing(cmd, h, l.Where())
	}
	return nil
}

// giveAll hands in the named runs, or with nil those due, prints each, and counts those printed and those that failed.
func giveAll(cmd *cobra.Command, l *fleet.History, h *history.History, named []int) (told, failed int, err error) {
	tell := func(g *fleet.Given) {
		told++
		if g.Err != nil {
			failed++
			fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s\n", g)
			return
		}
		fmt.Fprintln(cmd.OutOrStdout(), g)
	}
	if named == nil {
		err = l.HandInDue(h, tell)
		return told, failed, err
	}
	for _, run := range named {
		if cmd.Context().Err() == nil {
			tell(l.HandIn(h, run))
		}
	}
	return told, failed, nil
}

// numbers returns the named runs, or all that can be handed in, the oldest first; nil without arguments.
func (o *handingIn) numbers(h *history.History, args []string) (all []int, err error) {
	if o.all {
		all = []int{} // of which there may be none
	}
	for _, run := range args {
		number, err := o.runs.Number(run)
		if err != nil {
			return nil, err
		}
		if number == 0 {
			return nil, failure.Usagef("%s is no number of a run in the history, nor last: only such a run is handed "+
				"in", run)
		}
		r, err := h.Get(number)
		if err != nil {
			return nil, benchFault(err)
		}
		if r == nil {
			return nil, failure.Usagef("there is no run %d: bench history lists the runs", number)
		}
		all = append(all, number)
	}
	if !o.all {
		return all, nil
	}
	for r, err := range h.Runs(history.Filter{}) {
		if err != nil {
			return nil, benchFault(err)
		}
		if _, err := os.Stat(h.Recording(r.Number)); err == nil && r.End != nil {
			all = append(all, r.Number)
		}
	}
	slices.Reverse(all)
	return all, nil
}

// nothing says that no run was handed in, and which are due elsewhere.
func (o *handingIn) nothing(cmd *cobra.Command, h *history.History, here string) error {
	fmt.Fprintf(cmd.OutOrStdout(), "no run is due at the lab %s; bench lab hand-in RUN hands in any\n", here)
	due, err := h.Due()
	if err != nil {
		return benchFault(err)
	}
	for _, d := range due {
		fmt.Fprintf(cmd.OutOrStdout(), "run %d is due at the lab %s\n", d.Run, d.Lab)
	}
	return nil
}
