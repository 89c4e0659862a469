package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/cmdline"
	"utfbench/internal/failure"
	"utfbench/runs/report"
)

// aside are flags of a target that write a file, and have no part in which chip it is.
var aside = []string{"sim-vcd"}

// targetFlags returns only a target's flags.
func targetFlags() *pflag.FlagSet {
	cmd := &cobra.Command{}
	new(target).flags(cmd, usualDesign())
	return cmd.Flags()
}

// named returns a target's flags with their command-line forms.
func named() *cmdline.Target {
	return &cmdline.Target{Flags: targetFlags(), Kinds: flagsOf, Aside: aside}
}

// targetWords name the target of a command as on its command line.
func targetWords(cmd *cobra.Command) []string { return named().Words(cmd.Flags()) }

// bringTarget sets the flags by which a recorded run reached its chip, where the command line has no other. It says
// whether the target is the recorded one, with nothing changed.
func bringTarget(cmd *cobra.Command, start *report.Start) (same bool, err error) {
	if start.Kind == "" && !cmd.Flags().Changed("transport") {
		return false, failure.Usagef("it was recorded by an older bench, which did not say how its chip is " +
			"reached: give " +
			"-t, and what else names it")
	}
	return named().Bring(start.Target, cmd.Flags())
}
