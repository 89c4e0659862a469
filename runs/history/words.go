package history

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"utfbench/driver"
)

// Verdict is that of a run in words.
func (r *Run) Verdict() string {
	if r.End == nil {
		return "no end"
	}
	verdict := r.End.Verdict
	if r.End.BadWires() {
		verdict = driver.Wiring.String()
	}
	if r.Start.Modelled() {
		verdict += " (no chip)"
	}
	return verdict
}

// Table writes a line for each run.
func (h *History) Table(w io.Writer, which Filter) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	head := "run\tbegan\tboard\tdevice\tverdict\tfailed\tof passes\ttransport\n"
	for r, err := range h.Runs(which) {
		if err != nil {
			table.Flush()
			return err
		}
		s, failed := &r.Start, "-"
		if r.End != nil {
			failed = strconv.Itoa(r.End.Counts[driver.Fail.String()] + r.End.Counts[driver.Error.String()])
		}
		fmt.Fprintf(table, "%s%d\t%s\t%s\t%s\t%s\t%s\t%d\t%s\n", head, r.Number, s.Time.Local().Format(time.DateTime), s.Board, cmp.Or(s.Device, "-"),
			r.Verdict(), failed, s.Vectors*s.Count, s.Transport)
		head = ""
	}
	if head != "" {
		fmt.Fprintln(table, "no such run is in the history")
	}
	return table.Flush()
}

// Outline writes what is known of a run without its recording. A write that fails is left to w to tell.
func (h *History) Outline(w io.Writer, r *Run) error {
	vectors, err := h.Vectors(r.Number)
	if err != nil {
		return err
	}
	s := &r.Start
	fmt.Fprintf(w, "run %d, %s, of bench %s: %s, board %s, compared with the %s model: %s\n", r.Number, s.Time.Local().Format(time.DateTime), s.Bench,
		s.Transport, s.Board, s.Revision, r.Verdict())
	for _, v := range vectors {
		fmt.Fprintf(w, "%-7s %s\n        %d of %d: %s\n", v.Verdict, v.Name, v.Failed, v.Runs, v.Mismatch)
	}
	return nil
}

// SinceWords says since when the board of a run that failed does; it is empty for a run that did not.
func (h *History) SinceWords(r *Run) (string, error) {
	if r.End == nil || r.End.Verdict != driver.Fail.String() && r.End.Verdict != driver.Flaky.String() {
		return "", nil
	}
	passed, failed, err := h.Since(r)
	if err != nil || failed == nil { // its own line was changed meanwhile
		return "", err
	}
	board := strings.TrimSpace(r.Start.Board + " " + r.Start.Device)
	if passed == nil {
		return fmt.Sprintf("run %d: no run passed on the board %s before it; the first that failed is run %d of %s", r.Number, board, failed.Number, failed.when()), nil
	}
	return fmt.Sprintf("run %d: passed on the board %s until run %d of %s; the first that failed since is run %d of %s", r.Number, board,
		passed.Number, passed.when(), failed.Number, failed.when()), nil
}

// when says when a run began and how much it asked, since a PASS of few vectors says little.
func (r *Run) when() string {
	return fmt.Sprintf("%s (%d vectors)", r.Start.Time.Local().Format(time.DateTime), r.Start.Vectors)
}
