package history

import (
	"fmt"
	"iter"
	"slices"

	"utfbench/runs/report"
)

// A Run is a run of the history.
type Run struct {
	Number int
	Start  report.Start
	End    *report.End // nil during the run, if the bench died, and if the recording is damaged
	Pruned bool        // its executions were removed
}

// A Filter selects runs. Its zero value selects all.
type Filter struct {
	Board string // "": any
	Last  int    // at most this many, the latest; 0: all
	Skip  int    // number of latest runs to skip
}

// Runs returns the selected runs, the latest first. It skips unreadable ones with a note.
func (h *History) Runs(f Filter) iter.Seq2[*Run, error] {
	return func(yield func(*Run, error) bool) {
		all, err := numbers(h.dir)
		if err != nil {
			yield(nil, err)
			return
		}
		skip, left := f.Skip, f.Last
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

// Get returns the run with a number, or nil.
func (h *History) Get(number int) (*Run, error) {
	if h.RecordingPath(number) == "" {
		return nil, nil
	}
	return h.read(number)
}

// Last returns the latest run, which "last" names; nil in an empty history.
func (h *History) Last() (*Run, error) {
	for r, err := range h.Runs(Filter{Last: 1}) {
		return r, err
	}
	return nil, nil
}
