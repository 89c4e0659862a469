package main

import (
	"cmp"
	"context"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/cause/diagnose"
	"utfbench/internal/cli"
	"utfbench/internal/failure"
	"utfbench/runs/explain"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/station/native"
	"utfbench/tile/gates"
)

func newDiagnose(d *design) *cobra.Command {
	var netlist string
	var asJSON bool
	var budget time.Duration
	cmd := &cobra.Command{
		Use:   "diagnose RUN...",
		Short: "Find the wire, register bit or delay that explains a run",
		Long: `diagnose simulates faults of wires and chip on the very steps of a run, and ranks them by what they
explain and how few wrong bits they predict that were not seen. bench explain WORD explains its
conclusion. Several runs of one chip, also at other speeds, are explained together.

With --netlist, or if the tile is a netlist, it also looks inside the chip: which pin of which cell, if
it were stuck, explains a run. ` + runWords,
		Example: `  bench diagnose last
  bench diagnose 7 8 9`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			var inside *gates.Design
			switch {
			case netlist == "":
			case len(args) > 1:
				return failure.Usagef("--netlist goes with one RUN only")
			default:
				if inside, err = explain.OpenNetlist(netlist); err != nil {
					return err
				}
			}
			return d.withRecordings(args, func(all []*station.Chip) error {
				found, err := diagnosed(cmd.Context(), args, all, inside, budget, d.progress)
				if err != nil {
					return err
				}
				found.DocumentHead, found.RunNames = head(), d.runs.StableNames(args)
				err = write(cmd, asJSON, func(w io.Writer) error {
					found.WriteText(w, all[0].Command)
					first, broken := d.runs.StableNames(args[:1]), faulty(found, all)
					switch {
					case native.IsSimulation(all[0].OriginTransport()) && (found.Conclusion == string(diagnose.Logic) ||
						broken != ""):
						report.WriteSuggestions(w, report.SuggestAfterLogic(first, broken, d.TileName))
					case found.NeedsSlowRun:
						report.WriteSuggestions(w, report.SuggestAfterBursts(found.RunNames, first, all[0].TargetArgs))
					}
					return nil
				}, asDocument(found))
				for _, c := range all {
					err = cmp.Or(err, complete(c))
				}
				return err
			})
		},
	}
	d.tileFlag(cmd)
	netlistFlag(cmd.Flags(), &netlist)
	budgetFlag(cmd.Flags(), &budget)
	jsonFlag(cmd, &asJSON)
	return cmd
}

// faulty returns the netlist that a run with injected faults simulated, or "" if there is none or it was searched.
func faulty(d *explain.Diagnosis, all []*station.Chip) (netlist string) {
	if c := all[0]; d.Cell == nil && d.MayBeCell && len(all) == 1 && c.Info.Faults != "" && len(c.TargetArgs) > 1 {
		if file, is := strings.CutPrefix(c.TargetArgs[1], report.Netlist+":"); is { // after -t
			return file
		}
	}
	return ""
}

// diagnosed returns the diagnosis of runs. inside is the netlist of the chip, or nil for the tile's own, if it has one.
func diagnosed(ctx context.Context, names []string, all []*station.Chip, inside *gates.Design,
	budget time.Duration, progress *cli.Progress) (*explain.Diagnosis, error) {
	var runs []explain.Run
	for i, c := range all {
		runs = append(runs, explain.NewRun(names[i], c.Recording))
	}
	if err := explain.CheckSameChip(runs); err != nil {
		return nil, err
	}
	done := progress.ShowActivity("looking for what explains it")
	first := all[0]
	d, err := explain.DiagnoseRecordings(ctx, runs, first.Board, first.Tile,
		native.IsSimulation(first.OriginTransport()), budget)
	done()
	own, is := first.Tile.(*gates.Tile)
	if err == nil && inside == nil && is && own.RTL == nil && len(all) == 1 && d.MayBeCell {
		inside = own.Design
	}
	if err == nil && inside != nil {
		defer progress.ShowActivity("so far " + d.Conclusion + "; looking inside of the chip")()
		err = d.SearchCells(ctx, first.Recording, first.Tile, inside)
	}
	return d, benchFault(err)
}
