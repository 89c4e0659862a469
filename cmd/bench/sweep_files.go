package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/sweep"
)

func newSweepVerify() *cobra.Command {
	jobs := min(runtime.GOMAXPROCS(0), mostJobs)
	cmd := &cobra.Command{
		Use:   "verify CERTIFICATE",
		Short: "Recompute a certificate from the model",
		Long: `verify reads a certificate and recomputes every block of it from the model, so that nobody has to believe who made it.

Exit codes: 0 it is a PASS and each block is as the model says; 1 it says FAIL or FLAKY, or a block is not as the model says;
2 it is no certificate, or was changed since it was written; 130 interrupted.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return verifyCertificate(cmd, args[0], jobs) },
	}
	cmd.Flags().IntVarP(&jobs, "jobs", "j", jobs, "goroutines to compute with")
	return cmd
}

func readCertificate(path string) (*sweep.Certificate, error) {
	f, err := files.Certificate.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c, err := sweep.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s does not verify: %w", path, err)
	}
	return c, nil
}

func verifyCertificate(cmd *cobra.Command, path string, jobs int) error {
	if err := checkJobs(jobs); err != nil {
		return err
	}
	c, err := readCertificate(path)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	printHead(cmd, c)
	bar := newBlockBar(len(c.Blocks))
	doubts, err := sweep.Verify(cmd.Context(), c, theTile, jobs, func(b sweep.Block) error { bar.add(b.Steps); return nil })
	bar.clear()
	switch {
	case cmd.Context().Err() != nil:
		return &exit{exitInterrupted, fmt.Errorf("stopped")}
	case err != nil:
		return fmt.Errorf("%s does not verify: %w", path, err)
	}
	for i, d := range doubts {
		if i == report.MaxDetailed {
			fmt.Fprintf(out, "and %s more\n", count(len(doubts)-i, "block"))
			break
		}
		fmt.Fprintf(out, "block %d, %s: %s\n", d.Block, d.Words, d.Why)
	}
	cases, steps := c.Size()
	if len(doubts) > 0 {
		if space, t, err := sweep.Open(theTile, c.Head.Scope); err == nil {
			if err := printFailure(out, space, t, c); err != nil {
				return fmt.Errorf("%s does not verify: %w", path, err)
			}
		}
		verdict := "FAIL  not as the model says"
		if c.Verdict() == driver.Flaky && !slices.ContainsFunc(doubts, func(d sweep.Doubt) bool { return c.Blocks[d.Block-c.Head.First].Unsteady == 0 }) {
			verdict = "FLAKY not steady"
		}
		fmt.Fprintf(out, "%s: %d of %s%s\n", verdict, len(doubts), count(len(c.Blocks), "block"), c.Head.Made[0].Unasked())
		return &exit{code: exitFail}
	}
	if n := c.Signed(); n > 0 {
		fmt.Fprintf(out, "  for %d of the cases stand signatures, CRC-32: what is wrong has the right one once in 4.3e9 times\n", n)
	}
	fmt.Fprintf(out, "PASS  as the model says: %s, %d cases, %d steps, root %x%s\n", count(len(c.Blocks), "block"), cases, steps, c.Root(), c.Head.Made[0].Unasked())
	return nil
}

// printHead says what a certificate is of, and where it was made.
func printHead(cmd *cobra.Command, c *sweep.Certificate) {
	out, h := cmd.OutOrStdout(), &c.Head
	part := ""
	if !h.Whole() {
		part = fmt.Sprintf(", only %s of %d", h.Range(), h.Of)
	}
	fmt.Fprintf(out, "%s, compared with the %s model%s\n", h.Space, h.Revision, part)
	for _, m := range h.Made {
		fmt.Fprintf(out, "  made by bench %s with %s, board %s%s\n", m.Bench, m.Transport, m.Board, device(m)+m.Unasked())
	}
	if vectors, err := sweep.HashFiles(golden.FS()); err == nil && vectors != h.Vectors {
		fmt.Fprintf(out, "  the vectors have changed since: they had %x, and have %x\n", h.Vectors, vectors)
	}
}

func device(m sweep.Provenance) string {
	if m.Device == "" {
		return ""
	}
	return ", " + m.Device
}

func newSweepCompare() *cobra.Command {
	return &cobra.Command{
		Use:   "compare CERTIFICATE CERTIFICATE",
		Short: "Say in which blocks two certificates differ",
		Long: `compare reads two certificates of the same sweep and lists the blocks in which the chips did not show the same.

Exit codes: 0 they are alike, 1 they differ, 2 one of them is no certificate, or they are of other sweeps.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return compareCertificates(cmd, args) },
	}
}

func compareCertificates(cmd *cobra.Command, paths []string) error {
	a, err := readCertificate(paths[0])
	if err != nil {
		return err
	}
	b, err := readCertificate(paths[1])
	if err != nil {
		return err
	}
	differ, err := sweep.Compare(a, b)
	if err != nil {
		return fmt.Errorf("%s and %s cannot be compared: %w", paths[0], paths[1], err)
	}
	space, _, err := sweep.Open(theTile, a.Head.Scope)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if len(differ) == 0 {
		fmt.Fprintf(out, "alike: %s, root %x\n", count(len(a.Blocks), "block"), a.Root())
		if a.Root() != b.Root() {
			fmt.Fprintf(out, "  the other root is %x, since %d cases were signed there, and %d here\n", b.Root(), b.Signed(), a.Signed())
		}
		return nil
	}
	for _, n := range differ {
		fmt.Fprintf(out, "block %d, %s: %s in %s, %s in %s\n", n, space.Words(n),
			wrongIn(&a.Blocks[n-a.Head.First]), paths[0], wrongIn(&b.Blocks[n-b.Head.First]), paths[1])
	}
	fmt.Fprintf(out, "different: %d of %s\n", len(differ), count(len(a.Blocks), "block"))
	return &exit{code: exitFail}
}

func wrongIn(b *sweep.Block) string {
	if b.Unsteady > 0 {
		return fmt.Sprintf("%s wrong and %s not steady", count(b.Failed, "case"), count(b.Unsteady, "run"))
	}
	return count(b.Failed, "case") + " wrong"
}

func newSweepMerge() *cobra.Command {
	force := false
	cmd := &cobra.Command{
		Use:   "merge OUT CERTIFICATE...",
		Short: "Join the certificates of all shards into one",
		Long: `merge joins the certificates of all shards of a sweep. When one bench and one chip made them, the result is to the
byte the one that a sweep in one go leaves.`,
		Example: `  bench sweep merge chip.cert 1.cert 2.cert 3.cert`,
		Args:    cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return mergeCertificates(cmd, args[0], args[1:], certificateMode(force))
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace a certificate that is there")
	return cmd
}

func mergeCertificates(cmd *cobra.Command, to string, paths []string, mode files.Mode) error {
	var shards []*sweep.Certificate
	for _, path := range paths {
		c, err := readCertificate(path)
		if err != nil {
			return err
		}
		shards = append(shards, c)
	}
	whole, err := sweep.Merge(shards)
	if err != nil {
		return fmt.Errorf("these certificates do not make a whole: %w", err)
	}
	err = files.Write(to, whole.Text(), mode)
	if errors.Is(err, files.ErrThere) {
		return fmt.Errorf("%w: name another file, or give --force to replace it", err)
	}
	if err != nil {
		return benchFault(err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s, %s, %d of their cases wrong, root %x%s\n", whole.Verdict(), count(len(whole.Blocks), "block"), whole.Failed(), whole.Root(),
		whole.Head.Made[0].Unasked())
	return nil
}
