package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/internal/terminal"
	"utfbench/tile/pack"
)

func newPack() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "pack REPOSITORY",
		Short: "Pack the fabricated netlists of a shuttle into one file",
		Long: `pack reads the repository of a shuttle, such as tinytapeout-09, compiles the netlist of each design
in projects/, and writes those that can be judged by their gates into one file, with what their
authors say of them. --tile FILE.pack:NAME is a design of it then: no simulator, no checkout.
Designs that are analog, have macros or no netlist are left out and listed with the reason. The same
repository gives the same file.

Exit codes: 0 it was written, 2 bad input.`,
		Example: `  bench pack tinytapeout-09 --out tt09.pack
  bench run --tile tt09.pack:tt_um_example -t rp2040`,
		Args: takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return writePack(cmd, args[0], out) },
	}
	cmd.Flags().StringVar(&out, "out", "shuttle.pack", "write the pack to this file")
	cmd.AddCommand(newPackShow())
	return cmd
}

func writePack(cmd *cobra.Command, repository, out string) error {
	file, err := files.Create(out, 0)
	if err != nil {
		return err
	}
	defer file.Discard()
	done := terminal.Working("packing " + repository)
	x, err := pack.Make(repository, file, nil)
	done()
	if err != nil {
		return err
	}
	if err := file.Commit(); err != nil {
		return benchFault(err)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s; next: %s\n", out, x,
		printable.Command("pack", "show", out))
	return err
}
