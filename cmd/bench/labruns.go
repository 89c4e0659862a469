package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/failure"
	"utfbench/internal/terminal"
	"utfbench/lab/fleet"
	"utfbench/runs/history"
	"utfbench/transport/lab"
)

// openLabHistory reaches the history of the lab of an invitation, "" for the one that was used last. Close it.
func openLabHistory(cmd *cobra.Command, invitation string) (*fleet.History, error) {
	return fleet.OpenHistory(cmd.Context(), invitation, version(), cmd.ErrOrStderr())
}

// listLab gives the boards of the lab of an invitation, and where it is.
func listLab(cmd *cobra.Command, invitation string) (where string, list *lab.List, err error) {
	conn, err := lab.Enter(cmd.Context(), invitation, cmd.ErrOrStderr())
	if err != nil {
		return "", nil, err
	}
	defer conn.Close()
	if list, err = conn.Boards(cmd.Context()); err != nil {
		return "", nil, benchFault(err)
	}
	return conn.Invitation.Lab, list, nil
}

// onFlag adds --on, which selects boards of a lab; fleet.ParseOn parses it.
func onFlag(f *pflag.FlagSet, on *string) {
	f.StringVar(on, "on", "", "only boards that fit all of this: `KEY=PATTERN` or KEY!=PATTERN, with a comma between "+
		"two; KEY is board, host, kind, design or rev")
}

// ofLabFlag adds the flag that selects the lab's history.
func ofLabFlag(f *pflag.FlagSet, ofLab *bool) {
	f.BoolVar(ofLab, "lab", false, "the history of the lab (BENCH_LAB, or the one that was used last)")
}

// look shows the user's own history, or the lab's.
func (f *runFinder) look(cmd *cobra.Command, ofLab bool, show func(history.Source) error) (err error) {
	if ofLab && f.DB != "" {
		return failure.Usagef("--lab and --db are two histories: give one of them")
	}
	if ofLab {
		h, err := openLabHistory(cmd, "")
		if err != nil {
			return err
		}
		defer h.Close()
		return benchFault(show(h))
	}
	h, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { f.Remark(h) }()
	return benchFault(show(h))
}

// fetchRun returns the path of a recording of the lab's history, by the text after lab:, and fetches it if necessary.
func fetchRun(cmd *cobra.Command, run string) (string, error) {
	number, err := strconv.Atoi(run)
	if run != "last" && (err != nil || number < 1) {
		return "", failure.Usagef("%s%s: behind %[1]s comes the number of a run in the lab's history, or last; bench "+
			"history --lab lists them", history.OfLab, run)
	}
	cache, err := fleet.UserCache()
	if err != nil {
		return "", err
	}
	h, err := openLabHistory(cmd, "")
	if err != nil {
		return "", err
	}
	defer h.Close()
	done := terminal.Working("fetching " + history.OfLab + run)
	path, err := h.Fetch(number, cache)
	done()
	if err != nil && !lab.Refused(err) {
		err = benchFault(err)
	}
	return path, err
}

// handInDue hands in the runs due at a lab, this command's first, and prints each. A failure is a note, since a run is
// valid without it; the run stays due.
func handInDue(cmd *cobra.Command, invitation, db string, tell func(*fleet.Given), mine ...int) {
	note := func(err error) {
		if err != nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "note: %v; it is due, and bench lab hand-in hands in all that is\n", err)
		}
	}
	h, err := history.OpenOld(db)
	if err != nil {
		return // which was told: the run is not in the history
	}
	if due, err := h.Due(); err != nil || len(due) == 0 {
		return
	}
	if cmd.Context().Err() != nil {
		note(errors.New("the run is not handed in to the lab, as the command was stopped"))
		return
	}
	l, err := openLabHistory(cmd, invitation)
	if err != nil {
		note(fmt.Errorf("the run is not handed in to the lab: %w", err))
		return
	}
	defer l.Close()
	done := terminal.Working("handing in to the lab")
	var given []*fleet.Given
	err = l.HandInDue(h, func(g *fleet.Given) { given = append(given, g) }, mine...)
	done()
	note(err)
	for _, g := range given {
		switch {
		case g.Err == nil:
			tell(g)
		case g.Never():
			fmt.Fprintf(cmd.ErrOrStderr(), "note: %s\n", g)
		default:
			note(fmt.Errorf("%s", g))
		}
	}
}
