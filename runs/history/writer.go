package history

import (
	"fmt"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/files"
	"utfbench/runs/report"
)

// A Writer is a report.Reporter that records a run in the history as it progresses, so that a run is kept even if the
// bench dies. It never returns an error; Note describes failures.
type Writer struct {
	dir    string
	suites []*golden.Suite // suites whose text the recording includes

	run     report.Run
	number  int // number of the run, or 0
	file    *files.File
	to      *report.Writer
	ended   bool  // the run is in the history with its verdict
	trouble error // why the run or its executions could not be recorded
}

var _ report.Reporter = (*Writer)(nil)

// NewWriter returns a writer for the history in a folder. Its recording includes the text of the suites.
func NewWriter(dir string, suites ...*golden.Suite) *Writer { return &Writer{dir: dir, suites: suites} }

// Number returns the run's number once its verdict is in the history. It is 0 before, and for a nil Writer.
func (w *Writer) Number() int {
	if w == nil || !w.ended {
		return 0
	}
	return w.number
}

// Note returns a note for the user if the history lacks the run or a part of it, or else "". w may be nil.
func (w *Writer) Note() string {
	switch {
	case w == nil || w.trouble == nil:
		return ""
	case w.number == 0:
		return fmt.Sprintf("this run is not in the history: %v", w.trouble)
	case w.ended:
		return fmt.Sprintf("run %d is in the history with its verdict only: %v", w.number, w.trouble)
	}
	return fmt.Sprintf("this run is number %d of the history, without its verdict: %v", w.number, w.trouble)
}

func (w *Writer) Start(run report.Run) error {
	w.run = run
	if w.number, w.file, w.trouble = create(w.dir); w.trouble == nil {
		w.to = report.NewWriter(w.file, w.suites...)
		w.trouble = w.to.Start(run)
	}
	return nil
}

// Result implements report.Reporter. After an error it keeps the part written so far.
func (w *Writer) Result(res *driver.Result) error {
	if w.trouble == nil {
		w.trouble = w.to.Result(res)
	}
	return nil
}

// End implements report.Reporter. If writing fails, as on a full disk, it records the run without its executions.
func (w *Writer) End(o report.Outcome) error {
	if w.trouble == nil {
		w.trouble = w.to.End(o)
	}
	if w.trouble == nil {
		w.trouble = w.file.Commit()
	}
	w.ended = w.trouble == nil
	if !w.ended && w.number > 0 {
		w.ended = report.WritePruned(path(w.dir, w.number), w.run, o) == nil
	}
	if w.ended && w.trouble != nil {
		w.file.Discard()
	}
	return nil
}
