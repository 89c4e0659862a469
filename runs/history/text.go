package history

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/runs/report"
)

// WriteJSON writes one object for each selected run, one per line; see docs/formats.md.
func WriteJSON(w io.Writer, from *History, which Filter) error {
	enc := json.NewEncoder(w)
	for r, err := range from.Runs(which) {
		if err != nil {
			return err
		}
		if err := enc.Encode(struct {
			Run    int          `json:"run"`
			Start  report.Start `json:"start"`
			End    *report.End  `json:"end"` // null until the run ends, and if the bench died
			Pruned bool         `json:"pruned,omitempty"`
		}{r.Number, r.Start, r.End, r.Pruned}); err != nil {
			return err
		}
	}
	return nil
}

// Glossary explains additions to verdicts; see cli.Book.
//
//go:embed words.txt
var Glossary string

// Verdict returns the verdict of a run in words.
func (r *Run) Verdict() string {
	if r.End == nil {
		return "no end"
	}
	verdict := r.End.Verdict
	if r.Start.Chipless() {
		verdict += " (no chip)"
	}
	return verdict
}

// WriteTable writes the selected runs as a table.
func WriteTable(w io.Writer, from *History, which Filter) error {
	var all []*Run
	for r, err := range from.Runs(which) {
		if err != nil {
			return err
		}
		all = append(all, r)
	}
	if len(all) == 0 {
		none := NoRuns
		if which.Board != "" {
			none = fmt.Sprintf("no run in the history is on the board %q", which.Board)
		}
		_, err := fmt.Fprintln(w, none)
		return err
	}
	table := printable.NewTable("run", "began", "board", "device", "verdict", "failed", "of judged", "transport",
		"tags", "tile")
	for _, r := range all {
		table.Row(r.cells()...)
	}
	return table.Write(w)
}

func (r *Run) cells() []any {
	s, failed, judged := &r.Start, "-", "-"
	if r.End != nil && r.End.Capture == nil { // a capture does not count vectors
		n := r.End.Counts[driver.Fail.String()]
		failed, judged = strconv.Itoa(n), strconv.Itoa(n+r.End.Counts[driver.Pass.String()])
	}
	return []any{r.Number, s.Time.Local().Format(time.DateTime), s.Board, cmp.Or(s.Device, "-"),
		r.Verdict(), failed, judged, s.Transport, cmp.Or(s.Tags.String(), "-"), cmp.Or(s.Tile, "-")}
}

// WriteOutline writes the remaining data of a pruned run.
func (r *Run) WriteOutline(w io.Writer) {
	s := &r.Start
	fmt.Fprintf(w, "run %d, %s, of bench %s: %s, board %s, compared with %s: %s\n", r.Number,
		s.Time.Local().Format(time.DateTime), s.Bench, s.Transport, s.Board, s.Reference(), r.Verdict())
	if len(s.Tags) > 0 {
		fmt.Fprintf(w, "tags: %s\n", s.Tags)
	}
	if r.End == nil || r.End.Evidence == nil {
		return
	}
	fmt.Fprintf(w, "compared: %s\n", r.End.Evidence)
	if s := r.End.Evidence.Coverage; s != nil {
		fmt.Fprintln(w, strings.Join(s.Lines(), "\n"))
	}
}

// NoRuns is the text for a history without runs.
const NoRuns = "no run yet"
