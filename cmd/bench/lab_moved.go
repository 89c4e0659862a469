package main

import (
	"github.com/spf13/cobra"

	"utfbench/internal/failure"
)

// newLabMoved says where a command of the lab's server is now.
func newLabMoved(name string) *cobra.Command {
	return &cobra.Command{
		Use:                name,
		Hidden:             true,
		DisableFlagParsing: true,
		// replaces the hook of bench, which reads settings
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE: func(*cobra.Command, []string) error {
			return failure.Usagef("bench lab %[1]s is benchlab %[1]s now: the lab's server is a program "+
				"of its own", name)
		},
	}
}
