package files

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"utfbench/internal/failure"
)

// A Mode is how an output is created.
type Mode uint8

const (
	Part    Mode = 1 << iota // it is worth having when the bench dies
	New                      // it replaces no file
	Fast                     // it may be lost with the machine's power: one of thousands, which can be made again
	Private                  // it is for nobody but its user, such as a key
)

// PartName returns the name of an unfinished part.
func PartName(path string) string { return path + ".part" }

// A File is an output that is being written.
type File struct {
	*bufio.Writer
	temp *os.File // nil of standard output
	path string   // empty for what is written to as it is, a device or a pipe
	mode Mode
	done bool // it has its name, or is gone
}

// Create starts an output that will be called path. What path is a link to is replaced, and not the link; what is no
// file, a device or a pipe, is written to as it is.
//
// What keeps it from being made is the user's to correct.
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
	case err == nil && mode&New != 0:
		return nil, thereError(path)
	case err != nil:
		old = nil
	}
	f, err := temporary(path, mode, old)
	if err != nil {
		return nil, cannot(path, err)
	}
	if old != nil {
		if err := f.Chmod(old.Mode().Perm()); err != nil { // as it was, and never open to more people meanwhile
			f.Close()
			os.Remove(f.Name())
			return nil, cannot(path, err)
		}
	}
	return &File{Writer: bufio.NewWriterSize(f, 1<<16), temp: f, path: path, mode: mode}, nil
}

// ErrThere is an output that replaces no file, where there is one.
var ErrThere = failure.Usagef("is there already")

func thereError(path string) error { return fmt.Errorf("%s %w", path, ErrThere) }

func cannot(path string, err error) error {
	var wrong *fs.PathError
	if errors.As(err, &wrong) {
		return fmt.Errorf("%s cannot be written: %w", path, wrong.Err)
	}
	return err
}

// temporary creates the file beside path. It is locked, which distinguishes it from a killed run's leftover. A new file
// is private until it has the mode of the one it replaces, or the umask's.
func temporary(path string, mode Mode, old fs.FileInfo) (*os.File, error) {
	perm := fs.FileMode(0o666)
	if old != nil || mode&Private != 0 {
		perm = 0o600
	}
	name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".part")
	if mode&Part != 0 {
		name = PartName(path)
	}
	for {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if err == nil {
			if mine, lerr := Lock(f); (mine || lerr != nil) && at(f, name) {
				// where nothing can be locked it has to do without
				return f, nil
			}
			f.Close() // another run took it for a leftover before it was locked
			continue
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		switch left, err := leftover(name); {
		case err != nil: // nobody knows whose it is, so it stays
			name = filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%08x.part", filepath.Base(path), rand.Uint32()))
			if mode&Part != 0 {
				return nil, failure.Usagef("%s exists, from an unfinished run: keep it under another "+
					"name, or remove it", PartName(path))
			}
		case !left:
			return nil, failure.Usagef("another bench is writing %s: choose another file name", path)
		case mode&Part != 0:
			return nil, failure.Usagef("%s exists, from a run that died: keep it under another name, or remove "+
				"it", name)
		}
	}
}

// leftover removes a killed run's hidden file, and only reports a part. It returns false for a running writer's file,
// and an error if that cannot be determined.
func leftover(name string) (bool, error) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil // it went meanwhile
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	mine, err := Lock(f)
	if err != nil || !mine || filepath.Base(name)[0] != '.' {
		return mine, err
	}
	return true, os.Remove(name)
}

// at reports whether the file is still under its name.
func at(f *os.File, name string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(name)
	return err == nil && os.SameFile(mine, there)
}

// Commit gives the file its name, once all of it is on the disk.
func (f *File) Commit() error {
	err := f.Flush()
	if f.temp == nil {
		f.done = true
		return err
	}
	if f.path == "" {
		return errors.Join(err, f.temp.Close())
	}
	if err == nil && f.mode&Fast == 0 {
		err = f.temp.Sync()
	}
	if !renamesOpen {
		err = errors.Join(err, f.temp.Close())
	}
	if err == nil {
		err = f.rename()
	}
	if err != nil {
		f.Discard()
		return fmt.Errorf("writing %s: %w", f.path, err)
	}
	f.done = true
	f.temp.Close() // all of it was written
	if f.mode&Fast == 0 {
		return syncFolder(filepath.Dir(f.path))
	}
	return nil
}

func (f *File) rename() error {
	if f.mode&New == 0 {
		return os.Rename(f.temp.Name(), f.path)
	}
	switch err := os.Link(f.temp.Name(), f.path); { // which, unlike a rename, replaces nothing
	case err == nil:
		return os.Remove(f.temp.Name())
	case errors.Is(err, fs.ErrExist):
		return thereError(f.path)
	}
	if _, err := os.Lstat(f.path); err == nil { // a file system without links
		return thereError(f.path)
	}
	return os.Rename(f.temp.Name(), f.path)
}

// Move durably renames a complete file on the same disk, replacing any other.
func Move(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(to))
}

// syncFolder makes the names in a folder last, where there is such a thing.
func syncFolder(path string) error {
	dir, err := os.Open(path)
	if err != nil || runtime.GOOS == "windows" {
		return nil // a folder that may be written and not read
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

// Discard leaves nothing behind. After Commit it does nothing.
func (f *File) Discard() {
	if f.done {
		return
	}
	f.done = true
	if f.temp == nil {
		return
	}
	if f.path != "" && renamesOpen {
		os.Remove(f.temp.Name()) // before it is unlocked
	}
	f.temp.Close()
	if f.path != "" && !renamesOpen {
		os.Remove(f.temp.Name())
	}
}

// Write writes an output in one go.
func Write(path string, text []byte, mode Mode) error {
	f, err := Create(path, mode)
	if err != nil {
		return err
	}
	f.Write(text) // Commit tells of errors
	return f.Commit()
}

// Writable checks that another program can write an output in place, and creates a missing file.
func Writable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	return f.Close()
}
