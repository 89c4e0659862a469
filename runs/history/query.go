package history

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/report"
)

// A Run is a run of the history.
type Run struct {
	Number int
	Start  report.Start
	End    *report.End // nil during the run, if the bench died, and if the recording is damaged
	Pruned bool        // its executions were removed
}

// EndTime returns the end time of a run that has ended.
func (r *Run) EndTime() time.Time {
	return r.Start.Time.Add(time.Duration(r.End.Seconds * float64(time.Second)))
}

// A Filter selects runs. Its zero value selects all.
type Filter struct {
	Board, Device, Tile string // empty: any
	Before              int    // only lower numbers; 0: any
	Last                int    // at most this many, the latest; 0: all
	Skip                int    // number of latest runs to skip
}

// selects reports whether a run matches, apart from its number.
func (f *Filter) selects(r *Run) bool {
	s := &r.Start
	return (f.Board == "" || f.Board == s.Board) && (f.Device == "" || f.Device == s.Device) &&
		(f.Tile == "" || f.Tile == s.Tile)
}

// explainNone explains why no run of a source is selected: it names the boards, if no run is on the filter's.
func (f *Filter) explainNone(from *History) (why string, err error) {
	const none = "no such run is in the history"
	var boards []string
	for r, err := range from.Runs(Filter{}) {
		if err != nil {
			return none, err
		}
		boards = append(boards, r.Start.Board)
	}
	slices.SortFunc(boards, printable.CompareNatural)
	boards = slices.Compact(boards)
	if f.Board == "" || boards == nil || slices.Contains(boards, f.Board) {
		return none, nil
	}
	return fmt.Sprintf("no run in the history is on the board %q%s: boards are %s", f.Board,
		failure.DidYouMean(f.Board, boards), strings.Join(boards, ", ")), nil
}

// Runs returns the selected runs, the latest first. It skips unreadable ones, which Note names.
func (h *History) Runs(f Filter) iter.Seq2[*Run, error] {
	return func(yield func(*Run, error) bool) {
		all, err := numbers(h.dir)
		if err != nil {
			yield(nil, err)
			return
		}
		skip, left := f.Skip, f.Last
		for _, number := range slices.Backward(all) {
			if f.Before > 0 && number >= f.Before {
				continue
			}
			switch r, err := h.read(number); {
			case err != nil:
				h.note(err)
			case !f.selects(r):
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

// Since returns since when the board of a failed run has failed: the last run before it that passed, or nil, and the
// first run after that one that failed because of the chip. Only runs of the same board, tile and injected faults, with
// the same reference, that ended with PASS, FAIL or FLAKY count.
func (h *History) Since(r *Run) (passed, failed *Run, err error) {
	s := &r.Start
	for old, err := range h.Runs(Filter{Board: s.Board, Device: s.Device, Tile: s.Tile, Before: r.Number + 1}) {
		switch {
		case err != nil:
			return nil, nil, err
		case old.End == nil || old.Start.Device != s.Device ||
			old.Start.Board != s.Board || old.Start.Tile != s.Tile || old.Start.Faults != s.Faults,
			old.Start.Revision != s.Revision, old.Start.Against != s.Against: // another design, or reference
		case old.End.Verdict == driver.Pass.String():
			return old, failed, nil
		case old.End.Verdict == driver.Fail.String(), old.End.Verdict == driver.Flaky.String():
			failed = old
		}
	}
	return nil, failed, nil
}
