package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/settings"
	"utfbench/station"
	"utfbench/station/native"
)

// variables are the flags of a target that the environment may set.
var variables = settings.Variables{"transport", "board", "revision", "port", "design", "patience"}

// allVariables are of all flags that the environment may set, those too that are looked up where they are needed.
var allVariables = append(slices.Clone(variables), "db", "profile", "tile")

// takeSettings gives the flags of a command the values of bench.yaml, and says on standard error which.
func takeSettings(cmd *cobra.Command) error {
	take := settings.Command{Flags: cmd.Flags(), Target: targetOptions(), Variables: allVariables, Runs: runs}
	for _, c := range cmd.Root().Commands() {
		take.All = append(take.All, c.LocalFlags())
	}
	taken, err := take.Take()
	if _, untrusted := errors.AsType[*settings.Untrusted](err); untrusted && cmd.CommandPath() == "bench config show" {
		err = nil // it runs nothing
	}
	if err != nil || len(taken) == 0 {
		return err
	}
	var parts []string
	for _, t := range taken {
		parts = append(parts, t.From+" sets "+setWords(cmd, t.Flags))
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "bench: %s\n", strings.Join(parts, "; "))
	return nil
}

// setWords lists the flags that a file has set, without target and tags if the command repeats a run.
func setWords(cmd *cobra.Command, flags []*pflag.Flag) string {
	var words []string
	target := targetOptions()
	for _, f := range flags {
		if cmd.Name() == "again" && (slices.Contains(target, f.Name) || f.Name == "tag") {
			continue
		}
		words = append(words, settings.Words(f)...)
	}
	if len(words) == 0 {
		return "nothing of this command"
	}
	return strings.Join(words, " ")
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

// targetOptions returns the names of the flags of a target.
func targetOptions() []string {
	names := []string{"transport"}
	for _, o := range new(station.Target).Options() {
		names = append(names, o.Name)
	}
	return names
}
