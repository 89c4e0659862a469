package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"utfbench/driver/shim"
	"utfbench/runs/next"
)

func newShim(d *design) *cobra.Command {
	var out, pipes string
	var ahead int
	cmd := &cobra.Command{
		Use:   "shim",
		Short: "Write the Verilog module that stands for the chip in a test",
		Long: `shim writes a module with the tile's name and ports, which a simulation takes in place of the
tile's sources. bench cocotb --pipes with the same folder runs the test with it. For a makefile of
Tiny Tapeout's template bench cocotb writes it by itself.`,
		Example: `  bench shim --tile . --out test/shim.v --pipes test/pipes`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			own, err := d.byGates()
			if err != nil {
				return err
			}
			folder, err := pipeFolder(pipes)
			if err != nil {
				return err
			}
			var lone error
			err = writeFile(out, func(w io.Writer) error {
				s, err := shim.Make(cmd.Context(), own, folder, ahead)
				lone = err
				return s.Write(w)
			})
			if err != nil {
				return err
			}
			if lone != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "bench: no copy of the tile's Verilog is in it: %v\n", lone)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s is written\n", out)
			test := []string{"cocotb", "--tile", d.name, "--pipes", filepath.ToSlash(pipes)}
			next.Write(cmd.OutOrStdout(), []next.Step{
				{Words: slices.Concat(test, []string{"--", "COMMAND"}), Why: "your test, on the mock"},
				{Words: slices.Concat(test, []string{"-t", "rp2040", "--", "COMMAND"}),
					Why: "on the chip of a demo board"}})
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "shim.v", "write the module to this file")
	aheadFlag(cmd.Flags(), &ahead)
	cmd.Flags().StringVar(&pipes, "pipes", "bench-pipes", "folder of its pipes, which bench cocotb makes")
	return cmd
}
