package main

import (
	"github.com/spf13/cobra"

	"utfbench/internal/failure"
)

// newFaults returns the former command, which names its successor.
func newFaults() *cobra.Command {
	return &cobra.Command{
		Use:                "faults",
		Hidden:             true,
		DisableFlagParsing: true,
		// replaces the hook of bench, which reads settings
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE: func(*cobra.Command, []string) error {
			return failure.Usagef("bench faults has become bench strength: bench strength --netlist FILE")
		},
	}
}
