package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"utfbench/driver"
	"utfbench/runs/history"
	"utfbench/runs/report"
)

func newHistoryExport() *cobra.Command {
	var runs runFinder
	var asJSON, asCSV bool
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the whole history as JSON, one run a line, or as CSV",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON && asCSV {
				return errors.New("--json and --csv do not go together: give one of them")
			}
			h, err := runs.open()
			if err != nil {
				return err
			}
			defer h.Close()
			w := bufio.NewWriter(cmd.OutOrStdout())
			if asCSV {
				err = exportCSV(w, h)
			} else {
				err = exportJSON(w, h)
			}
			if err != nil {
				return benchFault(err)
			}
			return w.Flush()
		},
	}
	runs.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "JSON, with the vectors that were not PASS (the default)")
	cmd.Flags().BoolVar(&asCSV, "csv", false, "CSV, a line for each run")
	return cmd
}

func exportJSON(w io.Writer, h *history.History) error {
	var numbers []int
	for r, err := range h.Runs(history.Filter{}) {
		if err != nil {
			return err
		}
		numbers = append(numbers, r.Number)
	}
	enc := json.NewEncoder(w)
	for _, n := range numbers {
		r, err := h.Get(n)
		if err != nil || r == nil {
			return err
		}
		vectors, err := h.Vectors(n)
		if err != nil {
			return err
		}
		if err := enc.Encode(runObject{r.Number, r.Start, r.End, vectors}); err != nil {
			return err
		}
	}
	return nil
}

func exportCSV(w io.Writer, h *history.History) error {
	out := csv.NewWriter(w)
	head := []string{"run", "time", "bench", "transport", "board", "device", "revision", "rom", "firmware", "vectors_sha256", "seed", "vectors", "count", "host",
		"verdict", "exit", "pass", "fail", "error", "skipped", "aborted", "steps", "seconds", "trouble", "kind", "design", "design_sha256", "faults"}
	if err := out.Write(head); err != nil {
		return err
	}
	for r, err := range h.Runs(history.Filter{}) {
		if err != nil {
			return err
		}
		if err := out.Write(csvRow(r)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func csvRow(r *history.Run) []string {
	s := &r.Start
	row := []string{strconv.Itoa(r.Number), s.Time.Format(time.RFC3339), s.Bench, s.Transport, s.Board, s.Device, s.Revision, s.ROM, s.Firmware, s.Digest,
		strconv.FormatUint(s.Seed, 10), strconv.Itoa(s.Vectors), strconv.Itoa(s.Count), s.Host}
	return append(append(row, csvEnd(r.End)...), s.Kind, s.Design, s.Sources, s.Faults)
}

func csvEnd(e *report.End) []string {
	if e == nil {
		return make([]string, 10)
	}
	row := []string{e.Verdict, strconv.Itoa(e.Exit)}
	for _, v := range []driver.Verdict{driver.Pass, driver.Fail, driver.Error, driver.Skipped, driver.Aborted} {
		row = append(row, strconv.Itoa(e.Counts[v.String()]))
	}
	return append(row, strconv.Itoa(e.Steps), strconv.FormatFloat(e.Seconds, 'f', 3, 64), e.Trouble)
}

func newHistoryPrune() *cobra.Command {
	var runs runFinder
	var keep int
	var age time.Duration
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove the recordings of old runs, and their lists of vectors",
		Long: `prune removes the recordings of old runs, and the lists of their vectors that were not PASS. The runs themselves stay in
the history, with their verdicts. With both flags a run has to be old by both.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			given := cmd.Flags().Changed
			switch {
			case !given("keep") && !given("older-than"):
				return errors.New("prune wants --keep N or --older-than DURATION")
			case keep < 0:
				return fmt.Errorf("--keep %d: has to be 0 or more", keep)
			case age < 0:
				return fmt.Errorf("--older-than %s: has to be 0 or more", age)
			}
			h, err := runs.open()
			if err != nil {
				return err
			}
			defer h.Close()
			n, bytes, err := h.Prune(keep, time.Now().Add(-age))
			if err != nil {
				return benchFault(err)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "pruned: %d, %d kB; the verdicts stay in the history\n", n, (bytes+999)/1000)
			return err
		},
	}
	runs.flags(cmd)
	cmd.Flags().IntVar(&keep, "keep", 0, "leave the latest so many runs alone")
	cmd.Flags().DurationVar(&age, "older-than", 0, "leave alone what began within this time, e.g. 720h for 30 days")
	return cmd
}
