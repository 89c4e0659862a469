package history

import (
	"fmt"
	"iter"
	"slices"

	"utfbench/runs/report"
)

// A Run is a run that the history records.
type Run struct {
	Number int
	Start  report.Start
	End    *report.End // nil until the run ends, if the bench died, or if the recording is damaged
	Pruned bool        // the executions were removed
}

// A Filter selects runs. Its zero value selects all.
type Filter struct {
	Board string // "": any
	Limit int    // maximum number of runs, the latest; 0 for no limit
	Skip  int    // number of latest runs to skip
}

// Runs returns the selected runs, the latest first. It skips runs that it cannot read, with a note.
func (h *History) Runs(f Filter) iter.Seq2[*Run, error] {
	return func(yield func(*Run, error) bool) {
		all, err := numbers(h.dir)
		if err != nil {
			yield(nil, err)
			return
		}
		skip, left := f.Skip, f.Limit
		for _, number := range slices.Backward(all) {
			switch r, err := h.read(number); {
			case err != nil:
				if h.onNote != nil {
					h.onNote(fmt.Sprintf("%v: skipped", err))
				}
			case f.Board != "" && f.Board != r.Start.Board:
			case skip > 0:
				skip--
			default:
				if left--; !yield(r, nil) || left == 0 {
					return
				}
			}
		}
	}
}

// Get returns the run with the given number, or nil if there is none.
func (h *History) Get(number int) (*Run, error) {
	if h.RecordingPath(number) == "" {
		return nil, nil
	}
	return h.read(number)
}

// Last returns the run that "last" names, or nil if the history is empty.
func (h *History) Last() (*Run, error) {
	for r, err := range h.Runs(Filter{Limit: 1}) {
		return r, err
	}
	return nil, nil
}
