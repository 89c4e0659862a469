package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/station"
	"utfbench/sweep"
)

// sweepOptions are the flags of bench sweep.
type sweepOptions struct {
	sweeping
	shard string
	jobs  int
}

func newSweep(d *design) *cobra.Command {
	var o sweepOptions
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Prove the chip over every code point, with a certificate",
		Long: `sweep runs every case of a space, compares every step with the model, and leaves a certificate that
others can check. Spaces:

  codepoints  all 1,114,112 code points, surrogates too, written as UTF-32, UTF-16 and UTF-8 and read back as all three,
              with CHK high and low, in both byte orders
  bytes       every UTF-8 input of up to 4 bytes; what follows a byte that the chip drops is followed up once
  values      32-bit values written as UTF-32: all boundaries, and --values drawn by --seed
  ops         every sequence of up to --depth operations

With a --certificate or a --state, the same command resumes an interrupted sweep: finished blocks are
kept beside the certificate until it is written. Sweeps at the same time need a state each.

A demo board generates the steps of code points and bytes itself and returns a CRC-32 of all samples:
a wrong response slips through with probability 2^-32. If it is wrong the steps are sent one by one,
to find the case; if all are right then, the verdict is FLAKY. The certificate says how many cases
were signed. --plain sends all steps.

Exit codes: 0 PASS, 1 FAIL or FLAKY, 2 bad input, 3 the bench could not find out, 4 the wiring
is at fault, 130 interrupted.`,
		Example: `  bench sweep --certificate chip.cert
  bench sweep -t rp2040 --shard 3/8 --certificate 3.cert
  bench sweep verify chip.cert`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			defer o.files.Discard()
			if err := o.settle(cmd); err != nil {
				return err
			}
			return o.target.with(cmd, func(c *station.Chip) error { return o.run(cmd, c) })
		},
	}
	o.target.flags(cmd, d)
	o.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.shard, "shard", "", "sweep part K of N only, as in 3/8")
	jobsFlag(f, &o.jobs, "sweep with N chips at a time, where there can be several: mock without faults, verilog")
	cmd.AddCommand(newSweepVerify(d))
	return cmd
}

func (o *sweepOptions) run(cmd *cobra.Command, c *station.Chip) error {
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	if err := o.choose(c.Tile, c.Tile.Revision(), o.shard); err != nil {
		return err
	}
	if err := checkWires(ctx, c, o.noWiring); err != nil {
		return err
	}
	if v := c.TellWires(out); v != driver.Pass {
		return judged(v)
	}
	defer o.Close()
	if err := o.begin(o.provenance(c)); err != nil {
		return err
	}
	if err := o.Gather(ctx, c.Transport, c.Another, o.jobs); err != nil {
		return err
	}
	o.WriteStart(out, fmt.Sprintf("%s, board %s", c, c.Board.Name), c.Notes)
	bar := o.bar()
	var err error
	o.made, err = o.Run(ctx, bar.add)
	bar.Clear()
	if err != nil {
		seed := ""
		if c.Drawn {
			seed = fmt.Sprintf(" with --seed %d", c.Seed)
		}
		return o.Unfinished(ctx, o.made, seed, err)
	}
	o.Idle = c.IdleFaults()
	return o.end(cmd, about(c), c.Injected())
}

func newSweepVerify(d *design) *cobra.Command {
	var jobs int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify CERTIFICATE",
		Short: "Recompute a certificate from the model",
		Long: `verify recomputes every block of a certificate from the model, so that nobody has to believe its
author.

Exit codes: 0 it is a PASS and each block is as the model says; 1 it says FAIL or FLAKY, or a
block is not as the model says; 2 it is no certificate, or was changed since it was written; 130
interrupted.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			bar := newBlockBar(0)
			v := sweep.Verification{Tile: d.tile, Vectors: golden.FS(), Jobs: jobs, Head: head(), JSON: asJSON,
				Begun: func(blocks int) { bar.Total = blocks }, Done: bar.add, Over: bar.Clear}
			verdict, err := v.File(cmd.Context(), cmd.OutOrStdout(), args[0])
			if err != nil {
				return err
			}
			return judged(verdict)
		},
	}
	jobsFlag(cmd.Flags(), &jobs, "goroutines to compute with")
	jsonFlag(cmd, &asJSON)
	return cmd
}
