package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/lab/fleet"
	"utfbench/runs/history"
	"utfbench/transport/lab"
)

// labOf returns the history of the lab of an invitation, "" for the one that was used last.
func labOf(cmd *cobra.Command, invitation string) *fleet.User {
	return &fleet.User{Context: cmd.Context(), Invitation: invitation, Bench: version(), Out: cmd.OutOrStdout(),
		Notes: cmd.ErrOrStderr(), Working: cli.Working}
}

// listLab gives the boards of the lab of an invitation, and where it is.
func listLab(cmd *cobra.Command, invitation string) (where string, list *lab.List, err error) {
	defer cli.Working("waiting for the lab's response")()
	conn, err := lab.Enter(cmd.Context(), invitation, cmd.ErrOrStderr())
	if err != nil {
		return "", nil, err
	}
	defer conn.Close()
	list, err = conn.Boards(cmd.Context())
	return conn.Invitation.Lab, list, benchFault(err)
}

// onFlag adds --on, which selects boards of a lab; fleet.ParseOn parses it.
func onFlag(f *pflag.FlagSet, on *string) {
	f.StringVar(on, "on", "", "only boards that fit all of this: `KEY=PATTERN` or KEY!=PATTERN, with a comma between "+
		"two; KEY is board, host, kind, design or rev")
}

// look shows the user's own history, or the lab's.
func (f *runFinder) look(cmd *cobra.Command, ofLab bool, show func(history.Source) error) (err error) {
	if ofLab && f.DB != "" {
		return failure.Usagef("--lab and --db are two histories: give one of them")
	}
	if ofLab {
		h, err := labOf(cmd, "").Reach()
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
