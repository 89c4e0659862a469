package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/settings"
)

// variables are the flags of a target that the environment may set.
var variables = settings.Variables{"transport", "board", "revision", "port", "design", "patience"}

// allVariables are of all flags that the environment may set, those too that are looked up where they are needed.
var allVariables = append(slices.Clone(variables), "db", "profile", "tile")

// takeSettings gives the flags of a command the values of bench.yaml, and tells of those that a stranger may have set.
func takeSettings(cmd *cobra.Command) error {
	take := settings.Command{Flags: cmd.Flags(), Target: targetFlags(), Variables: allVariables, Tells: tells}
	for _, c := range cmd.Root().Commands() {
		take.All = append(take.All, c.LocalFlags())
	}
	told, err := take.Take()
	if len(told) > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s of this folder sets %s\n", settings.FileName, strings.Join(told, " "))
	}
	return err
}

// told are flags that make the bench write a file, or go on where it would refuse. So are fileFlags.Outputs.
var told = []string{"vcd", "insist", "force", "reboot"}

// tells says whether a flag is told of when a file in the current folder sets it.
func tells(f *pflag.Flag) bool {
	_, writes := fileFlags.Outputs[f.Name]
	return (writes || slices.Contains(told, f.Name)) && f.Value.String() != f.DefValue
}
