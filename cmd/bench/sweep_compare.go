package main

import (
	"io"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/sweep"
	"utfbench/tile"
)

func newSweepCompare(d *design) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "compare CERTIFICATE CERTIFICATE",
		Short: "List the blocks in which two certificates differ",
		Long: `compare reads two certificates of the same sweep and lists the blocks in which the chips did not
show the same.

Exit codes: 0 they are alike, 1 they differ, 2 one of them is no certificate, or they are of
other sweeps.`,
		Args: takes(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return compareCertificates(cmd.OutOrStdout(), d.tile, [2]string(args), asJSON)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func compareCertificates(w io.Writer, t tile.Tile, paths [2]string, asJSON bool) error {
	var of [2]*sweep.Certificate
	for i, path := range paths {
		var err error
		if of[i], err = sweep.ReadFile(path); err != nil {
			return err
		}
	}
	both, err := sweep.NewComparison(t, of, paths)
	if err != nil {
		return err
	}
	if asJSON {
		err = both.JSON(w, head())
	} else {
		err = both.Write(w)
	}
	if err != nil {
		return benchFault(err)
	}
	if !both.Same() {
		return failure.Told(failure.Chip)
	}
	return nil
}
