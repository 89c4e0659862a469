// Package history keeps every run of a chip: in a SQLite file what became of it, and beside that file its recording.
//
// # Words
//
//   - The history is the database; a run in it has a number, which is never given again.
//   - The folder of recordings has the name of the database with "-runs" after it, and holds NUMBER.rec for each run;
//     or NUMBER.rec.part while the run goes on, and afterwards if the bench died.
//   - A database that is damaged is set aside: it is renamed and a new one is begun, whose numbers begin above those of
//     the recordings that are there.
//
// A [Writer] is a report.Reporter that never fails, since a run is valid without a history. Several benches may write
// at once. docs/formats.md describes the tables.
package history

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// applicationID marks the database as utfbench's: "utfb".
const applicationID = 0x75746662

// migrations lead from each schema to the next; the version of a database is how many it has gone through.
var migrations = []string{`
CREATE TABLE runs (
  number    INTEGER PRIMARY KEY AUTOINCREMENT,
  time      TEXT NOT NULL,
  bench     TEXT NOT NULL,
  transport TEXT NOT NULL,
  board     TEXT NOT NULL,
  device    TEXT NOT NULL,
  revision  TEXT NOT NULL,
  rom       TEXT NOT NULL,
  firmware  TEXT NOT NULL,
  digest    TEXT NOT NULL,
  seed      TEXT NOT NULL,
  vectors   INTEGER NOT NULL,
  count     INTEGER NOT NULL,
  host      TEXT NOT NULL,
  verdict   TEXT NOT NULL DEFAULT '',
  exit      INTEGER NOT NULL DEFAULT 0,
  counts    TEXT NOT NULL DEFAULT '{}',
  steps     INTEGER NOT NULL DEFAULT 0,
  seconds   REAL NOT NULL DEFAULT 0,
  trouble   TEXT NOT NULL DEFAULT ''
);
CREATE INDEX runs_board ON runs (board, device, number);
CREATE TABLE vectors (
  run      INTEGER NOT NULL REFERENCES runs,
  name     TEXT NOT NULL,
  verdict  TEXT NOT NULL,
  mismatch TEXT NOT NULL,
  failed   INTEGER NOT NULL,
  runs     INTEGER NOT NULL
);
CREATE INDEX vectors_run ON vectors (run);
`, `
ALTER TABLE runs ADD COLUMN kind TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN design TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN design_sha256 TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN faults TEXT NOT NULL DEFAULT '';
`, `
ALTER TABLE runs ADD COLUMN tags TEXT NOT NULL DEFAULT '';
`, `
ALTER TABLE runs ADD COLUMN tile TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN against TEXT NOT NULL DEFAULT '';
`, `
CREATE TABLE due (
  run INTEGER PRIMARY KEY REFERENCES runs,
  lab TEXT NOT NULL
);
CREATE TABLE handed_in (
  run    INTEGER PRIMARY KEY REFERENCES runs,
  key    TEXT NOT NULL,
  time   TEXT NOT NULL,
  sha256 TEXT NOT NULL UNIQUE
);
`, `
CREATE TABLE measurements (
  number    INTEGER PRIMARY KEY AUTOINCREMENT,
  kind      TEXT NOT NULL,
  made      TEXT NOT NULL,
  transport TEXT NOT NULL,
  board     TEXT NOT NULL,
  device    TEXT NOT NULL,
  tile      TEXT NOT NULL,
  revision  TEXT NOT NULL,
  tags      TEXT NOT NULL,
  bench     TEXT NOT NULL,
  words     TEXT NOT NULL,
  key       TEXT NOT NULL,
  time      TEXT NOT NULL,
  sha256    TEXT NOT NULL UNIQUE,
  document  BLOB
);
`, `
ALTER TABLE runs ADD COLUMN evidence TEXT NOT NULL DEFAULT '';
`}

// A History is a database that is open.
type History struct {
	path string
	db   *sql.DB
}

// Refused reports a file that this bench must not use or change.
type Refused string

func (r Refused) Error() string { return string(r) }

// patience is how long one bench waits for another that is writing.
const patience = 5 * time.Second

