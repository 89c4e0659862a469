package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/runs/history"
	"utfbench/runs/report"
)

func newHistory() *cobra.Command {
	var runs runFinder
	var f history.Filter
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "history",
		Short: "List the runs of chips so far; show, compare, export and prune them",
		Long: `history lists the runs so far, the latest first. Every bench run is entered, but for those that are answered by replay,
with --no-history, or ended before the first vector for another reason than the wires.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.Last < 1 {
				return fmt.Errorf("-n %d: has to be 1 or more", f.Last)
			}
			return runs.list(cmd.OutOrStdout(), f, asJSON)
		},
	}
	runs.flags(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.Board, "board", "", "only runs of this board, by name")
	fs.StringVar(&f.Device, "device", "", "only runs of this device, by its id")
	fs.IntVarP(&f.Last, "number", "n", 20, "no more than the latest so many")
	fs.BoolVar(&asJSON, "json", false, "every run as a JSON object, one a line")
	cmd.AddCommand(newHistoryShow(), newHistoryCompare(), newHistoryExport(), newHistoryPrune())
	return cmd
}

// A runObject is a run in JSON.
type runObject struct {
	Run     int              `json:"run"`
	Start   report.Start     `json:"start"`
	End     *report.End      `json:"end"` // null while it goes on, and when the bench died
	Vectors []history.Vector `json:"vectors,omitempty"`
}

func (f *runFinder) list(out io.Writer, which history.Filter, asJSON bool) error {
	h, err := f.open()
	if err != nil {
		return err
	}
	defer h.Close()
	enc := json.NewEncoder(out)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	defer table.Flush()
	n := 0
	for r, err := range h.Runs(which) {
		switch {
		case err != nil:
			return benchFault(err)
		case asJSON:
			err = enc.Encode(runObject{Run: r.Number, Start: r.Start, End: r.End})
		default:
			if n == 0 {
				fmt.Fprintln(table, "run\tbegan\tboard\tdevice\tverdict\tfailed\tof executions\ttransport")
			}
			err = listRun(table, r)
		}
		if err != nil {
			return err
		}
		n++
	}
	if n == 0 && !asJSON {
		fmt.Fprintln(out, "no such run is in the history")
	}
	return nil
}

func listRun(w io.Writer, r *history.Run) error {
	s := &r.Start
	failed := "-"
	if r.End != nil {
		failed = strconv.Itoa(r.End.Counts[driver.Fail.String()] + r.End.Counts[driver.Error.String()])
	}
	_, err := fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%d\t%s\n", r.Number, s.Time.Local().Format(time.DateTime), s.Board, cmp.Or(s.Device, "-"),
		verdictOf(r), failed, s.Vectors*s.Count, s.Transport)
	return err
}

// verdictOf is that of a run, if it has one.
func verdictOf(r *history.Run) string {
	if r.End == nil {
		return "no end"
	}
	verdict := r.End.Verdict
	if badWires(r.End) {
		verdict = driver.Wiring.String()
	}
	if r.Start.Modelled() {
		verdict += " (no chip)"
	}
	return verdict
}

// badWires says whether a run ended as WIRING. Where that was no verdict yet, its exit code alone says so.
func badWires(e *report.End) bool { return e.Verdict == driver.Wiring.String() || e.Exit == exitWiring }
