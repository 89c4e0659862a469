package history

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/internal/files"
	"utfbench/runs/record"
	"utfbench/runs/report"
	"utfbench/tile"
)

// A Writer enters a run as it goes: its start before the first vector, so that a bench that dies leaves a trace, and
// the rest at its end. It is a report.Reporter that never returns an error; Note says what went wrong.
type Writer struct {
	Due string // the address of the lab that the run is to be handed in to; "" is none

	path   string
	suites []*golden.Suite // for the recording

	h       *History
	asked   report.Run
	run     Run                // its line
	bad     map[string]*Vector // that were FAIL or ERROR
	order   []*Vector          // the same, as they came
	rec     *record.Writer     // nil when there is none
	file    *files.File
	ended   bool   // the verdict is entered
	trouble error  // why it, or the run, is not in the history
	lost    error  // why not all is recorded
	aside   string // where a damaged database is now
}

var _ report.Reporter = (*Writer)(nil)

// NewWriter enters a run into the history at path. The recording includes the text of the suites.
func NewWriter(path string, suites ...*golden.Suite) *Writer {
	return &Writer{path: path, suites: suites, bad: map[string]*Vector{}}
}

// Number returns the run's number once it is in the history with its verdict; 0 before, and on failure.
func (w *Writer) Number() int {
	if !w.ended {
		return 0
	}
	return w.run.Number
}

// Note returns a remark on the history for the user, usually "". It does not contradict Number.
func (w *Writer) Note() string {
	var all []string
	if w.aside != "" {
		all = append(all, fmt.Sprintf("the history %s was damaged and is now called %s; a new one was begun",
			w.path, w.aside))
	}
	switch {
	case w.trouble != nil && w.run.Number == 0:
		all = append(all, fmt.Sprintf("this run is not in the history: %v", w.trouble))
	case w.trouble != nil:
		all = append(all, fmt.Sprintf("this run is number %d of the history, without its verdict: %v",
			w.run.Number, w.trouble))
	}
	if w.lost != nil {
		all = append(all, fmt.Sprintf("of run %d not all is recorded in the history: %v", w.run.Number, w.lost))
	}
	return strings.Join(all, "; ")
}

// Start implements report.Reporter.
func (w *Writer) Start(run report.Run) error {
	w.asked, w.run.Start = run, report.NewStart(run)
	if w.trouble = w.enter(); w.trouble != nil {
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
	w.file, w.rec = file, record.NewWriter(file, w.suites...)
	w.recordingFailed(w.rec.Start(run))
	return nil
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

// words returns the first mismatch in one line, or why there was no verdict.
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
	if w.rec != nil {
		w.recordingFailed(w.file.Commit())
	}
	if w.h == nil {
		return nil
	}
	end := report.NewEnd(&w.asked, o)
	w.run.End = &end
	for _, r := range o.Tally.Repeats {
		if v := w.bad[r.Vector.Name]; v != nil {
			v.Executions = r.Executions
			if r.Flaky() && v.Verdict == driver.Fail.String() {
				v.Verdict = driver.Flaky.String()
			}
		}
	}
	w.trouble = w.withRecovery(w.finish)
	w.ended = w.trouble == nil
	if w.h != nil {
		_ = w.h.Close() // all is committed
	}
	return nil
}

// enter opens the history and gives the run its number.
func (w *Writer) enter() error {
	return w.withRecovery(func() error {
		return w.h.change(func(tx *sql.Tx) error { return w.run.insert(tx) })
	})
}

// finish enters how the run ended. It enters everything, since the database may have been replaced since the start.
func (w *Writer) finish() error {
	return w.h.change(func(tx *sql.Tx) error {
		if err := w.run.insert(tx); err != nil {
			return err
		}
		if w.Due != "" {
			_, err := tx.Exec("INSERT OR REPLACE INTO due (run, lab) VALUES (?, ?)", w.run.Number, w.Due)
			if err != nil {
				return err
			}
		}
		if err := insertVectors(tx, w.run.Number, w.order); err != nil {
			return err
		}
		return readable(tx, w.run.Number)
	})
}

// readable says why a run that was entered cannot be read: the database is damaged, or its line would hide all others.
func readable(tx *sql.Tx, number int) error {
	rows, err := tx.Query(selected+"WHERE number = ?", number)
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		return cmp.Or(rows.Err(), errors.New("the run cannot be read again"))
	}
	_, err = scan(rows)
	return err
}

// insertVectors enters the vectors of a run that were judged and not PASS.
func insertVectors(tx *sql.Tx, number int, order []*Vector) error {
	if len(order) == 0 {
		return nil
	}
	vectors, err := json.Marshal(order)
	if err != nil {
		return err
	}
	// One statement for all of them: it takes a fraction of the time of one for each.
	_, err = tx.Exec(`INSERT INTO vectors (run, name, verdict, mismatch, failed, runs)
		SELECT ?, value ->> 'name', value ->> 'verdict', value ->> 'mismatch', value ->> 'failed', value ->> 'runs'
		FROM json_each(?) ORDER BY key`, number, string(vectors))
	return err
}

// withRecovery does something with the history, and opens it before if necessary. If the database is damaged, it is set
// aside, and everything is done with a new one.
func (w *Writer) withRecovery(do func() error) error {
	looked, _ := os.Stat(w.path) // nil when there is none yet
	err := w.withHistory(do)
	if !Damaged(err) || looked == nil {
		return err
	}
	aside, moved := SetAside(w.path, looked)
	if moved != nil {
		return errors.Join(err, moved)
	}
	if aside != "" {
		w.aside = aside
	}
	return w.withHistory(do)
}

func (w *Writer) withHistory(do func() error) (err error) {
	if w.h == nil {
		if w.h, err = Open(w.path); err != nil {
			return err
		}
	}
	if err = do(); err != nil {
		err = w.h.named(err)
		w.h.Close()
		w.h = nil
	}
	return err
}

// insert enters a run, under its number if it has one.
func (r *Run) insert(tx *sql.Tx) error {
	end := report.End{}
	if r.End != nil {
		end = *r.End
	}
	counts, err := json.Marshal(end.Counts)
	if err != nil {
		return err
	}
	evidence := []byte(nil)
	if end.Evidence != nil {
		if evidence, err = json.Marshal(end.Evidence); err != nil {
			return err
		}
	}
	s := &r.Start
	var number any // none yet
	if r.Number != 0 {
		number = r.Number
	}
	done, err := tx.Exec("INSERT OR REPLACE INTO runs ("+columns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "+
		"?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", number,
		s.Time.Format(time.RFC3339Nano), s.Bench, s.Transport, s.Board, s.Device, s.Revision, s.ROM, s.Firmware,
		s.Digest, strconv.FormatUint(s.Seed, 10),
		s.Vectors, s.Count, s.Host, end.Verdict, end.Exit, string(counts), end.Steps, end.Seconds, end.Trouble,
		s.Kind, s.Design, s.Sources, s.Faults, s.Tags.JSON(), s.Tile, s.Against, string(evidence))
	if err != nil {
		return err
	}
	id, err := done.LastInsertId()
	r.Number = int(id)
	return err
}

// columns of runs, in the order of insert and scan.
const columns = "number, time, bench, transport, board, device, revision, rom, firmware, digest, seed, vectors, " +
	"count, host, verdict, exit, counts, steps, seconds, trouble, kind, design, design_sha256, faults, tags, " +
	"tile, against, evidence"
