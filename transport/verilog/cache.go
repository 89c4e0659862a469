package verilog

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"utfbench/internal/files"
)

// A cache is a folder with an entry for each thing that was built, named by its hash. An entry is built in a folder of
// its own and renamed, so that it is there as a whole or not at all. Beside such a folder is a lock file, locked as
// long as its run lives; what is found unlocked is of a run that was killed, and is removed.
type cache struct{ dir string }

const building = "building-"

// unused is how long an entry may lie about: an hour's work of a compiler at most is lost with it.
const unused = 30 * 24 * time.Hour

// touch says that an entry was used. Where it cannot be said the entry is built again some day.
func touch(path string) { _ = os.Chtimes(path, time.Time{}, time.Now()) }

func openCache(dir string) (cache, error) {
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return cache{}, fmt.Errorf("no folder for what is built: %w", err)
		}
		dir = filepath.Join(user, "utfbench", "verilog")
	}
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return cache{}, fmt.Errorf("the folder for what is built: %w", err)
	}
	return cache{dir}, nil
}

// entry gives the folder of a key, which make fills when there is none.
func (c cache) entry(key string, make func(dir string) error) (string, error) {
	c.clean()
	path := filepath.Join(c.dir, key)
	if _, err := os.Stat(path); err == nil {
		touch(path)
		return path, nil
	}
	dir, lock, err := c.begin()
	if err != nil {
		return "", fmt.Errorf("the folder for what is built: %w", err)
	}
	defer lock.Close()
	defer c.abandon(dir, lock)
	if err := make(dir); err != nil {
		return "", err
	}
	if err := os.Rename(dir, path); err != nil {
		if _, there := os.Stat(path); there != nil { // and else another run was faster
			return "", fmt.Errorf("keeping what was built: %w", err)
		}
	}
	return path, nil
}

// memos is how the name of a memo ends, which is a file of its own in the cache.
const memos = ".memo"

// memo gives what keepMemo has kept under a key.
func (c cache) memo(key string) (text []byte, ok bool) {
	path := filepath.Join(c.dir, key+memos)
	text, err := os.ReadFile(path)
	touch(path)
	return text, err == nil
}

// keepMemo keeps what was found out, so that it need not be found out again; what cannot be kept is.
func (c cache) keepMemo(key string, text []byte) {
	f, err := files.Create(filepath.Join(c.dir, key+memos), files.Fast)
	if err != nil {
		return
	}
	defer f.Discard()
	if _, err := f.Write(text); err == nil {
		_ = f.Commit()
	}
}

// begin makes a folder to build in, and its lock.
func (c cache) begin() (dir string, lock *os.File, err error) {
	for {
		lock, err = os.CreateTemp(c.dir, building+"*.lock")
		if err != nil {
			return "", nil, err
		}
		if tryLock(lock) && isAt(lock) {
			dir = strings.TrimSuffix(lock.Name(), ".lock")
			return dir, lock, os.Mkdir(dir, 0o700)
		}
		lock.Close() // another run took it for a leftover before it was locked
	}
}

// tryLock locks a file until it is closed or the process ends.
func tryLock(f *os.File) bool {
	mine, err := files.Lock(f)
	return mine && err == nil
}

// isAt says whether the file is still where it was made.
func isAt(f *os.File) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(f.Name())
	return err == nil && os.SameFile(mine, there)
}

// abandon removes what is left of a build, and then its lock, which the caller holds.
func (c cache) abandon(dir string, lock *os.File) {
	if os.RemoveAll(dir) == nil {
		os.Remove(lock.Name())
	}
}

// clean removes what runs left that were killed, and entries that nobody has used for long. It does what it can: the
// next one tries again.
func (c cache) clean() {
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
