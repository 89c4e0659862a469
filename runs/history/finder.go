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

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// A Finder resolves a RUN: a number in the history, last, or the path of a recording.
type Finder struct {
	Env    *files.Env        // where the history is
	OnNote func(note string) // receives notes for the user; may be nil
}

// Open opens the history for reading.
func (f *Finder) Open() (*History, error) {
	dir, err := Dir(f.Env)
	if err != nil {
		return nil, err
	}
	h, err := Open(dir)
	if isMissing(err) {
		return nil, failure.Usagef("there is no history %s yet: the first bench run begins it", dir)
	}
	if err == nil {
		h.onNote = f.OnNote
	}
	return h, err
}

// Number returns a run's number in the history, or 0 for a path.
func (f *Finder) Number(run string) (int, error) {
	n, err := strconv.Atoi(run)
	switch {
	case err == nil && n < 1:
		return 0, failure.Usagef("run %s: runs are numbered from 1", run)
	case err == nil:
		return n, nil
	case run != "last":
		return 0, nil
	}
	h, err := f.Open()
	if err != nil {
		return 0, err
	}
	r, err := h.Last()
	switch {
	case err != nil:
		return 0, failure.New(failure.Bench, err)
	case r == nil:
		return 0, failure.Usagef("last: the history has no run yet")
	}
	return r.Number, nil
}

// StableNames replaces names such as last by numbers, which later runs do not change.
func (f *Finder) StableNames(runs []string) (words []string) {
	for _, run := range runs {
		if n, err := f.Number(run); err == nil && n > 0 {
			run = strconv.Itoa(n)
		}
		words = append(words, run)
	}
	return words
}

// FileName returns a file name for a RUN, without extension.
func (f *Finder) FileName(run string) string {
	return strings.ReplaceAll(strings.TrimSuffix(filepath.Base(f.StableNames([]string{run})[0]), ".rec"), ":", "-")
}

// Find returns the path of a run's recording.
func (f *Finder) Find(run string) (string, error) {
	number, err := f.Number(run)
	switch {
	case err != nil:
		return "", err
	case number > 0:
	default:
		if _, err := os.Stat(run); errors.Is(err, fs.ErrNotExist) {
			return "", failure.Usagef("there is no file %s: a RUN is a recording, the number of a run in the history, "+
				"or last", run)
		}
		return run, nil
	}
	h, err := f.Open()
	if err != nil {
		return "", fmt.Errorf("run %d: %w", number, err)
	}
	if path := h.RecordingPath(number); path != "" {
		return path, nil
	}
	all, err := numbers(h.dir)
	switch {
	case err != nil:
		return "", failure.New(failure.Bench, err)
	case len(all) == 0:
		return "", failure.Usagef("there is no run %d: the history has none yet", number)
	}
	return "", failure.Usagef("there is no run %d: the latest is %d; this lists the runs: bench history", number,
		slices.Max(all))
}

// FindRun returns a run of the history, or nil if RUN is a path.
func (f *Finder) FindRun(run string) (*Run, error) {
	number, err := f.Number(run)
	if err != nil || number == 0 {
		return nil, err
	}
	h, err := f.Open()
	if err != nil {
		return nil, err
	}
	r, err := h.Get(number)
	return r, failure.New(failure.Bench, err)
}

// Latest returns the latest run, and a sentence on it and the number of runs. If there is none, says gives the reason.
func (f *Finder) Latest() (last *Run, says string) {
	dir, err := Dir(f.Env)
	if err != nil {
		return nil, err.Error()
	}
	all, err := numbers(dir)
	if err == nil && len(all) > 0 {
		last, err = (&History{dir: dir}).Last()
	}
	switch {
	case err == nil && last == nil, isMissing(err):
		return nil, NoRuns
	case err != nil:
		return nil, err.Error()
	}
	return last, fmt.Sprintf("runs: %d; the latest is run %d: %s", len(all), last.Number, last.Verdict())
}
