package main

import (
	"os"
	"slices"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/runs/shim"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile/gates"
)

type cocotbOptions struct {
	target   target
	ahead    int
	noWiring bool
	accepted string
}

func newCocotb(d *design) *cobra.Command {
	var o cocotbOptions
	cmd := &cobra.Command{
		Use:   "cocotb [flags] -- COMMAND...",
		Short: "Run a cocotb or Verilog test with the chip in the loop",
		Long: `cocotb runs a command that simulates the tile, unchanged, with the chip in place of its sources: a
shim passes each change of the inputs to the chip, and each response is compared with the tile's own
Verilog. A makefile of Tiny Tapeout's template takes the shim by itself. Another command finds its path
in BENCH_SHIM, and {shim} in the command stands for it. The test is not recorded in the history.

Exit codes: 0 the chip did what its Verilog does and the command succeeded, 1 the chip differs, 3 the bench is
at fault, or the command failed although the chip did what its Verilog does, 4 a wire is at fault, 7 nothing
differs, and outputs were never compared.`,
		Example: `  bench cocotb --tile . -t rp2040 -- make -C test
  bench cocotb --tile . -t mock -- sh -c 'iverilog -o t tb.v $BENCH_SHIM && vvp t'`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.target.flags(cmd, d)
	f := cmd.Flags()
	f.Var(cli.AtLeast(&o.ahead, shim.DefaultAhead, 0), "ahead",
		"check every N changes of the inputs whether the chip did "+
			"as the Verilog in the simulation did; 0: the chip itself responds to each change, which is slow")
	noWiringFlag(f, &o.noWiring)
	acceptFlag(f, &o.accepted)
	f.SetInterspersed(false)
	return cmd
}

func (o *cocotbOptions) run(cmd *cobra.Command, command []string) error {
	own, is := o.target.Tile.(*gates.Tile) // the reference of the test
	if why := gates.MissingReference(o.target.Tile); why != nil {
		return why
	}
	if !is {
		return failure.Usagef("a test is run with a tile by its gates, and %s has none here: give the folder of a "+
			"project with --tile", o.target.Tile.Name())
	}
	if slices.Contains(append(command, "GATES="+o.target.env.Getenv("GATES")), "GATES=yes") {
		return failure.Usagef("GATES=yes: a netlist is simulated, which has no sources that the chip could replace: " +
			"leave it out")
	}
	folder, err := os.MkdirTemp("", "bench-shim-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	return o.target.withWires(cmd, o.noWiring, func(c *station.Chip) error {
		accepted, _ := driver.ParseOutputs(o.accepted) // the flag refuses invalid lists
		t := shim.Test{Bench: &shim.Bench{Chip: c.Transport, Tile: own, Simulated: native.IsSimulation(c.String())},
			Identity: c.Identity(""), DoubtReason: c.WiringDoubt(), AcceptedLines: accepted, Command: command,
			Folder: folder, AheadExchanges: o.ahead, Out: cmd.OutOrStdout()}
		verdict, err := t.Judge(cmd.Context())
		if err == nil {
			err = verdict.Err()
		}
		return err
	})
}
