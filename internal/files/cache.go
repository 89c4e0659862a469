package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// A Cache stores results that take seconds to compute, in folders named by the hash of their inputs. An entry is built
// in a temporary folder and renamed, so it is never seen half-built. A lock file beside the folder is locked while its
// run lives; a folder with an unlocked file is a leftover and is removed.
type Cache struct{ dir string }

const building = "building-"

// unused is the time after which an unused entry is removed.
const unused = 30 * 24 * time.Hour

// touch marks an entry as used.
func touch(path string) { _ = os.Chtimes(path, time.Time{}, time.Now()) }

// OpenCache returns the cache in dir, or the user's cache of a kind if dir is "". It creates the folder.
func OpenCache(dir, kind string) (Cache, error) {
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return Cache{}, fmt.Errorf("no build cache: %w", err)
		}
		dir = filepath.Join(user, "utfbench", kind)
	}
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return Cache{}, fmt.Errorf("the build cache: %w", err)
	}
	return Cache{dir}, nil
}

// Entry returns the folder of a key, filled by make on first use.
func (c Cache) Entry(key string, make func(dir string) error) (string, error) {
	c.clean()
	path := filepath.Join(c.dir, key)
	if _, err := os.Stat(path); err == nil {
		touch(path)
		return path, nil
	}
	dir, lock, err := c.begin()
	if err != nil {
		return "", fmt.Errorf("the build cache: %w", err)
	}
	defer lock.Close()
	defer c.abandon(dir, lock)
	if err := make(dir); err != nil {
		return "", err
	}
	if err := os.Rename(dir, path); err != nil {
		if _, there := os.Stat(path); there != nil { // else another run was faster
			return "", fmt.Errorf("storing the build: %w", err)
		}
	}
	return path, nil
}

// memos is the suffix of a memo, a single file in the cache.
const memos = ".memo"

// Memo returns the text stored under a key.
func (c Cache) Memo(key string) (text []byte, ok bool) {
	path := filepath.Join(c.dir, key+memos)
	text, err := os.ReadFile(path)
	touch(path)
	return text, err == nil
}

// Keep stores a text under a key. If that fails, it is computed again next time.
func (c Cache) Keep(key string, text []byte) {
	f, err := Create(filepath.Join(c.dir, key+memos), Fast)
	if err != nil {
		return
	}
	defer f.Discard()
	if _, err := f.Write(text); err == nil {
		_ = f.Commit()
	}
}

// begin creates a folder to build in, and its lock.
func (c Cache) begin() (dir string, lock *os.File, err error) {
	for {
		lock, err = os.CreateTemp(c.dir, building+"*.lock")
		if err != nil {
			return "", nil, err
		}
		if tryLock(lock) && at(lock, lock.Name()) {
			dir = strings.TrimSuffix(lock.Name(), ".lock")
			return dir, lock, os.Mkdir(dir, 0o700)
		}
		lock.Close() // another run took it for a leftover before it was locked
	}
}

// tryLock locks a file until it is closed or the process ends.
func tryLock(f *os.File) bool {
	mine, err := Lock(f)
	return mine && err == nil
}

// abandon removes an unfinished build, and then its lock, which the caller holds.
func (c Cache) abandon(dir string, lock *os.File) {
	if os.RemoveAll(dir) == nil {
		os.Remove(lock.Name())
	}
}

// clean removes leftovers of killed runs, and old entries. It ignores errors: the next run tries again.
func (c Cache) clean() {
	locks, _ := filepath.Glob(filepath.Join(c.dir, building+"*.lock")) // the pattern is well-formed
	for _, name := range locks {
		lock, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if tryLock(lock) {
			c.abandon(strings.TrimSuffix(name, ".lock"), lock)
		}
		lock.Close()
	}
	entries, _ := os.ReadDir(c.dir)
	for _, e := range entries {
		info, err := e.Info()
		ours := e.IsDir() && !strings.HasPrefix(e.Name(), building) || strings.HasSuffix(e.Name(), memos)
		if err == nil && ours && time.Since(info.ModTime()) > unused {
			os.RemoveAll(filepath.Join(c.dir, e.Name()))
		}
	}
}

// Data returns the folder utfbench in the user's data folder, which may not exist.
func Data() (string, error) {
	switch runtime.GOOS {
	case "windows":
		if dir := os.Getenv("LocalAppData"); dir != "" {
			return filepath.Join(dir, "utfbench"), nil
		}
		return "", errors.New("the variable LocalAppData is not set, so the data folder is unknown")
	case "darwin", "ios":
		return home("Library", "Application Support", "utfbench")
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) { // the specification says to ignore relative paths
		return filepath.Join(dir, "utfbench"), nil
	}
	return home(".local", "share", "utfbench")
}

func home(below ...string) (string, error) {
	dir, err := os.UserHomeDir()
	if err != nil {
		return "", errors.New("the home folder is unknown, and thus the data folder")
	}
	return filepath.Join(append([]string{dir}, below...)...), nil
}
