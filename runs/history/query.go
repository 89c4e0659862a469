package history

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"strconv"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/runs/report"
)

// A Run is one of the history.
type Run struct {
	Number int
	Start  report.Start
	End    *report.End // nil while it goes on, and when the bench died
	By     string      // in a lab's history: the key that handed it in, by name; else ""
}

// Ended returns when a run that has an end ended.
func (r *Run) Ended() time.Time {
	return r.Start.Time.Add(time.Duration(r.End.Seconds * float64(time.Second)))
}

// A Vector is one that was judged and not PASS in a run.
type Vector struct {
	Name       string `json:"name"`
	Verdict    string `json:"verdict"`  // FAIL, FLAKY or ERROR
	Mismatch   string `json:"mismatch"` // the first one, in words
	Failed     int    `json:"failed"`   // iterations that were not PASS
	Executions int    `json:"runs"`     // iterations that were judged
}

// A Filter selects runs. Its zero value selects all.
type Filter struct {
	Board, Device, Tile string // empty: any; runs of a bench that did not know tiles are of none
	Transport           string // as a run says it, whatever it adds behind a blank or comma; empty: any
	Words               string // each of them is somewhere in the run's line, in any case
	Number              int    // 0: any
	Before              int    // only lower numbers; 0: any
	Last                int    // no more than this many, the latest; 0: all
	Skip                int    // without so many, the latest
}

// line is all that is looked through for words.
const line = "lower(number || ' ' || time || ' ' || transport || ' ' || board || ' ' || device || ' ' || kind || ' ' " +
	"|| tile || ' ' || design || ' ' || revision || ' ' || faults || ' ' || verdict || ' ' || host || ' ' || tags || " +
	"' ' || bench || ' ' || trouble)"

// saidBy holds of what says a transport, which is a parameter; of all where that is empty.
func saidBy(parameter string) string {
	return strings.ReplaceAll("(?T = '' OR transport = ?T OR substr(transport, 1, length(?T) + 1) IN (?T || ' ', ?T "+
		"|| ','))", "?T", parameter)
}

// Runs gives runs, the latest first.
func (h *History) Runs(f Filter) iter.Seq2[*Run, error] {
	limit := -1
	if f.Last > 0 {
		limit = f.Last
	}
	where := "(?1 = '' OR board = ?1) AND (?2 = '' OR device = ?2) AND (?3 = 0 OR number = ?3) AND (?5 = '' OR tile " +
		"= ?5) AND " + saidBy("?7") + " AND (?8 = 0 OR number < ?8)"
	args := []any{f.Board, f.Device, f.Number, limit, f.Tile, f.Skip, f.Transport, f.Before}
	for _, word := range strings.Fields(f.Words) {
		args = append(args, word)
		where += fmt.Sprintf(" AND instr(%s, lower(?%d)) > 0", line, len(args))
	}
	return h.query(selected+"WHERE "+where+" ORDER BY number DESC LIMIT ?4 OFFSET ?6", args...)
}

