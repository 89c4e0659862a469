package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/internal/document"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the bench",
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), versionLine())
			return err
		},
	}
}

// release is the version of a released binary, and commit its source: -ldflags "-X main.release=1.0.0 -X
// main.commit=...".
var release, commit = "", ""

func version() string     { return document.Build{Release: release, Commit: commit}.Version() }
func versionLine() string { return document.Build{Release: release, Commit: commit}.Line("bench") }
