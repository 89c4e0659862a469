package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"utfbench/driver"
	"utfbench/internal/files"
	"utfbench/runs/report"
)

// A HandIn is a run of another machine, with all data from its history.
type HandIn struct {
	Run       Run // with By, without a number
	Vectors   []*Vector
	SHA256    string // of the recording, in hex: it identifies the run
	Recording string // a file on the history's disk, which is moved into the folder of recordings
}

// mostForeign limits the run of a recording as JSON, in bytes; a bench writes some hundred.
const mostForeign = 16 << 10

// Recorded returns a run's row and its vectors that did not pass, without mismatches, from its recording. Verdict,
// counts and vectors come from the executions, not from the recording's end. The error says why it is not a complete
// run.
func Recorded(rec *report.Recording) (*Run, []*Vector, error) {
	switch {
	case rec.Cut != "":
		return nil, nil, fmt.Errorf("the recording is incomplete: %s", rec.Cut)
	case rec.End == nil || rec.End.Verdict == "":
		return nil, nil, errors.New("the run did not end")
	}
	counted, err := rec.Count()
	if err != nil {
		return nil, nil, fmt.Errorf("the recording cannot be counted: %w", err)
	}
	r := &Run{Start: rec.Start, End: rec.End}
	r.trim()
	if err := r.recount(&counted.Tally, rec.Start.Wires != nil); err != nil {
		return nil, nil, err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, nil, fmt.Errorf("the recording does not fit into a history: %w", err)
	}
	if len(text) > mostForeign {
		return nil, nil, fmt.Errorf("the recording has %d bytes of start and end, at most %d are allowed",
			len(text), mostForeign)
	}
	return r, badVectors(counted.Bad), nil
}

// recount replaces the counts at the end of a run. A graver verdict than the executions' stands, since a bench also
// knows of bad wires and lost transports; a better or unknown verdict is an error.
func (r *Run) recount(t *driver.Tally, badWires bool) error {
	counted := ofExecutions(t.Verdict())
	was, known := driver.ParseVerdict(r.End.Verdict)
	switch {
	case !known || was == driver.Unjudged:
		return fmt.Errorf("its end has the unknown verdict %q", r.End.Verdict)
	case ofExecutions(was) < counted:
		return fmt.Errorf("its end states %s, but its executions are %s: the recording was changed", r.End.Verdict,
			counted)
	case badWires && was == driver.Pass:
		return errors.New("its end states PASS, but the chip was wrong before the first vector: the recording was " +
			"changed")
	}
	r.End.Counts = driver.ByName(t.Verdicts)
	r.End.Steps = max(0, min(r.End.Steps, t.Steps))
	return nil
}

// ofExecutions returns PASS for WEAK: executions do not show which of their bits were compared.
func ofExecutions(v driver.Verdict) driver.Verdict {
	if v == driver.Weak {
		return driver.Pass
	}
	return v
}

// badVectors converts counted vectors into those of a Writer.
func badVectors(counted []*report.Bad) (all []*Vector) {
	for _, b := range counted {
		v := &Vector{Name: b.Vector, Verdict: driver.Fail.String(), Failed: b.Failed + b.Broken, Executions: b.Last}
		if b.Failed > 0 {
			v.Executions = b.Failed + b.Passed
		}
		switch {
		case b.Broken > 0:
			v.Verdict = driver.Error.String()
		case b.Passed > 0:
			v.Verdict = driver.Flaky.String()
		}
		all = append(all, v)
	}
	return all
}

// Take enters a run of another machine and returns its number. It enters the line, the vectors and the recording, or
// nothing if the bench dies. For a run that was handed in before it returns the existing number, and had is true.
func (h *History) Take(in *HandIn) (number int, had bool, err error) {
	recording := ""
	err = h.change(true, func() (*fact, error) {
		if number, had = h.journal.handed[in.SHA256]; had {
			return nil, nil
		}
		number = h.next()
		r := in.Run
		f := &fact{Run: number, By: r.By, SHA256: in.SHA256, Start: &r.Start, End: r.End}
		if _, err := f.seal(); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(runs(h.path), 0o755); err != nil {
			return nil, err
		}
		recording = Recording(h.path, number)
		if err := writeVectors(h.path, number, in.Vectors); err != nil {
			return nil, err
		}
		return f, files.Move(in.Recording, recording)
	})
	if err != nil && recording != "" {
		_ = os.Rename(recording, in.Recording) // undoes the move
		_ = os.Remove(vectorsOf(h.path, number))
	}
	if err != nil {
		return 0, false, err
	}
	return number, had, nil
}

// Handed returns the number of a handed-in run, by its recording's SHA-256; 0 for none.
func (h *History) Handed(sha256 string) (number int, err error) {
	err = h.reading(func() { number = h.journal.handed[sha256] })
	return number, err
}

// SHA256 returns the hash of a handed-in run's recording, or "".
func (h *History) SHA256(number int) (sum string, err error) {
	err = h.reading(func() {
		for s, n := range h.journal.handed {
			if n == number {
				sum = s
			}
		}
	})
	return sum, err
}

// A Due is a run that must still be handed in.
type Due struct {
	Run int
	Lab string // the lab's address
}

// Due returns the runs that must still be handed in, the oldest first.
func (h *History) Due() (all []Due, err error) {
	err = h.reading(func() {
		for _, run := range slices.Sorted(maps.Keys(h.journal.due)) {
			all = append(all, Due{run, h.journal.due[run]})
		}
	})
	return all, err
}

// Settle removes a run from those due.
func (h *History) Settle(run int) error {
	return h.change(false, func() (*fact, error) {
		if h.journal.due[run] == "" {
			return nil, nil
		}
		return &fact{Run: run, Settled: true}, nil
	})
}
