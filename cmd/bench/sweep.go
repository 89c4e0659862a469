package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/cli"
	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/sweep"
	"utfbench/tile"
	"utfbench/tile/utf"
	"utfbench/transport"
)

type sweepOptions struct {
	sweep.Runner
	target   target
	scope    tile.Scope
	noWiring bool
	tagTexts []string
	tags     files.Tags
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

  codepoints  all 1,114,112 code points in all forms
  bytes       every UTF-8 input of up to 4 bytes, once after a byte that the chip drops
  ops         every sequence of up to --depth operations

With --resume FILE the finished blocks are kept in FILE, and the same command resumes an interrupted
sweep. bench diff compares two files of --json block by block. docs/sweep.md says more.

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
	tagFlag(cmd.Flags(), &o.tagTexts)
	f, spaces := cmd.Flags(), usualTile.SpaceNames()
	f.StringVar(&o.scope.Space, "space", spaces[0], "what to sweep: "+strings.Join(spaces, ", "))
	f.IntVar(&o.scope.Depth, "depth", utf.DefaultDepth, fmt.Sprintf("ops: operations in a sequence, 1 to %d",
		utf.MaxDepth))
	f.StringVar(&o.json, "json", "", "write the result to this file, for bench diff and programs; "+standardWords)
	f.StringVar(&o.resume, "resume", "", "keep finished blocks in this `FILE`, and resume the sweep that it has")
	f.Var(cli.AtLeast(&o.MaxFailures, 10_000, 0), "max-failures", "begin no further block after N wrong cases; 0 is "+
		"no limit")
	noWiringFlag(f, &o.noWiring)
	return cmd
}

// settle fills in defaults, and creates the file of --json.
func (o *sweepOptions) settle(cmd *cobra.Command) (err error) {
	if o.tags, err = parseTags(o.tagTexts); err != nil {
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
	head := sweep.Header{Schema: files.DocumentSchema, Bench: version(), Scope: o.scope, Transport: c.String(),
		Chip: c.Info, Conditions: report.ConditionFlags(c.TargetArgs), Tags: o.tags}
	if o.resume != "" {
		if o.state, o.EarlierBlocks, err = sweep.OpenState(o.resume, &head); err != nil {
			return err
		}
		defer func() { _ = o.state.Close() }() // the blocks are synced, or Add returned the error
	}
	head.WriteText(out, &o.Runner, c.Board.Name, o.resume, c.Notes)
	before := sweep.NewResult(about(c), o.scope, o.Space, o.EarlierBlocks)
	if err := o.gather(ctx, c); err != nil {
		return err
	}
	began := time.Now()
	blocks, err := o.sweep(ctx)
	if err != nil {
		seed := ""
		if c.SeedNote() != "" {
			seed = fmt.Sprintf(" with --seed %d", c.Seed)
		}
		return o.UnfinishedError(ctx, len(blocks), o.state, seed, err)
	}
	r := sweep.NewResult(about(c), o.scope, o.Space, blocks)
	r.Seconds, r.NewSteps = time.Since(began).Seconds(), r.Steps-before.Steps
	r.Conditions, r.Tags, r.IdleFaults = head.Conditions, head.Tags, c.IdleFaults()
	return o.end(out, r, before.Cases, c.SeedNote())
}

// gather opens a chip for each processor, if the transport can open several.
func (o *sweepOptions) gather(ctx context.Context, c *station.Chip) error {
	o.Chips = []transport.Transport{c.Transport}
	for c.OpenAnother != nil && len(o.Chips) < runtime.GOMAXPROCS(0) {
		t, err := c.OpenAnother(ctx)
		if err != nil {
			return err
		}
		o.Chips = append(o.Chips, t)
	}
	return nil
}

// sweep runs the remaining blocks, and parks the chips.
func (o *sweepOptions) sweep(ctx context.Context) (blocks []sweep.Block, err error) {
	steps, bar := 0, o.target.progress.NewBar(o.Space.Blocks()-len(o.EarlierBlocks), "blocks")
	o.OnBlock = func(b sweep.Block) error {
		steps += b.Steps
		bar.SetUnit(sweep.FormatRate(steps, bar.Elapsed()) + ", blocks")
		bar.Add(1)
		return o.state.Add(b)
	}
	blocks, err = o.Run(ctx)
	bar.End()
	for _, t := range o.Chips {
		if cerr := t.Close(); cerr != nil && err == nil {
			err = fmt.Errorf("parking the chip: %w", cerr)
		}
	}
	return blocks, err
}

// end writes the result, and removes the state of a complete sweep.
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