// Open opens a history, or begins one. If Damaged reports true for the error, call SetAside.
func Open(path string) (*History, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	h := &History{path: path}
	err := h.open()
	for limit := time.Now().Add(patience); transient(err) && time.Now().Before(limit); err = h.open() {
		time.Sleep(10 * time.Millisecond)
	}
	if code(err) == sqlite3.SQLITE_NOTADB && highest(runs(path)) == 0 {
		// and not damaged, so it stays as it is
		err = Refused("it is no database, and never was a history: give --db another file")
	}
	if err != nil {
		return nil, fmt.Errorf("the history %s: %w", path, err)
	}
	return h, nil
}

// OpenOld opens an existing history; fs.ErrNotExist otherwise.
func OpenOld(path string) (*History, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	return Open(path)
}

func (h *History) open() (err error) {
	abs, err := filepath.Abs(h.path)
	if err != nil {
		return err
	}
	name := filepath.ToSlash(abs)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // a drive of Windows
	}
	h.db, err = sql.Open("sqlite", "file://"+(&url.URL{Path: name}).EscapedPath()+"?"+url.Values{
		"_pragma": {fmt.Sprintf("busy_timeout(%d)", patience.Milliseconds()), "synchronous(normal)"},
		"_txlock": {"immediate"},
	}.Encode())
	if err != nil {
		return err
	}
	h.db.SetMaxOpenConns(1)
	if err = h.migrate(); err != nil {
		h.db.Close()
	}
	return err
}

// Close closes the database.
func (h *History) Close() error { return h.db.Close() }

// migrate brings a database to the schema of this bench.
func (h *History) migrate() error {
	switch v, err := schema(h.db); {
	case err != nil || v == len(migrations):
		return err
	case v == 0: // only now, since it changes the file, and that may have been another program's
		if _, err := h.db.Exec("PRAGMA journal_mode = wal"); err != nil {
			return err
		}
	}
	return h.change(func(tx *sql.Tx) error {
		v, err := schema(tx) // another bench may have been faster
		if err != nil {
			return err
		}
		for _, m := range migrations[v:] {
			if _, err := tx.Exec(m); err != nil {
				return err
			}
		}
		if v == 0 {
			if _, err := tx.Exec("INSERT INTO sqlite_sequence (name, seq) VALUES ('runs', ?)",
				highest(runs(h.path))); err != nil {
				return err
			}
		}
		_, err = tx.Exec(fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d",
			len(migrations), applicationID))
		return err
	})
}

// schema returns the number of migrations applied to a database; 0 for an empty one.
func schema(db interface {
	QueryRow(string, ...any) *sql.Row
}) (version int, err error) {
	var id, tables int
	row := db.QueryRow("SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM " +
		"pragma_application_id), (SELECT count(*) FROM sqlite_schema)")
	if err := row.Scan(&version, &id, &tables); err != nil {
		return 0, err
	}
	switch {
	case version == 0 && id == 0 && tables == 0:
		return 0, nil
	case id != applicationID:
		return 0, Refused("it is a database of another program: give --db another file")
	case version > len(migrations):
		return 0, Refused(fmt.Sprintf("it is of schema %d, and this bench knows %d: take the bench that wrote it, or "+
			"give --db another file", version, len(migrations)))
	}
	return version, nil
}

// change makes a change in a transaction: all of it or nothing, and no other bench writes meanwhile.
func (h *History) change(do func(*sql.Tx) error) error {
	tx, err := h.db.Begin()
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		_ = tx.Rollback() // the first error is the one to tell
		return err
	}
	return tx.Commit()
}

// runs returns the folder of a database's recordings.
func runs(path string) string { return path + "-runs" }

// Recording returns the path of a run's recording, whether it exists or not.
func Recording(path string, number int) string {
	return filepath.Join(runs(path), strconv.Itoa(number)+".rec")
}

// highest returns the highest run number with a recording in the folder, or 0.
func highest(folder string) (most int) {
	files, _ := os.ReadDir(folder) // a folder that cannot be read shows itself when a recording is made
	for _, f := range files {
		number, _, _ := strings.Cut(f.Name(), ".")
		if n, err := strconv.Atoi(number); err == nil {
			most = max(most, n)
		}
	}
	return most
}
