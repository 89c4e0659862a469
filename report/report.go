// Package report tells people and programs what became of a run: as text, as an event stream in JSON, as JUnit XML.
// docs/formats.md describes the files.
package report

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"utfbench/driver"
	"utfbench/flaky"
	"utfbench/identity"
)

// A Run is what is known before the first vector.
type Run struct {
	identity.Identity
	Version   string // of the bench
	Transport string
	Target    []string // the flags of bench that name the chip
	Notes     []string // what to know before the first result
	Seed      uint64
	Vectors   int    // selected
	Count     int    // how often each runs
	Firmware  string // of a microcontroller between bench and chip; may be empty
	Host      string // that the bench runs on: name, operating system and architecture
	Started   time.Time
}

// An Outcome is what is known after the last vector.
type Outcome struct {
	Tally   *driver.Tally
	Elapsed time.Duration
	Exit    int
	Hint    string             // what to try next; may be empty
	Trouble string             // the transport's error, if any
	Cause   *flaky.Correlation // what goes with failures; nil when all ran only once
}

// Verdict is that of the run: a PASS only if the run came to its end.
func (o Outcome) Verdict() driver.Verdict {
	v := o.Tally.Verdict()
	if v == driver.Pass && o.Trouble != "" {
		return driver.Aborted
	}
	return v
}

// A Reporter is told of a run as it goes.
type Reporter interface {
	Start(Run) error
	Result(*driver.Result) error
	End(Outcome) error
}

// All tells several reporters; each is told even when another failed, and the first error is returned.
type All []Reporter

func (a All) each(tell func(Reporter) error) (first error) {
	for _, r := range a {
		if err := tell(r); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Start implements Reporter.
func (a All) Start(r Run) error { return a.each(func(to Reporter) error { return to.Start(r) }) }

// Result implements Reporter.
func (a All) Result(res *driver.Result) error {
	return a.each(func(to Reporter) error { return to.Result(res) })
}

// End implements Reporter.
func (a All) End(o Outcome) error { return a.each(func(to Reporter) error { return to.End(o) }) }

// A File appears under its name only when it is whole: it is written beside it and renamed by Commit.
type File struct {
	*bufio.Writer
	temp *os.File
	path string // empty when temp is no temporary file
}

// Create starts a file that will be called path. What path is a link to is replaced, and not the link; what is no file, a
// device or a pipe, is written to as it is.
func Create(path string) (*File, error) {
	return create(path, func(path string) (*os.File, error) {
		return os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	})
}

// CreatePart is Create for a file that is worth having when the bench dies: until Commit it is called path.part. One that is
// there already is not overwritten.
func CreatePart(path string) (*File, error) {
	return create(path, func(path string) (*os.File, error) {
		f, err := os.OpenFile(path+".part", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("%s.part is there, of a run that goes on or died: keep it under another name, or remove it", path)
		}
		return f, err
	})
}

func create(path string, temporary func(path string) (*os.File, error)) (*File, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s is a folder", path)
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &File{Writer: bufio.NewWriter(f), temp: f}, err
	}
	temp, err := temporary(path)
	var wrong *fs.PathError
	if errors.As(err, &wrong) {
		return nil, fmt.Errorf("%s cannot be written: %w", path, wrong.Err)
	}
	if err != nil {
		return nil, err
	}
	return &File{Writer: bufio.NewWriterSize(temp, 1<<16), temp: temp, path: path}, nil
}

// Commit gives the file its name.
func (f *File) Commit() error {
	err := f.Flush()
	if f.path == "" {
		return errors.Join(err, f.temp.Close())
	}
	if cerr := f.temp.Chmod(0o644); err == nil {
		err = cerr
	}
	if cerr := f.temp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.temp.Name(), f.path)
	}
	if err != nil {
		f.Discard()
		return fmt.Errorf("writing %s: %w", f.path, err)
	}
	return nil
}

// Discard leaves nothing behind. After Commit it does nothing.
func (f *File) Discard() {
	f.temp.Close()
	if f.path != "" {
		os.Remove(f.temp.Name())
	}
}
