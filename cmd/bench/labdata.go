package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/lab/server"
	"utfbench/transport/lab"
)

// A labData is the folder of a lab's server, for the commands that need it and not the lab.
type labData struct{ given string }

func (d *labData) flag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&d.given, "data", "", "the `folder` of the lab's server (default: lab, where the history is)")
}

// Folder is that of the flag, else that of the user.
func (d *labData) Folder() (string, error) {
	if d.given != "" {
		return d.given, nil
	}
	dir, err := files.Data()
	if err != nil {
		return "", failure.Usagef("%w: give --data", err)
	}
	return filepath.Join(dir, "lab"), nil
}

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

// onFlag is the flag that says which boards of a lab are meant; fleet.ParseOn reads it.
func onFlag(f *pflag.FlagSet, on *string) {
	f.StringVar(on, "on", "", "only boards that fit all of this: `KEY=PATTERN` or KEY!=PATTERN, with a comma between "+
		"two; KEY is board, host, kind, design or rev")
}

// labError gives an error of the lab's server its exit code.
func labError(err error) error {
	var fault *server.Fault
	if errors.As(err, &fault) {
		return benchFault(err)
	}
	return failure.Usage(err)
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
