package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/cli"
	"utfbench/station"
	"utfbench/station/native"
)

// variables are the flags of a target that the environment may set.
var variables = cli.Variables{"transport", "board", "revision", "port", "design", "patience"}

// allVariables are of all flags that the environment may set, those too that are looked up where they are needed.
var allVariables = append(slices.Clone(variables), "db", "profile", "tile")

// takeSettings gives the flags of a command the values of bench.yaml, and says on standard error which.
func takeSettings(cmd *cobra.Command) error {
	names := []string{"transport"}
	for _, o := range new(station.Target).Options() {
		names = append(names, o.Name)
	}
	take := cli.Settings{Flags: cmd.Flags(), Target: names, Variables: allVariables, Runs: runs,
		Looks: cmd.CommandPath() == "bench config show"}
	if cmd.Name() == "again" {
		take.Own = append(names, "tag") // which are the run's
	}
	for _, c := range cmd.Root().Commands() {
		take.All = append(take.All, c.LocalFlags())
	}
	said, err := take.TakeAndTell()
	if said != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s\n", said)
	}
	return err
}

// runs reports whether the value of a flag decides what runs on this machine: Verilog runs what its author wants.
func runs(f *pflag.Flag) bool {
	value := f.Value.String()
	switch {
	case value == f.DefValue:
		return false
	case f.Name == "transport":
		t := native.New(value)
		k, _, err := t.Kind()
		return err == nil && k.Foreign
	}
	// a history counts, since its runs name tiles
	return station.Decides(f.Name) || f.Name == "against" || f.Name == "db" || strings.HasPrefix(value, "exec:")
}
