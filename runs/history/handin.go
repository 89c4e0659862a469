package history

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/files"
	"utfbench/runs/record"
)

// A HandIn is a run that another machine made, with all that its own history has of it.
type HandIn struct {
	Run       Run // with By and without a number
	Vectors   []*Vector
	SHA256    string // of the recording, in hex: a run is known again by it
	Recording string // the file, on the disk of the history: it is moved into the folder of recordings
}

// mostLine is how long the line of a run may be as JSON, in bytes; one of a bench has some hundred.
const mostLine = 16 << 10

// Recorded returns a run's row and its vectors that were not PASS, without mismatches, from its recording. Verdict,
// counts and vectors come from the executions, not from the recording's end. The error says why it is not a complete
// run.
func Recorded(rec *record.Recording) (*Run, []*Vector, error) {
	switch {
	case rec.Cut != "":
		return nil, nil, fmt.Errorf("the recording is not whole: %s", rec.Cut)
	case rec.End == nil || rec.End.Verdict == "":
		return nil, nil, errors.New("the run did not end")
	}
	counted, err := rec.Count()
	if err != nil {
		return nil, nil, fmt.Errorf("the recording cannot be counted: %w", err)
	}
	r := &Run{Start: rec.Start, End: new(*rec.End)}
	if err := r.recount(&counted.Tally); err != nil {
		return nil, nil, err
	}
	// absent from a history
	r.Start.Target, r.Start.Notes, r.Start.Speed, r.Start.Asked, r.Start.Wires = nil, nil, nil, nil, nil
	r.Start.Time = r.Start.Time.UTC()
	r.End.Before, r.End.Hint, r.End.Flaky, r.End.Lines, r.End.Pins = 0, "", nil, nil, nil
	text, err := json.Marshal(r)
	if err != nil {
		return nil, nil, fmt.Errorf("the recording does not fit into a history: %w", err)
	}
	if len(text) > mostLine {
		return nil, nil, fmt.Errorf("the recording says %d bytes of the run, which no bench does: %d is the most",
			len(text), mostLine)
	}
	return r, badVectors(counted.Bad), nil
}

// recount replaces the counts at the end of a run. A graver verdict than the executions' stands, since a bench also
// knows of bad wires and lost transports; a better or unknown one is an error.
func (r *Run) recount(t *driver.Tally) error {
	counted := ofExecutions(t.Verdict())
	i := slices.IndexFunc(driver.Verdicts[driver.Pass:],
		func(v driver.Verdict) bool { return v.String() == r.End.Verdict })
	switch {
	case i < 0:
		return fmt.Errorf("its end says the verdict %q, which no bench gives", r.End.Verdict)
	case ofExecutions(driver.Verdicts[driver.Pass:][i]) < counted:
		return fmt.Errorf("its end says %s, and its executions are %s: the recording was changed", r.End.Verdict,
			counted)
	case r.Start.Wires != nil && r.End.Verdict == driver.Pass.String():
		return errors.New("its end says PASS, and the chip was wrong before the first vector: the recording was " +
			"changed")
	}
	r.End.Counts = driver.ByName(t.Verdicts)
	r.End.Steps = max(0, min(r.End.Steps, t.Steps))
	return nil
}

// ofExecutions returns PASS for WEAK: executions do not say which of their bits the bench compared.
func ofExecutions(v driver.Verdict) driver.Verdict {
	if v == driver.Weak {
		return driver.Pass
	}
	return v
}

// badVectors returns counted vectors as a Writer enters them.
func badVectors(counted []*record.Bad) (all []*Vector) {
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

// Take enters a run that another machine made, and gives its number: its line, its vectors and its recording, all of
// them or, whenever the bench dies, nothing. One that was handed in before has its number already, and had is true.
func (h *History) Take(in *HandIn) (number int, had bool, err error) {
	if err := os.MkdirAll(runs(h.path), 0o755); err != nil {
		return 0, false, err
	}
	// the client forgets that the run is due, so the number must survive a power failure
	if _, err := h.db.Exec("PRAGMA synchronous = full"); err != nil {
		return 0, false, h.named(err)
	}
	var moved string
	err = h.change(func(tx *sql.Tx) error {
		if number, err = handed(tx, in.SHA256); err != nil || number > 0 {
			had = number > 0
			return err
		}
		if number, err = in.insert(tx); err != nil {
			return err
		}
		to := Recording(h.path, number)
		moved = to
		return files.Move(in.Recording, to)
	})
	if err != nil {
		if moved != "" {
			_ = os.Rename(moved, in.Recording) // as it was, if it was moved
		}
		return 0, false, h.named(err)
	}
	return number, had, nil
}

// insert enters all but the recording.
func (in *HandIn) insert(tx *sql.Tx) (number int, err error) {
	r := in.Run // a transaction that fails has given no number
	if err := r.insert(tx); err != nil {
		return 0, err
	}
	if err := insertVectors(tx, r.Number, in.Vectors); err != nil {
		return 0, err
	}
	_, err = tx.Exec("INSERT INTO handed_in (run, key, time, sha256) VALUES (?, ?, ?, ?)", r.Number, r.By,
		time.Now().UTC().Format(time.RFC3339), in.SHA256)
	if err != nil {
		return 0, err
	}
	return r.Number, readable(tx, r.Number)
}

// Handed returns the number of a handed-in run, by its recording's SHA-256; 0 for none.
func (h *History) Handed(sha256 string) (number int, err error) {
	if number, err = handed(h.db, sha256); err != nil {
		return 0, h.named(err)
	}
	return number, nil
}

func handed(db interface {
	QueryRow(string, ...any) *sql.Row
}, sha256 string) (number int, err error) {
	err = db.QueryRow("SELECT run FROM handed_in WHERE sha256 = ?", sha256).Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return number, err
}

// SHA256 returns the hash of a handed-in run's recording, or "".
func (h *History) SHA256(number int) (sum string, err error) {
	err = h.db.QueryRow("SELECT sha256 FROM handed_in WHERE run = ?", number).Scan(&sum)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", h.named(err)
	}
	return sum, nil
}

// KeepTo removes the oldest recordings, with their vector lists, until all fit into quota bytes; the runs stay. It
// returns the number of runs affected.
func (h *History) KeepTo(quota int64) (n int, err error) {
	entries, err := os.ReadDir(runs(h.path))
	if err != nil {
		return 0, err
	}
	bytes, numbers := int64(0), []int{}
	sizes := map[int]int64{}
	for _, f := range entries {
		info, err := f.Info()
		if err != nil {
			continue // it went meanwhile
		}
		bytes += info.Size()
		if number, err := strconv.Atoi(strings.TrimSuffix(f.Name(), ".rec")); err == nil {
			numbers, sizes[number] = append(numbers, number), info.Size()
		}
	}
	slices.Sort(numbers)
	for _, number := range numbers {
		if bytes <= quota {
			break
		}
		if _, err := h.strip(number); err != nil {
			return n, h.named(err)
		}
		n, bytes = n+1, bytes-sizes[number]
	}
	return n, nil
}
