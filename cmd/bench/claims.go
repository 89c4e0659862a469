package main

import (
	"github.com/spf13/cobra"

	"utfbench/internal/files"
	"utfbench/internal/settings"
	"utfbench/station"
	"utfbench/station/native"
)

// fileFlags are the flags that name files, of all commands.
var fileFlags = settings.FileFlags{
	Outputs: map[string]files.Mode{
		"json": files.Part, "record": files.Part, "junit": 0, "html": 0, "svg": 0, "csv": 0, "out": 0,
		"verilog": 0, "shortest": 0, "extend": 0, "sim-vcd": 0, "certificate": files.New,
		"state": 0, "db": 0,
	},
	Inputs: []string{"file", "resume", "shmoo", "timing", "reference", "board", "cells", "netlist",
		"diagnosis", "cert", "key", "nats-cert", "invite"},
	Target: "transport", Kinds: native.NamesOf(func(k *station.Kind) bool { return k.Files }),
}

// claimFiles refuses any command that would write one file twice, or over one of its inputs.
func claimFiles(cmd *cobra.Command, args []string) error {
	var c files.Claims
	if cmd.Name() == "merge" && len(args) > 0 {
		if err := c.Output("OUT", args[0], files.New); err != nil {
			return err
		}
		args = args[1:]
	}
	return fileFlags.Claim(&c, cmd.Flags(), args)
}
