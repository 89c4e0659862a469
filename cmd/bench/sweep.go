package main

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"utfbench/station"
	"utfbench/station/native"
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
		Long: `sweep asks the chip every case of a space, compares every step with the model, and leaves a
certificate that others can check. Spaces:

  codepoints  all 1,114,112 code points, surrogates too, written as UTF-32, UTF-16 and UTF-8 and read back as all three,
              with CHK high and low, in both byte orders
  bytes       every UTF-8 input of up to 4 bytes; what follows a byte that the chip drops is followed up once
  values      32-bit values written as UTF-32: all boundaries, and --values drawn by --seed
  ops         every sequence of up to --depth operations

Whatever ends it, the same command goes on where it was, if there is a --certificate or a
--state: blocks that are done are kept beside the certificate until it is written. Sweeps that
go on at the same time need a state each.

A demo board makes the steps of code points and bytes itself and answers with a signature, a
CRC-32 of all samples: what is wrong has the right one with probability 2^-32. Where it is wrong
the steps are carried one by one, to find the case; when all of them are right then, the verdict
is FLAKY. The certificate says how many cases were signed. --plain carries all steps.

Exit codes: 0 PASS, 1 FAIL or FLAKY, 2 bad input, 3 the bench could not find out, 4 the wiring
is at fault, 130 interrupted.`,
		Example: `  bench sweep --certificate chip.cert
  bench sweep -t rp2040 --shard 3/8 --certificate 3.cert
  bench sweep verify chip.cert`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.target.flags(cmd, d)
	o.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.shard, "shard", "", "sweep part K of N only, as in 3/8; bench sweep merge joins their certificates")
	f.IntVarP(&o.jobs, "jobs", "j", min(runtime.GOMAXPROCS(0), mostJobs), "chips to sweep with at a time, where "+
		"there can be several: mock without faults, verilog")
	cmd.AddCommand(newSweepVerify(d), newSweepCompare(d), newSweepMerge())
	return cmd
}

func (o *sweepOptions) run(cmd *cobra.Command) error {
	if err := cmp.Or(checkJobs(o.jobs), o.check(cmd)); err != nil {
		return err
	}
	defer o.files.Discard()
	tell, err := o.document(cmd)
	if err != nil {
		return err
	}
	c, err := o.target.open(cmd.Context(), cmd)
	if err != nil {
		return err
	}
	defer leave(cmd, c)
	o.scope.Revision = c.Tile.Revision()
	s := &sweep.Session{Runner: sweep.Runner{Tile: c.Tile, MaxFailures: o.maxFailures, CarryAll: o.plain},
		Certificate: o.certificate, Force: o.force, State: o.state}
	if err := s.Select(o.scope, o.shard); err != nil {
		return err
	}
	if c.Wires && !o.noWiring {
		if err := vet(cmd.Context(), c); err != nil {
			return err
		}
		if err := tellWires(cmd.OutOrStdout(), c); err != nil {
			return err
		}
	}
	defer s.Close()
	if err := o.begin(cmd.Context(), c, s); err != nil {
		return err
	}
	return o.sweep(cmd, c, s, tell)
}

// begin opens the files and further chips of a sweep.
func (o *sweepOptions) begin(ctx context.Context, c *station.Chip, s *sweep.Session) error {
	if err := o.beginWith(s, o.provenance(c)); err != nil {
		return err
	}
	return s.Gather(ctx, c.Transport, c.Another, o.jobs)
}

func (o *sweepOptions) sweep(cmd *cobra.Command, c *station.Chip, s *sweep.Session, tell tellSweep) error {
	out := cmd.OutOrStdout()
	s.WriteStart(out, fmt.Sprintf("%s, board %s", c, c.Board.Name), c.Notes)
	bar := newBlockBar(s.Range.End - s.Range.First - len(s.Blocks()))
	bar.tell = native.Counted(c, "blocks")
	made, err := s.Run(cmd.Context(), bar.add)
	bar.Clear()
	if err != nil {
		seed := ""
		if c.Drawn {
			seed = fmt.Sprintf(" with --seed %d", c.Seed)
		}
		return unfinished(cmd, s, made, seed, err)
	}
	s.Idle = c.IdleFaults()
	if err := s.End(out, made, c.Injected()); err != nil {
		return benchFault(err)
	}
	if err := tell(about(c), s, made); err != nil {
		return benchFault(err)
	}
	return judged(made.Verdict())
}
