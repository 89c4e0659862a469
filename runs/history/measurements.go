package history

import (
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"utfbench/internal/tags"
	"utfbench/runs/measurement"
)

// A Measurement is one that a lab's history keeps.
type Measurement struct {
	Number int `json:"number"`
	measurement.About
	By     string `json:"by"`     // the key that handed it in, by name
	SHA256 string `json:"sha256"` // of its document, in hex: it is known again by it
	Bytes  int64  `json:"bytes"`  // of its document; 0 once that has made room for others
}

// A MeasurementFilter selects measurements, as a Filter does. Its zero value selects all.
type MeasurementFilter struct {
	Kind      string // empty: any
	Transport string // as it says it, whatever it adds behind a blank or comma; empty: any
	Words     string // each of them is somewhere in its line, in any case
	Number    int    // 0: any
	Before    int    // only lower numbers; 0: any
	Last      int    // no more than this many, the latest; 0: all
	Skip      int    // without so many, the latest
}

// measurementLine is all that is looked through for words.
const measurementLine = "lower(number || ' ' || kind || ' ' || made || ' ' || transport || ' ' || board || ' ' || " +
	"device || ' ' || tile || ' ' || revision || ' ' || tags || ' ' || bench || ' ' || words || ' ' || key)"

// Measurements gives measurements, the latest first.
func (h *History) Measurements(f MeasurementFilter) iter.Seq2[*Measurement, error] {
	limit := -1
	if f.Last > 0 {
		limit = f.Last
	}
	where := "(?1 = '' OR kind = ?1) AND " + saidBy("?2") + " AND (?3 = 0 OR number = ?3) AND (?4 = 0 OR number < ?4)"
	args := []any{f.Kind, f.Transport, f.Number, f.Before, limit, f.Skip}
	for _, word := range strings.Fields(f.Words) {
		args = append(args, word)
		where += fmt.Sprintf(" AND instr(%s, lower(?%d)) > 0", measurementLine, len(args))
	}
	return func(yield func(*Measurement, error) bool) {
		rows, err := h.db.Query("SELECT "+measurementColumns+", coalesce(length(document), 0) FROM measurements "+
			"WHERE "+where+" ORDER BY number DESC LIMIT ?5 OFFSET ?6", args...)
		if err != nil {
			yield(nil, h.named(err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			m, err := scanMeasurement(rows)
			if err != nil {
				yield(nil, h.named(err))
				return
			}
			if !yield(m, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, h.named(err))
		}
	}
}

// measurementColumns are what insert writes and scanMeasurement reads.
const measurementColumns = "number, kind, made, transport, board, device, tile, revision, tags, bench, words, key, " +
	"sha256"

func scanMeasurement(rows *sql.Rows) (*Measurement, error) {
	m := &Measurement{}
	var made, set string
	err := rows.Scan(&m.Number, &m.Kind, &made, &m.Transport, &m.Board, &m.Device, &m.Tile, &m.Revision, &set,
		&m.Bench, &m.Words, &m.By, &m.SHA256, &m.Bytes)
	if err != nil {
		return nil, err
	}
	var merr, terr error
	m.Made, merr = time.Parse(time.RFC3339, made)
	m.Tags, terr = tags.FromJSON(set)
	if errors.Join(merr, terr) != nil {
		return nil, fmt.Errorf("measurement %d in it makes no sense", m.Number)
	}
	return m, nil
}

// Measurement returns a measurement by number, or nil.
func (h *History) Measurement(number int) (*Measurement, error) {
	return h.LastMeasurement(MeasurementFilter{Number: number})
}

// LastMeasurement returns the latest match, or nil.
func (h *History) LastMeasurement(f MeasurementFilter) (*Measurement, error) {
	f.Last = 1
	return firstOf(h.Measurements(f))
}

// TakeMeasurement enters a measurement handed in by a key, and returns its number; had reports that it was entered
// before. All documents together fit into a quota: the oldest make room, and their rows stay. It is atomic, even if the
// bench dies.
func (h *History) TakeMeasurement(m *Measurement, document []byte, room int64) (number int, had bool, err error) {
	// the client may delete its document once it has the number
	if _, err := h.db.Exec("PRAGMA synchronous = full"); err != nil {
		return 0, false, h.named(err)
	}
	err = h.change(func(tx *sql.Tx) error {
		if number, err = measured(tx, m.SHA256); err != nil || number > 0 {
			had = number > 0
			return err
		}
		done, err := tx.Exec("INSERT INTO measurements ("+measurementColumns+", time, document) VALUES (NULL, ?, ?, "+
			"?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", m.Kind, m.Made.Format(time.RFC3339), m.Transport, m.Board,
			m.Device, m.Tile, m.Revision, m.Tags.JSON(), m.Bench, m.Words, m.By, m.SHA256,
			time.Now().UTC().Format(time.RFC3339), document)
		if err != nil {
			return err
		}
		id, err := done.LastInsertId()
		if err != nil {
			return err
		}
		number = int(id)
		_, err = tx.Exec("UPDATE measurements SET document = NULL WHERE number IN (SELECT number FROM (SELECT number, "+
			"sum(length(document)) OVER (ORDER BY number DESC) AS bytes FROM measurements WHERE document IS NOT NULL) "+
			"WHERE bytes > ?)", room)
		return err
	})
	if err != nil {
		return 0, false, h.named(err)
	}
	return number, had, nil
}

// Measured returns the number of a handed-in measurement, by its document's SHA-256; 0 for none.
func (h *History) Measured(sha256 string) (number int, err error) {
	if number, err = measured(h.db, sha256); err != nil {
		return 0, h.named(err)
	}
	return number, nil
}

func measured(db interface {
	QueryRow(string, ...any) *sql.Row
}, sha256 string) (number int, err error) {
	err = db.QueryRow("SELECT number FROM measurements WHERE sha256 = ?", sha256).Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return number, err
}

// Document returns bytes of a measurement's document from an offset on, fewer at its end; none if it is gone.
func (h *History) Document(number int, from, most int64) (part []byte, err error) {
	err = h.db.QueryRow("SELECT substr(document, ?, ?) FROM measurements WHERE number = ?", from+1, most, number).
		Scan(&part)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, h.named(err)
	}
	return part, nil
}
