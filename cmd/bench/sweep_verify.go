package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/failure"
	"utfbench/sweep"
	"utfbench/tile"
)

func newSweepVerify(d *design) *cobra.Command {
	jobs := min(runtime.GOMAXPROCS(0), mostJobs)
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify CERTIFICATE",
		Short: "Recompute a certificate from the model",
		Long: `verify reads a certificate and recomputes every block of it from the model, so that nobody has
to believe who made it.

Exit codes: 0 it is a PASS and each block is as the model says; 1 it says FAIL or FLAKY, or a
block is not as the model says; 2 it is no certificate, or was changed since it was written; 130
interrupted.`,
		Args: takes(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return verifyCertificate(cmd, d.tile, args[0], jobs, asJSON)
		},
	}
	cmd.Flags().IntVarP(&jobs, "jobs", "j", jobs, "goroutines to compute with")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func verifyCertificate(cmd *cobra.Command, t tile.Tile, path string, jobs int, asJSON bool) error {
	if err := checkJobs(jobs); err != nil {
		return err
	}
	c, err := sweep.ReadFile(path)
	if err != nil {
		return err
	}
	vectors, err := sweep.HashFiles(golden.FS())
	if err != nil {
		return benchFault(err)
	}
	out := cmd.OutOrStdout()
	if !asJSON {
		c.WriteHead(out, vectors)
	}
	bar := newBlockBar(len(c.Blocks))
	doubts, err := sweep.Verify(cmd.Context(), c, t, jobs, func(b sweep.Answer) error { bar.add(b); return nil })
	bar.Clear()
	if cmd.Context().Err() != nil {
		return failure.Newf(failure.Interrupted, "stopped")
	}
	if err != nil {
		return fmt.Errorf("%s does not verify: %w", path, err)
	}
	write := func() (driver.Verdict, error) { return c.WriteDoubts(out, t, doubts) }
	if asJSON {
		write = func() (driver.Verdict, error) { return c.DoubtsJSON(out, head(), doubts) }
	}
	verdict, err := write()
	if err != nil {
		return fmt.Errorf("%s does not verify: %w", path, err)
	}
	return judged(verdict)
}
