// Package history keeps every run of a chip in a folder of recordings. It also compares runs: two recordings step by
// step ([RunPair]), and the ends of runs of the same vectors on several targets ([Table]).
//
// A run is a file NUMBER.rec. Until the run ends, or for good if the bench dies, the file is NUMBER.rec.part. No number
// is reused. The list of runs shows the start and the end of each recording. Pruning removes everything between them.
//
// A [Writer] is a report.Reporter that never fails, since a run is valid without a history. Several benches may write
// at the same time: a number belongs to the bench that creates its .part file.
package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/report"
)

// A History is a folder of runs.
type History struct {
	dir    string
	onNote func(note string) // called with the reason why a run cannot be read; may be nil
}

// Dir returns the folder of the user's history: BENCH_DB, or utfbench/history in the platform's data folder.
func Dir(env *files.Env) (string, error) {
	if dir := env.Getenv("BENCH_DB"); dir != "" {
		return env.Path(dir), nil
	}
	data, err := env.DataDir()
	if err != nil {
		return "", failure.Usagef("%w: set BENCH_DB to a folder", err)
	}
	return filepath.Join(data, "history"), nil
}

// Open opens a history for reading. If there is none, the error wraps fs.ErrNotExist.
func Open(dir string) (*History, error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, failure.Usagef("the history %s is a file, and has to be a folder: set BENCH_DB to another", dir)
	}
	return &History{dir: dir}, nil
}

func path(dir string, number int) string { return filepath.Join(dir, strconv.Itoa(number)+".rec") }

// numbers returns the numbers of all runs in a folder, the lowest first.
func numbers(dir string) (all []int, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("the history: %w", err)
	}
	for _, e := range entries {
		name, is := strings.CutSuffix(strings.TrimSuffix(e.Name(), ".part"), ".rec")
		if n, err := strconv.Atoi(name); is && err == nil && n > 0 {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

func create(dir string) (number int, f *files.File, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, nil, err
	}
	all, err := numbers(dir)
	if err != nil {
		return 0, nil, err
	}
	for number = 1 + slices.Max(append(all, 0)); ; number++ {
		f, err := files.Create(path(dir, number), files.Part)
		switch {
		case err == nil && !exists(path(dir, number)): // unless another bench has just finished it
			return number, f, nil
		case err == nil:
			f.Discard()
		case !exists(files.PartName(path(dir, number))) && !exists(path(dir, number)): // it was renamed meanwhile
			return 0, nil, err
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// RecordingPath returns the path of a run's recording, or "". For an unfinished run it is the part written so far.
func (h *History) RecordingPath(number int) string {
	for _, p := range []string{path(h.dir, number), files.PartName(path(h.dir, number))} {
		if exists(p) {
			return p
		}
	}
	return ""
}

func (h *History) read(number int) (*Run, error) {
	rec, err := report.OpenBrief(h.RecordingPath(number))
	if err != nil {
		return nil, fmt.Errorf("run %d of the history cannot be read: %w", number, err)
	}
	defer rec.Close()
	r := &Run{Number: number, Start: rec.Start, End: rec.End, Pruned: rec.Pruned}
	if rec.CutReason != "" && !rec.Pruned {
		r.End = nil
	}
	return r, nil
}

// Prune removes the executions of all but the latest keep runs. It retains their starts and ends, and skips unfinished
// runs of the last 24 hours. It returns how many runs it pruned and how many bytes that freed.
func (h *History) Prune(keep int) (n int, bytes int64, err error) {
	for r, err := range h.Runs(Filter{Skip: keep}) {
		if err != nil {
			return n, bytes, err
		}
		unfinished := r.End == nil && time.Since(r.Start.Time) < 24*time.Hour
		if r.Pruned || unfinished {
			continue
		}
		freed, err := h.strip(r)
		if err != nil {
			return n, bytes, err
		}
		if freed > 0 {
			n, bytes = n+1, bytes+freed
		}
	}
	return n, bytes, nil
}

// strip replaces a run's recording by its start and end.
func (h *History) strip(r *Run) (freed int64, err error) {
	from := h.RecordingPath(r.Number)
	old, err := os.Stat(from)
	if err != nil {
		return 0, err
	}
	to := path(h.dir, r.Number)
	if err := report.Prune(from, to); err != nil {
		return 0, err
	}
	if from != to {
		err = os.Remove(from)
	}
	now, serr := os.Stat(to)
	if err = errors.Join(err, serr); err != nil {
		return 0, err
	}
	return old.Size() - now.Size(), nil
}

// isMissing reports whether an error means that there is no history.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
