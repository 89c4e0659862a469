package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/files"
)

// A Trust is the user's list of files, by path and content, that may decide which programs run on this machine. A file
// in the current folder may be foreign, so it must be on the list first.
type Trust struct {
	path string
	sums map[string]string // by absolute path
}

// trustName is the list's name in the user's data folder.
const trustName = "trusted.json"

// ReadTrust reads the list, which may not exist yet.
func ReadTrust() (*Trust, error) {
	dir, err := files.Data()
	if err != nil {
		return nil, err
	}
	t := &Trust{filepath.Join(dir, trustName), map[string]string{}}
	text, err := os.ReadFile(t.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t, nil
	case err != nil:
		return nil, err
	}
	if err := json.Unmarshal(text, &t.sums); err != nil {
		return nil, fmt.Errorf("%s: %w: remove it, and trust your folders again", t.path, err)
	}
	return t, nil
}

// Of reports whether a file is trusted with this content, and whether it was trusted with another.
func (t *Trust) Of(path, sum string) (trusted, changed bool, err error) {
	path, err = realPath(path)
	known := t.sums[path]
	return err == nil && known == sum, known != "" && known != sum, err
}

// Add trusts a file with its present content, and returns it.
func (t *Trust) Add(path string) (*SettingsFile, error) {
	f, err := ReadSettings(path)
	if err != nil {
		return nil, err
	}
	if path, err = realPath(path); err != nil {
		return nil, err
	}
	t.sums[path] = f.sum
	return f, t.write()
}

func (t *Trust) write() error {
	text, err := json.MarshalIndent(t.sums, "", "  ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(t.path), 0o700)
	}
	if err != nil {
		return err
	}
	f, err := files.Create(t.path, files.Private)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.Write(append(text, '\n')); err != nil {
		return err
	}
	return f.Commit()
}

func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// An Untrusted is an untrusted file of the current folder that would decide which program runs.
type Untrusted struct {
	Sets    []string // key and value
	Changed bool     // it was trusted with another content
}

func (u *Untrusted) Error() string {
	why := "and is not trusted"
	if u.Changed {
		why = "and has changed since it was trusted"
	}
	return fmt.Sprintf("%s of this folder selects programs to run or files to write on this machine (%s) %s: read it, "+
		"then run `bench trust .`; BENCH_CONFIG=none ignores it", SettingsName, strings.Join(u.Sets, "; "), why)
}

// TrustFolder trusts the file of a folder with its present content, and returns a line that says so.
func TrustFolder(folder string) (said string, err error) {
	known, err := ReadTrust()
	if err != nil {
		return "", failure.New(failure.Bench, err)
	}
	path := filepath.Join(folder, SettingsName)
	f, err := known.Add(path)
	if err != nil {
		return "", failure.Usage(err)
	}
	return fmt.Sprintf("%s is trusted as it is now: %s", path, f), nil
}
