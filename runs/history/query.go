package history

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
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
	End    *report.End // nil during the run, and if the bench died
}

// trim removes data that only a recording has.
func (r *Run) trim() {
	s := &r.Start
	s.Target, s.Notes, s.Speed, s.Asked, s.Wires = nil, nil, nil, nil, nil
	s.Time = s.Time.UTC()
	if r.End != nil {
		end := *r.End
		end.Before, end.Hint, end.Flaky, end.Lines, end.Pins = 0, "", nil, nil, nil
		r.End = &end
	}
}

// Ended returns the end time of a run that has ended.
func (r *Run) Ended() time.Time {
	return r.Start.Time.Add(time.Duration(r.End.Seconds * float64(time.Second)))
}

// A Filter selects runs. Its zero value selects all.
type Filter struct {
	Board, Device, Tile string // empty: any; runs of a bench without tiles have none
	Number              int    // 0: any
	Before              int    // only lower numbers; 0: any
	Last                int    // at most this many, the latest; 0: all
	Skip                int    // number of latest runs to skip
}

// selects reports whether a run matches, apart from its number and place.
func (f *Filter) selects(r *Run) bool {
	s := &r.Start
	return (f.Board == "" || f.Board == s.Board) && (f.Device == "" || f.Device == s.Device) &&
		(f.Tile == "" || strings.EqualFold(f.Tile, s.Tile))
}

// nothing explains why no run of a source is selected: it names the boards, if no run is on the filter's.
func (f *Filter) nothing(from *History) (why string, err error) {
	const none = "no such run is in the history"
	var boards []string
	for r, err := range from.Runs(Filter{}) {
		if err != nil {
			return none, err
		}
		boards = append(boards, r.Start.Board)
	}
	slices.SortFunc(boards, printable.Natural)
	boards = slices.Compact(boards)
	if f.Board == "" || boards == nil || slices.Contains(boards, f.Board) {
		return none, nil
	}
	return fmt.Sprintf("no run in the history is on the board %q%s: boards are %s", f.Board,
		failure.Hint(f.Board, boards), strings.Join(boards, ", ")), nil
}

// signs returns texts that occur in the line of every selected run, for a search without decoding.
func (f *Filter) signs() (all [][]byte) {
	for name, value := range map[string]string{"board": f.Board, "device": f.Device, "tile": f.Tile} {
		if value != "" {
			text, _ := json.Marshal(map[string]string{name: value}) // texts can be encoded
			all = append(all, text[1:len(text)-2])                  // {"board":"rpi"} without its end, which may go on
		}
	}
	return all
}

// Runs returns the selected runs, the latest first.
func (h *History) Runs(f Filter) iter.Seq2[*Run, error] {
	return func(yield func(*Run, error) bool) {
		skip, left := f.Skip, f.Last
		for r, err := range h.decoded(&f) {
			switch {
			case err == nil && !f.selects(r):
			case err == nil && skip > 0:
				skip--
			default:
				if left--; !yield(r, err) || left == 0 {
					return
				}
			}
		}
	}
}

// decoded returns the runs that may be selected, the latest first. It skips unreadable ones.
func (h *History) decoded(filter *Filter) iter.Seq2[*Run, error] {
	return func(yield func(*Run, error) bool) {
		entries, err := h.entries(filter.Number, filter.Before)
		if err != nil {
			yield(nil, err)
			return
		}
		f, err := os.Open(h.path)
		if err != nil {
			yield(nil, h.named(err))
			return
		}
		defer f.Close()
		signs := filter.signs()
		for _, e := range slices.Backward(entries) {
			r, err := e.decode(f, signs)
			switch {
			case err != nil:
				h.skipped(h.named(err))
				h.forget()
			case r != nil && !yield(r, nil):
				return
			}
		}
	}
}

// forget makes the next look read the whole journal, since it was overwritten.
func (h *History) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.journal, h.healed = journal{}, 0
}

// entries returns the entries with a number, or below a number; 0 means any.
func (h *History) entries(number, before int) (all []entry, err error) {
	err = h.reading(func() {
		from, to := 0, len(h.journal.runs)
		if before > 0 {
			to, _ = h.journal.find(before)
		}
		if number > 0 {
			from, _ = h.journal.find(number)
			past, _ := h.journal.find(number + 1)
			to = max(from, min(to, past))
		}
		all = slices.Clone(h.journal.runs[from:to])
	})
	return all, err
}

// Get returns a run by number, 0 for the latest, or nil if there is none.
func (h *History) Get(number int) (*Run, error) {
	for r, err := range h.Runs(Filter{Number: number, Last: 1}) {
		return r, err
	}
	return nil, nil
}

// Count returns the number of runs.
func (h *History) Count() (int, error) {
	all, err := h.entries(0, 0)
	return len(all), err
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
			old.Start.Board != s.Board || !strings.EqualFold(old.Start.Tile, s.Tile) || old.Start.Faults != s.Faults,
			old.Start.Revision != s.Revision, old.Start.Against != s.Against: // another design, or reference
		case old.End.Verdict == driver.Pass.String():
			return old, failed, nil
		case old.End.Verdict == driver.Fail.String(), old.End.Verdict == driver.Flaky.String():
			failed = old
		}
	}
	return nil, failed, nil
}
