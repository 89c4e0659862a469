package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/cmdline"
	"utfbench/internal/failure"
	"utfbench/internal/settings"
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
func bringTarget(cmd *cobra.Command, run string, start *report.Start) (same bool, err error) {
	if start.Kind == "" && !cmd.Flags().Changed("transport") {
		return false, failure.Usagef("it was recorded by an older bench, which did not say how its chip is " +
			"reached: give " +
			"-t, and what else names it")
	}
	if err := refuseForeign(cmd, run, start.Target); err != nil {
		return false, err
	}
	return named().Bring(start.Target, cmd.Flags())
}

// refuseForeign refuses a recorded target that runs Verilog or joins a lab, unless the run is of the user's own history
// or the command line says the same: the author of a recording decides nothing that runs on this machine.
func refuseForeign(cmd *cobra.Command, run string, words []string) error {
	flags := targetFlags()
	if ownRun("replay:"+run) || cmd.Flags().Changed("transport") || flags.Parse(words) != nil { // which Bring reports
		return nil
	}
	var decide []string
	flags.Visit(func(f *pflag.Flag) {
		if runs(f) && !cmd.Flags().Changed(f.Name) && !slices.Contains(aside, f.Name) {
			decide = append(decide, settings.Words(f)...)
		}
	})
	if decide == nil {
		return nil
	}
	return failure.Usagef("it is not a run of your history, and its target decides what runs on this machine (%s): "+
		"if you trust it, give -t and the rest yourself", strings.Join(decide, " "))
}
