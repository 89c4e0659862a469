package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/sweep"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
)

// sweepOptions are the flags of bench sweep.
type sweepOptions struct {
	sweep.Runner
	target   target
	scope    tile.Scope
	noWiring bool
	tagged   tagging
	tags     files.Tags
	jobs     int
	resume   string

	json  string
	files files.Set
	save  func(*sweep.Result) error // writes --json
	state *sweep.State              // nil without --resume
}

func newSweep(d *design) *cobra.Command {
	var o sweepOptions
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Prove the chip over every code point",
		Long: `sweep runs every case of a space, compares every step with the model, and prints the root, a hash over
all samples: a chip that responds as the mock has the mock's root. Spaces:

  codepoints  all 1,114,112 code points, surrogates too, written as UTF-32, UTF-16 and UTF-8
              and read back as all three, with CHK high and low, in both byte orders
  bytes       every UTF-8 input of up to 4 bytes, once after a byte that the chip drops
  ops         every sequence of up to --depth operations

With --resume FILE the finished blocks are kept in FILE, and the same command resumes an interrupted
sweep; at the end FILE is removed. bench diff compares two files of --json block by block.

A demo board generates the steps of code points and bytes itself and returns a CRC-32 of all samples:
a wrong response slips through with probability 2^-32. If it is wrong the steps are sent one by one,
to find the case; if all are right then, the verdict is FLAKY.

Exit codes: 0 PASS, 1 FAIL, 4 the wiring is at fault, 6 FLAKY.`,
		Example: `  bench sweep
  bench sweep -t rp2040 --resume chip.sweep --json chip.json
  bench diff chip.json mock.json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			defer o.files.Discard()
			if err := o.settle(cmd); err != nil {
				return err
			}
			return o.target.withChip(cmd, func(c *station.Chip) error { return o.run(cmd, c) })
		},
	}
	o.target.flags(cmd, d)
	o.tagged.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.scope.Space, "space", usualTile.Spaces()[0], "what to sweep: "+strings.Join(usualTile.Spaces(),
		", "))
	f.IntVar(&o.scope.Depth, "depth", utf.DefaultDepth, fmt.Sprintf("ops: operations in a sequence, 1 to %d",
		utf.MaxDepth))
	f.StringVar(&o.json, "json", "", "write the result to this file, for bench diff and programs; "+standardWords)
	f.StringVar(&o.resume, "resume", "", "keep finished blocks in this `FILE`, and resume the sweep that it has")
	f.Var(cli.AtLeast(&o.MaxFailures, 10_000, 0), "max-failures", "begin no further block after N wrong cases; 0 is "+
		"no limit")
	noWiringFlag(f, &o.noWiring)
	jobsFlag(f, &o.jobs, "sweep with N chips at a time, where there can be several: mock without faults, verilog")
	return cmd
}

// settle fills in defaults, and begins the file of --json.
func (o *sweepOptions) settle(cmd *cobra.Command) (err error) {
	if o.tags, err = o.tagged.tags(); err != nil {
		return err
	}
	o.scope = utf.TrimScope(o.scope, cmd.Flags().Changed)
	o.files.Out = standard(cmd, o.json)
	o.save, err = files.CreateOutputs(&o.files, files.Output[*sweep.Result]{Flag: "--json", Path: o.json,
		Write: (*sweep.Result).Write})
	return err
}

func (o *sweepOptions) run(cmd *cobra.Command, c *station.Chip) (err error) {
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	o.scope.Revision = c.Tile.Revision()
	if o.Space, o.Tile, err = sweep.Open(c.Tile, o.scope); err != nil {
		return err
	}
	if err := checkWires(ctx, c, o.noWiring); err != nil {
		return err
	}
	if v := c.WriteWireFault(out); v != driver.Pass {
		return v.Err()
	}
	head := sweep.Head{Schema: files.DocumentSchema, Bench: version(), Scope: o.scope, Transport: c.String(),
		Chip: c.Info, Conditions: report.Conditions(c.Target), Tags: o.tags}
	if o.resume != "" {
		if o.state, o.Done, err = sweep.OpenState(o.resume, &head); err != nil {
			return err
		}
		defer func() { _ = o.state.Close() }() // the blocks are synced, or the error of Add was reported
	}
	o.writeStart(out, c, head.Tags)
	before := sweep.NewResult(about(c), o.scope, o.Space, o.Done)
	if err := o.gather(ctx, c); err != nil {
		return err
	}
	began := time.Now()
	blocks, err := o.sweep(ctx)
	if err != nil {
		return o.unfinished(ctx, len(blocks), c, err)
	}
	r := sweep.NewResult(about(c), o.scope, o.Space, blocks)
	r.Seconds, r.NewSteps = time.Since(began).Seconds(), r.Steps-before.Steps
	r.Conditions, r.Tags, r.IdleFaults = head.Conditions, head.Tags, c.IdleFaults()
	return o.end(out, r, before.Cases, c.SeedNote())
}

// gather opens more chips, where there can be several.
func (o *sweepOptions) gather(ctx context.Context, c *station.Chip) error {
	o.Chips = []transport.Transport{c.Transport}
	for c.OpenAnother != nil && len(o.Chips) < o.jobs {
		t, err := c.OpenAnother(ctx)
		if err != nil {
			return err
		}
		o.Chips = append(o.Chips, t)
	}
	return nil
}

// sweep runs the blocks that are left, and parks the chips.
func (o *sweepOptions) sweep(ctx context.Context) (blocks []sweep.Block, err error) {
	steps, bar := 0, o.target.progress.NewBar(o.Space.Blocks()-len(o.Done), "blocks")
	o.OnBlock = func(b sweep.Block) error {
		steps += b.Steps
		bar.Unit = sweep.FormatRate(steps, bar.Elapsed()) + ", blocks"
		bar.Add(1)
		return o.state.Add(b)
	}
	blocks, err = o.Run(ctx)
	bar.Clear()
	for _, t := range o.Chips {
		if cerr := t.Close(); cerr != nil && err == nil {
			err = fmt.Errorf("parking the chip: %w", cerr)
		}
	}
	return blocks, err
}

// writeStart describes the sweep and earlier work.
func (o *sweepOptions) writeStart(w io.Writer, c *station.Chip, tags files.Tags) {
	fmt.Fprintf(w, "%s, board %s, compared with the %s model: %s, %s\n", c, c.Board.Name, o.Tile.Revision(),
		o.scope.Space, printable.Count(o.Space.Blocks(), "block"))
	notes := c.Notes
	if len(tags) > 0 {
		notes = append([]string{"tags: " + tags.String()}, notes...)
	}
	if n := len(o.Done); n > 0 {
		notes = append(notes, printable.Count(n, "block")+" done before, says "+o.resume)
	}
	for _, note := range notes {
		fmt.Fprintf(w, "  %s\n", note)
	}
}

// unfinished returns the error of a sweep that ended early, with the command that resumes it.
func (o *sweepOptions) unfinished(ctx context.Context, done int, c *station.Chip, why error) error {
	kept := "they are not kept: give it a --resume FILE"
	if o.state != nil {
		seed := ""
		if c.SeedDrawn {
			seed = fmt.Sprintf(" with --seed %d", c.Seed)
		}
		kept = "the same command" + seed + " resumes it, by " + o.resume
	}
	left := fmt.Sprintf("%d of %s done; %s", done, printable.Count(o.Space.Blocks(), "block"), kept)
	if ctx.Err() != nil {
		return failure.Newf(failure.Interrupted, "stopped: %s", left)
	}
	return benchFault(fmt.Errorf("%w (%s)", why, left))
}

// end writes the result. A complete sweep no longer needs its state.
func (o *sweepOptions) end(w io.Writer, r *sweep.Result, before int, injected string) error {
	err := cmp.Or(r.WriteVerdict(w, o.Space, o.Tile, before, injected), o.save(r))
	if err == nil && r.Root != nil {
		err, o.state = o.state.Remove(), nil
	}
	if err != nil {
		return benchFault(err)
	}
	return r.Judge().Err()
}
