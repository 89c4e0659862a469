package history

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// A Finder resolves a RUN: a number in the history, last, or the path of a recording. Its zero value
// searches the user's own history.
type Finder struct {
	DB string // the history; "" is the result of File

	// Tell passes a note about the history to the user; nil discards it.
	Tell func(note string)
}

// File returns the path of the history.
func (f *Finder) File() (string, error) {
	if f.DB != "" {
		return f.DB, nil
	}
	return File()
}

// Open opens the history for reading.
func (f *Finder) Open() (*History, error) {
	file, err := f.File()
	if err != nil {
		return nil, err
	}
	h, err := OpenOld(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, failure.Usagef("there is no history %s yet: the first bench run begins it", file)
	case err != nil:
		return nil, err
	}
	f.Remark(h)
	return h, nil
}

// Remark passes on a history's note.
func (f *Finder) Remark(h *History) {
	f.tell(h.Note())
}

func (f *Finder) tell(note string) {
	if note != "" && f.Tell != nil {
		f.Tell(note)
	}
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
	r, together, err := h.Last()
	switch {
	case err != nil:
		return 0, failure.New(failure.Bench, err)
	case r == nil:
		return 0, failure.Usagef("last: the history has no run yet")
	case together > 1:
		f.tell(fmt.Sprintf("last is run %d, %s on %s: one of %d runs made together", r.Number, r.Verdict(),
			r.Start.Transport, together))
	}
	return r.Number, nil
}

// Lasting returns names that mean the same runs after another run, with the flag that names the history.
func (f *Finder) Lasting(runs []string) (words []string) {
	for _, run := range runs {
		if n, err := f.Number(run); err == nil && n > 0 {
			run = strconv.Itoa(n)
		}
		words = append(words, run)
	}
	if f.DB != "" {
		words = append(words, "--db", f.DB)
	}
	return words
}

// Find returns the path of a run's recording. The error explains what is missing.
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
	file, err := f.File()
	if err != nil {
		return "", err
	}
	if path := recorded(file, number); path != "" {
		return path, nil
	}
	return "", f.missing(number)
}

// missing explains why a run has no recording: it was never made, or it is gone.
func (f *Finder) missing(number int) error {
	h, err := f.Open()
	if err != nil {
		return fmt.Errorf("run %d: %w", number, err)
	}
	words := []string{"history"}
	if f.DB != "" {
		words = append(words, "--db", f.DB)
	}
	lists := "this lists the runs: " + printable.Command(words...)
	r, err := h.Get(number)
	switch {
	case err != nil:
		return failure.New(failure.Bench, err)
	case r != nil:
		return failure.Usagef("the recording of run %d is gone: it was pruned, or could not be "+
			"written; its verdict remains; %s", number, lists)
	}
	last, err := h.Get(0)
	switch {
	case err != nil:
		return failure.New(failure.Bench, err)
	case last == nil:
		return failure.Usagef("there is no run %d: the history has none yet", number)
	}
	return failure.Usagef("there is no run %d: the latest is %d; %s", number, last.Number, lists)
}

// Entered calls tell with a run of the history, unless run is a path or missing.
func (f *Finder) Entered(run string, tell func(*History, *Run) error) error {
	number, err := f.Number(run)
	if err != nil || number == 0 {
		return err
	}
	h, err := f.Open()
	if err != nil {
		return err
	}
	r, err := h.Get(number)
	if err == nil && r != nil {
		err = tell(h, r)
	}
	if err != nil {
		return failure.New(failure.Bench, err)
	}
	return nil
}

// Since writes since when the board of a failing run has failed; nothing for a path.
func (f *Finder) Since(w io.Writer, run string) error {
	return f.Entered(run, func(h *History, r *Run) error { return h.WriteSince(w, r) })
}

// Latest returns the latest run of the history, or nil, and a note about the history.
func (f *Finder) Latest() (last *Run, says string) {
	file, err := f.File()
	if err != nil {
		return nil, err.Error()
	}
	if _, err := os.Stat(file); os.IsNotExist(err) {
		return nil, Empty
	}
	h, err := f.Open()
	if err != nil {
		return nil, err.Error()
	}
	return h.Latest()
}
