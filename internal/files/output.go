package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"utfbench/internal/failure"
)

// A Mode is a set of options for creating an output.
type Mode uint8

const (
	Part      Mode = 1 << iota // the output is useful even if the bench dies
	NotSynced                  // need not survive a power loss, such as a cache entry
	Private                    // only its user may read it, such as a key
)

// PartName returns the name of an unfinished part.
func PartName(path string) string { return path + ".part" }

// ResumablePath returns the file from which --resume resumes: the part of path if the run was killed, else path.
func ResumablePath(path string) (string, error) {
	part := PartName(path)
	if _, err := os.Stat(part); err != nil {
		return path, nil
	}
	if _, err := os.Stat(path); err == nil {
		return "", failure.Usagef("%s exists, and so does %s of an interrupted run: give --resume %s for that, or "+
			"move it away to resume %s", path, part, part, path)
	}
	return part, nil
}

// A File is an output that is being written.
type File struct {
	*bufio.Writer
	temp *os.File // nil for standard output
	path string   // empty if written in place: a device or a pipe
	mode Mode
	done bool // committed or discarded
}

// Create starts an output for path. If path is a link, it replaces the link's target; a device or a pipe is written in
// place. Every error is a usage error.
func Create(path string, mode Mode) (*File, error) {
	f, err := begin(path, mode)
	return f, failure.Usage(err)
}

func begin(path string, mode Mode) (*File, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	old, err := os.Stat(path)
	switch {
	case err == nil && old.IsDir():
		return nil, failure.Usagef("%s is a folder", path)
	case err == nil && !old.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, cannot(path, err)
		}
		return &File{Writer: bufio.NewWriter(f), temp: f}, nil
	case err != nil:
		old = nil
	}
	f, err := temporary(path, mode, old)
	if err != nil {
		return nil, cannot(path, err)
	}
	if old != nil {
		if err := f.Chmod(old.Mode().Perm()); err != nil { // only now, so the mode is never wider than the old one
			f.Close()
			os.Remove(f.Name())
			return nil, cannot(path, err)
		}
	}
	return &File{Writer: bufio.NewWriterSize(f, 1<<16), temp: f, path: path, mode: mode}, nil
}

func cannot(path string, err error) error {
	if wrong, is := errors.AsType[*fs.PathError](err); is {
		return fmt.Errorf("%s cannot be written: %w", path, wrong.Err)
	}
	return err
}

// temporary creates the unfinished file beside path, for a part with its PartName, otherwise with a hidden name. A file
// that replaces another is private until it has the other's mode.
func temporary(path string, mode Mode, old fs.FileInfo) (*os.File, error) {
	perm := fs.FileMode(0o666)
	if old != nil || mode&Private != 0 {
		perm = 0o600
	}
	dir, hidden := filepath.Dir(path), "."+filepath.Base(path)+"."
	name := filepath.Join(dir, fmt.Sprintf("%s%08x.part", hidden, rand.Uint32()))
	if mode&Part != 0 {
		name = PartName(path)
	} else {
		removeOld(dir, func(name string) bool {
			return strings.HasPrefix(name, hidden) && strings.HasSuffix(name, ".part")
		}, leftover)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if mode&Part != 0 && errors.Is(err, fs.ErrExist) {
		return nil, failure.Usagef("%s exists, from a running or killed run: wait, or keep it under another name, "+
			"or remove it", name)
	}
	return f, err
}

// Commit syncs the file to disk, and renames it to its final name.
func (f *File) Commit() error {
	err := f.Flush()
	if f.temp == nil {
		f.done = true
		return err
	}
	if f.path == "" {
		return errors.Join(err, f.temp.Close())
	}
	if err == nil && f.mode&NotSynced == 0 {
		err = f.temp.Sync()
	}
	err = errors.Join(err, f.temp.Close())
	if err == nil {
		err = os.Rename(f.temp.Name(), f.path)
	}
	if err != nil {
		f.Discard()
		return fmt.Errorf("writing %s: %w", f.path, err)
	}
	f.done = true
	if f.mode&NotSynced == 0 {
		return syncFolder(filepath.Dir(f.path))
	}
	return nil
}

func syncFolder(path string) error {
	dir, err := os.Open(path)
	if err != nil || runtime.GOOS == "windows" {
		return nil // the folder may be writable but not readable
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

// Discard removes the unfinished file. After Commit it does nothing.
func (f *File) Discard() {
	if f.done {
		return
	}
	f.done = true
	if f.temp == nil {
		return
	}
	f.temp.Close()
	if f.path != "" {
		os.Remove(f.temp.Name())
	}
}

// Write writes a text to a file, as a whole or not at all.
func Write(path string, text []byte, mode Mode) error {
	return WriteWith(path, mode, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// WriteWith writes a file by calling write, as a whole or not at all.
func WriteWith(path string, mode Mode, write func(io.Writer) error) error {
	f, err := Create(path, mode)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := write(f); err != nil {
		return err
	}
	return f.Commit()
}