func (h *History) query(text string, args ...any) iter.Seq2[*Run, error] {
	return func(yield func(*Run, error) bool) {
		rows, err := h.db.Query(text, args...)
		if err != nil {
			yield(nil, h.named(err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			r, err := scan(rows)
			if err != nil {
				yield(nil, h.named(err))
				return
			}
			if !yield(r, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, h.named(err))
		}
	}
}

// selected is what scan reads.
const selected = "SELECT " + columns + ", coalesce((SELECT key FROM handed_in WHERE run = number), '') FROM runs "

func (h *History) named(err error) error { return fmt.Errorf("the history %s: %w", h.path, err) }

func scan(rows *sql.Rows) (*Run, error) {
	r := &Run{Start: report.Start{Event: "start", Schema: report.SchemaVersion}}
	s, end := &r.Start, report.End{Event: "end"}
	var at, counts, seed, tags, evidence string
	err := rows.Scan(&r.Number, &at, &s.Bench, &s.Transport, &s.Board, &s.Device, &s.Revision, &s.ROM, &s.Firmware,
		&s.Digest, &seed,
		&s.Vectors, &s.Count, &s.Host, &end.Verdict, &end.Exit, &counts, &end.Steps, &end.Seconds, &end.Trouble,
		&s.Kind, &s.Design, &s.Sources, &s.Faults, &tags, &s.Tile, &s.Against, &evidence, &r.By)
	if err != nil {
		return nil, err
	}
	var wrong [5]error
	s.Time, wrong[0] = time.Parse(time.RFC3339Nano, at)
	s.Seed, wrong[1] = strconv.ParseUint(seed, 10, 64)
	wrong[2] = json.Unmarshal([]byte(counts), &end.Counts)
	if tags != "" {
		wrong[3] = json.Unmarshal([]byte(tags), &s.Tags)
	}
	if evidence != "" {
		wrong[4] = json.Unmarshal([]byte(evidence), &end.Evidence)
	}
	if end.Verdict != "" {
		r.End = &end
	}
	if err := errors.Join(wrong[:]...); err != nil {
		return nil, fmt.Errorf("run %d in it makes no sense", r.Number)
	}
	return r, nil
}

// firstOf returns the first element, or nil.
func firstOf[T any](all iter.Seq2[*T, error]) (*T, error) {
	for first, err := range all {
		return first, err
	}
	return nil, nil
}

// Get returns a run by number, 0 for the latest; nil if there is none.
func (h *History) Get(number int) (*Run, error) {
	return firstOf(h.Runs(Filter{Number: number, Last: 1}))
}

// Count returns the number of runs.
func (h *History) Count() (n int, err error) {
	if err = h.db.QueryRow("SELECT count(*) FROM runs").Scan(&n); err != nil {
		return 0, h.named(err)
	}
	return n, nil
}

// Vectors returns a run's judged vectors that were not PASS, in order.
func (h *History) Vectors(number int) ([]Vector, error) { return h.vectors(number, -1) }

// FirstWrong returns the first of them, or nil.
func (h *History) FirstWrong(number int) (*Vector, error) {
	all, err := h.vectors(number, 1)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

func (h *History) vectors(number, most int) (all []Vector, err error) {
	rows, err := h.db.Query("SELECT name, verdict, mismatch, failed, runs FROM vectors WHERE run = ? ORDER BY rowid "+
		"LIMIT ?", number, most)
	if err != nil {
		return nil, h.named(err)
	}
	defer rows.Close()
	for rows.Next() {
		var v Vector
		if err := rows.Scan(&v.Name, &v.Verdict, &v.Mismatch, &v.Failed, &v.Executions); err != nil {
			return nil, h.named(err)
		}
		all = append(all, v)
	}
	if err := rows.Err(); err != nil {
		return nil, h.named(err)
	}
	return all, nil
}

// Since says, for a run that failed, since when its board fails: it gives the last run before it that passed, or nil if
// none did, and the first run after that one which failed because of the chip. Only runs of the same board, device and
// tile that ended with PASS, FAIL or FLAKY count.
func (h *History) Since(r *Run) (passed, failed *Run, err error) {
	const sameBoard = selected + "WHERE board = ? AND device = ? AND tile = ? AND " +
		"number <= ? AND number > ? AND verdict "
	at := []any{r.Start.Board, r.Start.Device, r.Start.Tile, r.Number}
	if passed, err = firstOf(h.query(sameBoard+"= ? ORDER BY number DESC LIMIT 1",
		append(at, 0, driver.Pass.String())...)); err != nil {
		return nil, nil, err
	}
	after := 0
	if passed != nil {
		after = passed.Number
	}
	failed, err = firstOf(h.query(sameBoard+"IN (?, ?) ORDER BY number LIMIT 1", append(at, after, driver.Fail.String(),
		driver.Flaky.String())...))
	return passed, failed, err
}

// Prune removes the recordings and vector lists of runs that began before a time and are not among the latest keep. The
// runs stay, as does an unfinished run of the last day. It returns the number of runs affected, and the bytes freed.
func (h *History) Prune(keep int, before time.Time) (n int, bytes int64, err error) {
	var old []int
	for r, err := range h.query(selected+"WHERE number NOT IN (SELECT number FROM runs ORDER BY "+
		"number DESC LIMIT ?)", keep) {
		if err != nil {
			return 0, 0, err
		}
		goesOn := r.End == nil && time.Since(r.Start.Time) < 24*time.Hour
		if r.Start.Time.Before(before) && !goesOn {
			old = append(old, r.Number)
		}
	}
	for _, number := range old {
		freed, err := h.strip(number)
		if err != nil {
			return n, bytes, h.named(err)
		}
		if freed > 0 {
			n++
		}
		bytes += freed
	}
	return n, bytes, nil
}

// strip removes everything of a run except its line.
func (h *History) strip(number int) (freed int64, err error) {
	for _, path := range []string{Recording(h.path, number), Recording(h.path, number) + ".part"} {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.Remove(path)
		}
		if err != nil {
			return freed, err
		}
		freed += info.Size()
	}
	return freed, h.change(func(tx *sql.Tx) error {
		_, err := tx.Exec("DELETE FROM vectors WHERE run = ?", number)
		return err
	})
}
