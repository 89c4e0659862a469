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

// code is SQLite's, without its details; 0 for other errors.
func code(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xFF
}

// transient says whether an error comes from two benches that begin a history at the same time; SQLite does not wait in
// that case. Either one switches to WAL while the other does, or both find an empty file with a WAL, and remove it.
func transient(err error) bool {
	var e *sqlite.Error
	return code(err) == sqlite3.SQLITE_BUSY || errors.As(err, &e) && e.Code() == sqlite3.SQLITE_IOERR_DELETE_NOENT
}

// Damaged says whether an error means that the file is no database any more. A statement that the database does not
// understand is a sign of it too, since the schema has been looked at.
func Damaged(err error) bool {
	switch code(err) {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR:
		return true
	}
	return false
}

// SetAside renames a damaged database, with its WAL, and gives its new name. The file is left alone if it is not the
// one that was examined: then another bench has already set that aside.
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

// OpenWhole is Open for one who goes on without what is damaged: that is set aside, and aside is its new name.
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
