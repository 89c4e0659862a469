package main

import (
	"github.com/spf13/cobra"

	"utfbench/internal/cli"
	"utfbench/internal/files"
	"utfbench/station"
	"utfbench/station/native"
)

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
