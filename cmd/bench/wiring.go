package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/explain"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile"
)

func newWiring(d *design) *cobra.Command {
	var t target
	var asJSON bool
	var budget time.Duration
	cmd := &cobra.Command{
		Use:   "wiring",
		Short: "Check the wires between bench and chip",
		Long: `wiring applies some hundred steps and names the fault of a wire that explains the samples, if one does:
a line stuck, open, shorted to another or swapped with it. bench run does the same first where there
are wires. If an output is stuck on a demo board, the chip's factory test is run as well, which tells
the design from the rest. Lines that no step would have shown stuck are listed as unproven.

Exit codes: 0 the wires that the tile uses are good, 1 the answers are wrong and a wire or the chip is at fault,
4 the wiring is at fault, 7 nothing differs and some lines that the tile uses are unproven.`,
		Example: `  bench wiring -t rp2040
  bench wiring --fault 'uio3~uio4=and'`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return t.withChip(cmd, func(c *station.Chip) error {
				c.Budget = budget
				return tellWiring(cmd, d, c, asJSON)
			})
		},
	}
	t.flags(cmd, d)
	jsonFlag(cmd, &asJSON)
	budgetFlag(cmd.Flags(), &budget)
	return cmd
}

func tellWiring(cmd *cobra.Command, d *design, c *station.Chip, asJSON bool) error {
	if c.Info.Simulated() && c.Info.Faults == "" {
		return failure.Usagef("a simulation has no wires to check; compare its samples: %s", c.Command("run"))
	}
	if c.Speed() != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), "bench: --at has no effect here: bench timing finds late lines")
		c.Transport = c.StepTransport()
	}
	done := d.ShowActivity("checking the wires")
	r, err := c.CheckWires(cmd.Context())
	if done(); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if asJSON {
		return cmp.Or(explain.WriteWiringJSON(out, about(c), c.Board, r), r.Verdict.Err())
	}
	fmt.Fprintf(out, "%s, board %s, compared with %s: %d steps\n", c, c.Board.Name,
		tile.DescribeReference(c.Tile.Revision()), r.Steps)
	r.WriteText(out, c.Board, c.Info.NoChipNote())
	switch {
	case r.FaultyOutputs != nil && !c.HasWires:
		more := "; a demo board's factory test tells more"
		if c.Tile.Name() == factoryTile {
			more = ""
		}
		fmt.Fprintf(out, "On a chip, measure at its pin and at the bench's%s.\n", more)
	case c.Tile.Name() == factoryTile:
	case c.Board.Mux != nil && (r.UnprovenLines != nil || r.FaultyOutputs != nil && !r.FaultLocated):
		fmt.Fprintf(out, "To prove these lines by the chip's factory test: %s\n",
			c.Command("wiring", "--tile", factoryTile))
	case r.UnprovenLines != nil:
		fmt.Fprintln(out, "On a demo board --tile factory proves such lines; elsewhere test the wire's continuity.")
		if slices.Contains(r.UnprovenLines, "rst_n") { // its active level may be the opposite
			report.WriteSuggestions(out, report.SuggestTileCheck(d.doubtful()))
		}
	}
	if r.SamplesDiffer() && r.FaultyOutputs == nil && (c.HasWires || r.Verdict != driver.Wiring) { // runs show no more
		report.WriteSuggestions(out, report.SuggestAfterWiring(r.Verdict, append([]string{"wiring"}, c.TargetArgs...),
			c.TargetArgs))
	}
	return r.Verdict.Err()
}
