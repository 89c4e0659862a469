package history

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/tile"
)

// A Writer enters a run as it progresses: its start before the first vector, so that a bench that dies leaves a trace,
// and the rest at its end. It is a report.Reporter that never returns an error; Note describes problems.
type Writer struct {
	path   string
	suites []*golden.Suite // for the recording

	h       *History // nil if it cannot be opened
	asked   report.Run
	run     Run                // its line
	bad     map[string]*Vector // FAIL or ERROR at least once
	order   []*Vector          // the same, in order of occurrence
	rec     *report.Writer     // nil without a recording
	file    *files.File
	ended   bool  // the verdict is entered
	trouble error // why the run or its verdict is not in the history
	lost    error // why the recording is incomplete
}

var _ report.Reporter = (*Writer)(nil)

// NewWriter returns a writer for the history at path. The recording includes the text of the suites.
func NewWriter(path string, suites ...*golden.Suite) *Writer {
	return &Writer{path: path, suites: suites, bad: map[string]*Vector{}}
}

// Number returns the run's number once its verdict is in the history; 0 before, on failure, and of a nil Writer.
func (w *Writer) Number() int {
	if w == nil || !w.ended {
		return 0
	}
	return w.run.Number
}

// Note returns a note about the history for the user, usually "", as of a nil Writer. It does not contradict Number.
func (w *Writer) Note() string {
	if w == nil {
		return ""
	}
	var all []string
	if w.h != nil && w.h.begun != "" {
		all = append(all, w.h.begun)
	}
	switch {
	case w.trouble != nil && w.run.Number == 0:
		all = append(all, fmt.Sprintf("this run is not in the history: %v", w.trouble))
	case w.trouble != nil:
		all = append(all, fmt.Sprintf("this run is number %d of the history, without its verdict: %v",
			w.run.Number, w.trouble))
	}
	if w.lost != nil {
		all = append(all, fmt.Sprintf("run %d is only partly in the history: %v", w.run.Number, w.lost))
	}
	return strings.Join(all, "; ")
}

// Start implements report.Reporter.
func (w *Writer) Start(run report.Run) error {
	w.asked, w.run.Start = run, report.NewStart(run)
	w.run.trim()
	if w.trouble = w.begin(); w.trouble != nil {
		return nil
	}
	err := os.MkdirAll(runs(w.path), 0o755)
	var file *files.File
	if err == nil {
		file, err = files.Create(Recording(w.path, w.run.Number), files.Part)
	}
	if err != nil {
		w.lost = err
		return nil
	}
	w.file, w.rec = file, report.NewWriter(file, w.suites...)
	w.recordingFailed(w.rec.Start(run))
	return nil
}

func (w *Writer) begin() (err error) {
	if w.h, err = Open(w.path); err != nil {
		return err
	}
	number := 0
	err = w.h.change(false, func() (*fact, error) {
		number = w.h.next()
		return &fact{Run: number, Start: &w.run.Start}, nil
	})
	if err == nil {
		w.run.Number = number
	}
	return err
}

// Result implements report.Reporter.
func (w *Writer) Result(res *driver.Result) error {
	if w.rec != nil {
		w.recordingFailed(w.rec.Result(res))
	}
	if res.Verdict != driver.Fail && res.Verdict != driver.Error {
		return nil
	}
	v := w.bad[res.Vector.Name]
	if v == nil {
		v = &Vector{Name: res.Vector.Name, Verdict: res.Verdict.String(), Mismatch: words(res)}
		w.bad[v.Name], w.order = v, append(w.order, v)
	}
	if res.Verdict == driver.Error {
		v.Verdict = res.Verdict.String()
	}
	v.Failed++
	v.Executions = res.Iteration
	return nil
}

// words returns the first mismatch in one line, or the reason for a missing verdict.
func words(res *driver.Result) string {
	if m := res.First; m != nil {
		return fmt.Sprintf("step %d, %s: %s", m.Index+1, tile.Describe(res.Tile, m.Step), report.Words(res))
	}
	return res.Reason
}

// recordingFailed stops recording after an error, and keeps the part so far.
func (w *Writer) recordingFailed(err error) {
	if err != nil {
		w.lost, w.rec = err, nil
	}
}

// End implements report.Reporter.
func (w *Writer) End(o report.Outcome) error {
	if w.rec != nil {
		w.recordingFailed(w.rec.End(o))
	}
	if w.run.Number == 0 {
		return nil
	}
	end := report.NewEnd(&w.asked, o)
	w.run.End = &end
	w.run.trim()
	for _, r := range o.Tally.Repeats {
		if v := w.bad[r.Vector.Name]; v != nil {
			v.Executions = r.Executions
			if r.Flaky() && v.Verdict == driver.Fail.String() {
				v.Verdict = driver.Flaky.String()
			}
		}
	}
	w.trouble = w.h.change(true, func() (*fact, error) {
		w.keep()
		return &fact{Run: w.run.Number, Start: &w.run.Start, End: w.run.End}, nil
	})
	w.ended = w.trouble == nil
	return nil
}

// keep renames the run's files after its line is written: another bench that saw them earlier would heal the journal.
func (w *Writer) keep() {
	if w.rec != nil {
		w.recordingFailed(w.file.Commit())
	}
	if err := writeVectors(w.path, w.run.Number, w.order); err != nil {
		w.lost = cmp.Or(w.lost, err)
	}
}
