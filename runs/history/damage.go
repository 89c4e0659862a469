package history

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// code returns SQLite's error code, or 0 for other errors.
func code(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xFF
}

// transient reports whether two benches collided while beginning a history, for which SQLite does not wait: both switch
// to WAL, or find an empty file with a WAL and remove it.
func transient(err error) bool {
	var e *sqlite.Error
	return code(err) == sqlite3.SQLITE_BUSY || errors.As(err, &e) && e.Code() == sqlite3.SQLITE_IOERR_DELETE_NOENT
}

// Damaged reports whether an error means that the file is no database any longer. A statement that fails to parse is a
// sign, too, since the schema has been checked.
func Damaged(err error) bool {
	switch code(err) {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR:
		return true
	}
	return false
}

// SetAside renames a damaged database, with its WAL, and returns its new name. It skips a file other than the one
// examined, which another bench has set aside.
func SetAside(path string, looked os.FileInfo) (string, error) {
	// of two benches that looked at the same file one renames it
	unlock, err := lockedfile.MutexAt(path + ".lock").Lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	now, err := os.Stat(path)
	if err != nil || !os.SameFile(now, looked) {
		return "", nil
	}
	aside := path + ".damaged-" + time.Now().UTC().Format("20060102T150405.000")
	for _, tail := range []string{"-wal", "-shm"} {
		if err := os.Rename(path+tail, aside+tail); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return aside, os.Rename(path, aside)
}

// OpenWhole opens a history like Open, but sets a damaged database aside; aside is its new name.
func OpenWhole(path string) (h *History, aside string, err error) {
	looked, _ := os.Stat(path) // nil when there is none yet
	if h, err = Open(path); !Damaged(err) || looked == nil {
		return h, "", err
	}
	if aside, err = SetAside(path, looked); err != nil {
		return nil, "", err
	}
	h, err = Open(path)
	return h, aside, err
}
