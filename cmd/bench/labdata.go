package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/transport/lab"
)

// listLab gives the boards of the lab of an invitation, and where it is.
func listLab(cmd *cobra.Command, invitation string) (where string, list *lab.List, err error) {
	conn, err := dialLab(cmd, invitation)
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

// dialLab connects to the lab of an invitation, "" for the one that was used last. It remembers one that the lab took.
func dialLab(cmd *cobra.Command, invitation string) (*lab.Conn, error) {
	inv, err := lab.Open(invitation)
	if err != nil {
		return nil, err
	}
	conn, err := lab.Dial(cmd.Context(), inv)
	if err != nil {
		return nil, benchFault(err)
	}
	if err := lab.Remember(inv); err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "note: %v\n", err)
	}
	return conn, nil
}
