package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"utfbench/desk"
	"utfbench/golden"
	"utfbench/internal/files"
	"utfbench/internal/tags"
	"utfbench/runs/explain"
	"utfbench/runs/identity"
	"utfbench/sweep"
	"utfbench/tile"
	"utfbench/tile/utf/space"
)

// sweepOptions are the flags of bench sweep.
type sweepOptions struct {
	target      target
	scope       tile.Scope
	certificate string
	force       bool
	state       string
	shard       string
	maxFailures int
	jobs        int
	plain       bool
	json        string
	files       files.Set
	noWiring    bool
	tagged      tagging
	tags        tags.Set
}

func newSweep() *cobra.Command {
	var o sweepOptions
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Prove the chip over every code point there is, and leave a certificate",
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
CRC-32 of all samples: what is wrong has the right one once in 4.3e9 times. Where it is wrong
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
	o.target.flags(cmd)
	o.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.shard, "shard", "", "sweep part K of N only, as in 3/8; bench sweep merge joins their certificates")
	f.IntVarP(&o.jobs, "jobs", "j", min(runtime.GOMAXPROCS(0), mostJobs), "chips to sweep with at a time, where "+
		"there can be several: mock without faults, verilog")
	cmd.AddCommand(newSweepVerify(), newSweepCompare(), newSweepMerge())
	return cmd
}

// flags are those of a sweep, whoever answers it.
func (o *sweepOptions) flags(cmd *cobra.Command) {
	o.tagged.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.scope.Space, "space", space.Names()[0], "what to sweep: "+strings.Join(space.Names(), ", "))
	f.IntVar(&o.scope.Depth, "depth", space.DefaultDepth, fmt.Sprintf("ops: operations in a sequence, 1 to %d",
		space.MaxDepth))
	f.IntVar(&o.scope.Values, "values", space.DefaultValues, fmt.Sprintf("values: how many are drawn, 0 to %d",
		space.MaxValues))
	f.StringVar(&o.certificate, "certificate", "", "write the certificate to this file")
	f.StringVar(&o.json, "json", "", "write what came of it to this file, for other programs; "+standardWords)
	f.BoolVar(&o.force, "force", false, "replace a certificate that is there")
	f.StringVar(&o.state, "state", "", "keep what is done in this file meanwhile (default: the "+
		"certificate's name with .part)")
	f.IntVar(&o.maxFailures, "max-failures", 10_000, "begin no further block when so many cases differ; 0 is no limit")
	f.BoolVar(&o.plain, "plain", false, "carry every step, also where the far end could make them and sign the "+
		"samples, as a demo board can")
	f.BoolVar(&o.noWiring, "no-wiring", false, "do not check the wires first; see bench wiring")
}

// check settles what the flags leave open.
func (o *sweepOptions) check(cmd *cobra.Command) error {
	for _, name := range []string{"certificate", "state", "shard", "json"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return fmt.Errorf("--%s is empty: give it a value, or leave it out", name)
		}
	}
	if o.maxFailures < 0 {
		return fmt.Errorf("--max-failures %d: has to be 0 or more", o.maxFailures)
	}
	var err error
	if o.tags, err = o.tagged.tags(); err != nil {
		return err
	}
	o.scope = space.Settle(o.scope, o.target.Seed, cmd.Flags().Changed)
	if o.state == "" && o.certificate != "" {
		o.state = files.PartName(o.certificate)
	}
	return nil
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
	c, err := o.target.open(cmd)
	if err != nil {
		return err
	}
	defer c.leave()
	o.scope.Revision = c.Tile.Revision()
	s := &sweep.Session{Runner: sweep.Runner{Tile: c.Tile, MaxFailures: o.maxFailures, CarryAll: o.plain},
		Certificate: o.certificate, Force: o.force, State: o.state}
	if err := s.Select(o.scope, o.shard); err != nil {
		return err
	}
	if c.Wires && !o.noWiring {
		if err := c.checkWires(cmd.Context()); err != nil {
			return err
		}
		if c.broken != nil {
			w := cmd.OutOrStdout()
			fmt.Fprintf(w, "%s, board %s: the wiring is at fault, and the chip was not judged\n", c, c.Board.Name)
			explain.Wiring(w, c.Board, c.broken, c.Asked.Unasked())
			return judged(c.broken.Verdict)
		}
	}
	defer s.Close()
	if err := o.begin(cmd.Context(), c, s); err != nil {
		return err
	}
	return o.sweep(cmd, c, s, tell)
}

// begin opens what the sweep needs: its files, and further chips.
func (o *sweepOptions) begin(ctx context.Context, c *chip, s *sweep.Session) error {
	if err := o.beginWith(s, o.provenance(c.Chip)); err != nil {
		return err
	}
	return s.Gather(ctx, c.Transport, c.Another, o.jobs)
}

// beginWith opens the files of a sweep by who answers.
func (o *sweepOptions) beginWith(s *sweep.Session, by *sweep.Provenance) error {
	vectors, err := sweep.HashFiles(golden.FS())
	if err != nil {
		return benchFault(err)
	}
	s.Head = sweep.NewHead(o.scope, s.Space, s.Range, vectors, *by)
	return s.Begin()
}

// provenance says who answers.
func (o *sweepOptions) provenance(c *desk.Chip) *sweep.Provenance {
	return &sweep.Provenance{Bench: version(), Transport: c.String(), Chip: c.Asked, Tags: o.tags}
}

// document begins the file of --json, and gives what writes it.
func (o *sweepOptions) document(cmd *cobra.Command) (tellSweep, error) {
	o.files.Out = standard(cmd, o.json)
	if o.json == "" {
		return func(identity.About, *sweep.Session, *sweep.Certificate) error { return nil }, nil
	}
	f, err := o.files.Create("--json", o.json, 0)
	return func(about identity.About, s *sweep.Session, made *sweep.Certificate) error {
		return cmp.Or(s.JSON(f, about, made), o.files.Commit())
	}, err
}

// tellSweep writes what came of a sweep, for other programs.
type tellSweep func(identity.About, *sweep.Session, *sweep.Certificate) error

func (o *sweepOptions) sweep(cmd *cobra.Command, c *chip, s *sweep.Session, tell tellSweep) error {
	out := cmd.OutOrStdout()
	s.WriteStart(out, fmt.Sprintf("%s, board %s", c, c.Board.Name), c.Notes)
	bar := newBlockBar(s.Range.End - s.Range.First - len(s.Blocks()))
	made, err := s.Run(cmd.Context(), bar.add)
	bar.clear()
	if err != nil {
		seed := ""
		if c.drawn {
			seed = fmt.Sprintf(" with --seed %d", c.Seed)
		}
		return unfinished(cmd, s, made, seed, err)
	}
	if err := s.End(out, made, c.injected()); err != nil {
		return benchFault(err)
	}
	if err := tell(c.about(), s, made); err != nil {
		return benchFault(err)
	}
	return judged(made.Verdict())
}

// unfinished is the error of a sweep that ended early, which says how it goes on; flags are those of Session.Left.
func unfinished(cmd *cobra.Command, s *sweep.Session, made *sweep.Certificate, flags string, why error) error {
	left := s.Left(len(made.Blocks), flags)
	if cmd.Context().Err() != nil {
		return &exit{exitInterrupted, errors.New("stopped: " + left)}
	}
	return benchFault(fmt.Errorf("%w (%s)", why, left))
}
