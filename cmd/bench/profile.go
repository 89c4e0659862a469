package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"utfbench/internal/cli"
	"utfbench/internal/files"
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

// fileFlags are the flags that name files, of all commands, besides the outputs of a run.
var fileFlags = cli.FileFlags{
	Outputs: map[string]files.Mode{"svg": 0, "csv": 0, "out": 0, "verilog": 0, "shortest": 0, "extend": 0, "sim-vcd": 0,
		"certificate": files.New, "state": 0, "db": 0,
		"vga": 0, "wav": 0},
	Inputs: []string{"file", "resume", "shmoo", "timing", "reference", "board", "cells", "netlist",
		"diagnosis", "cert", "key", "invite"},
	Target: "transport", Kinds: native.NamesOf(func(k *station.Kind) bool { return k.Files }),
}

// valued are other flags that need a value if they are given.
var valued = []string{"suite", "against", "on", "golden", "vcd", "shard"}

// claimFiles refuses any command that would write one file twice, or over one of its inputs.
func claimFiles(cmd *cobra.Command, args []string) error {
	of := fileFlags
	of.Outputs = native.OutputFiles()
	for name, mode := range fileFlags.Outputs {
		of.Outputs[name] = mode
	}
	if err := of.NotEmpty(cmd.Flags(), valued...); err != nil {
		return err
	}
	var c files.Claims
	return of.Claim(&c, cmd.Flags(), args)
}
