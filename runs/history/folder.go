package history

import (
	"os"
	"path/filepath"
	"strconv"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// Recording returns the path of a run's recording, or "". For an unfinished run, it is the part written so far.
func (h *History) Recording(number int) string { return recorded(h.path, number) }

func recorded(db string, number int) string {
	path := Recording(db, number)
	for _, p := range []string{path, path + ".part"} {
		if _, err := os.Stat(p); err == nil {
			return p
		}
	}
	return ""
}

// Recordings finds the recording of a run by its number, for station.Target.
func (h *History) Recordings(run string) (string, error) {
	number, err := strconv.Atoi(run)
	if err != nil {
		return "", failure.Usagef("%q is no number of a run", run)
	}
	if path := h.Recording(number); path != "" {
		return path, nil
	}
	return "", failure.Usagef("the recording of run %d is gone", number)
}

// File returns the user's history: BENCH_DB, else history.db in utfbench of the platform's data folder.
func File() (string, error) {
	if file := os.Getenv("BENCH_DB"); file != "" {
		return file, nil
	}
	dir, err := files.Data()
	if err != nil {
		return "", failure.Usagef("%w: give --db", err)
	}
	return filepath.Join(dir, "history.db"), nil
}
