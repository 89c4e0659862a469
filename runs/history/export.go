package history

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"time"

	"utfbench/driver"
	"utfbench/runs/report"
)

// An object is a run in JSON.
type object struct {
	Run     int          `json:"run"`
	Start   report.Start `json:"start"`
	End     *report.End  `json:"end"` // null while it goes on, and when the bench died
	Vectors []Vector     `json:"vectors,omitempty"`
}

// ListJSON writes an object for each run, a line each, without its vectors. docs/formats.md describes it, and what the others write.
func (h *History) ListJSON(w io.Writer, which Filter) error {
	enc := json.NewEncoder(w)
	for r, err := range h.Runs(which) {
		if err == nil {
			err = enc.Encode(object{Run: r.Number, Start: r.Start, End: r.End})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ExportJSON writes an object for each run, a line each, with the vectors that were not PASS.
func (h *History) ExportJSON(w io.Writer) error {
	var numbers []int
	for r, err := range h.Runs(Filter{}) {
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
		if err := enc.Encode(object{r.Number, r.Start, r.End, vectors}); err != nil {
			return err
		}
	}
	return nil
}

// ExportCSV writes a row for each run.
func (h *History) ExportCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	head := []string{"run", "time", "bench", "transport", "board", "device", "revision", "rom", "firmware", "vectors_sha256", "seed", "vectors", "count", "host",
		"verdict", "exit", "pass", "fail", "error", "skipped", "aborted", "steps", "seconds", "trouble", "kind", "design", "design_sha256", "faults"}
	if err := out.Write(head); err != nil {
		return err
	}
	for r, err := range h.Runs(Filter{}) {
		if err != nil {
			return err
		}
		if err := out.Write(r.row()); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (r *Run) row() []string {
	s := &r.Start
	row := []string{strconv.Itoa(r.Number), s.Time.Format(time.RFC3339), s.Bench, s.Transport, s.Board, s.Device, s.Revision, s.ROM, s.Firmware, s.Digest,
		strconv.FormatUint(s.Seed, 10), strconv.Itoa(s.Vectors), strconv.Itoa(s.Count), s.Host}
	return append(append(row, endRow(r.End)...), s.Kind, s.Design, s.Sources, s.Faults)
}

func endRow(e *report.End) []string {
	if e == nil {
		return make([]string, 10)
	}
	row := []string{e.Verdict, strconv.Itoa(e.Exit)}
	for _, v := range []driver.Verdict{driver.Pass, driver.Fail, driver.Error, driver.Skipped, driver.Aborted} {
		row = append(row, strconv.Itoa(e.Counts[v.String()]))
	}
	return append(row, strconv.Itoa(e.Steps), strconv.FormatFloat(e.Seconds, 'f', 3, 64), e.Trouble)
}
