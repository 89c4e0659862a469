package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

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

// Damaged says whether an error means that the file is no database any more. A statement that the database does not
// understand is a sign of it too, since the schema has been looked at.
func Damaged(err error) bool {
	switch code(err) {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR:
		return true
	}
	return false
}

// SetAside renames a database that is damaged, with its WAL, and says how it is called now. The file is left alone when it is
// not the one that was looked at: then another bench has set that aside already.
func SetAside(path string, looked os.FileInfo) (string, error) {
	unlock, err := lock(path + ".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if now, err := os.Stat(path); err != nil || !os.SameFile(now, looked) {
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

// lock makes a file that only one bench can make.
func lock(path string) (unlock func(), err error) {
	for limit := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o600)
		switch {
		case err == nil:
			f.Close()
			return func() { os.Remove(path) }, nil
		case !errors.Is(err, fs.ErrExist):
			return nil, err
		case time.Now().After(limit):
			return nil, fmt.Errorf("%s is there, so another bench is setting a damaged history aside: remove it if none does", path)
		}
	}
}
