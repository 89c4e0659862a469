package history

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// runs returns the folder of a journal's recordings.
func runs(path string) string { return path + "-runs" }

// Recording returns the path of a run's recording, whether or not it exists.
func Recording(path string, number int) string {
	return filepath.Join(runs(path), strconv.Itoa(number)+".rec")
}

// vectorsOf returns the path of the list of a run's vectors that did not pass.
func vectorsOf(path string, number int) string {
	return filepath.Join(runs(path), strconv.Itoa(number)+".vectors")
}

// Recording returns the path of a run's recording, or "". For an unfinished run, it is the part written so far.
func (h *History) Recording(number int) string { return recorded(h.path, number) }

func recorded(db string, number int) string {
	path := Recording(db, number)
	for _, p := range []string{path, files.PartName(path)} {
		if _, err := os.Stat(p); err == nil {
			return p
		}
	}
	return ""
}

// isWhole reports whether a run has a complete recording.
func isWhole(path string, number int) bool {
	_, err := os.Stat(Recording(path, number))
	return err == nil
}

// sizes returns the size of each run's files in bytes. An unreadable folder causes an error when a recording is made.
func sizes(path string) map[int]int64 {
	entries, _ := os.ReadDir(runs(path))
	all := map[int]int64{}
	for _, f := range entries {
		name, _, _ := strings.Cut(f.Name(), ".")
		number, err := strconv.Atoi(name)
		if info, ierr := f.Info(); err == nil && ierr == nil && number > 0 { // it may just have been removed
			all[number] += info.Size()
		}
	}
	return all
}

// recordedNumbers returns the numbers of runs with files, the lowest first.
func recordedNumbers(path string) (all []int) {
	for number := range sizes(path) {
		all = append(all, number)
	}
	slices.Sort(all)
	return all
}

// strip removes a run's files; its line stays.
func (h *History) strip(number int) error {
	recording := Recording(h.path, number)
	for _, path := range []string{vectorsOf(h.path, number), recording, files.PartName(recording)} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return h.named(err)
		}
	}
	return nil
}

// Prune removes the recordings and vector lists of runs that began before a time and are not among the latest keep. The
// runs stay, and so does an unfinished run of the last day. Prune returns the number of affected runs, and the bytes
// freed.
func (h *History) Prune(keep int, before time.Time) (n int, bytes int64, err error) {
	all := sizes(h.path)
	for r, err := range h.Runs(Filter{Skip: keep}) {
		if err != nil {
			return n, bytes, err
		}
		goesOn := r.End == nil && time.Since(r.Start.Time) < 24*time.Hour
		if size := all[r.Number]; size > 0 && r.Start.Time.Before(before) && !goesOn {
			if err := h.strip(r.Number); err != nil {
				return n, bytes, err
			}
			n, bytes = n+1, bytes+size
		}
	}
	return n, bytes, nil
}

// File returns the path of the user's history: BENCH_DB, or history.db in utfbench of the platform's data folder.
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
