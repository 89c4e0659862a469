package files

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Cache stores results that take seconds to compute, under the hash of their inputs. An entry is a folder, which is
// built under another name, synced and renamed, so that no other run sees it incomplete. A memo is a single file.
type Cache struct{ dir string }

const (
	building = "building-" // the prefix of a folder until it is complete
	memos    = ".memo"     // the suffix of a memo
)

// Times after which an unused entry, and the leftover of a killed run, are removed.
const (
	unused   = 30 * 24 * time.Hour
	leftover = 24 * time.Hour
)

// OpenCache returns the cache in dir, or the user's cache of a kind if dir is "". It creates the folder. If the user
// has no writable cache folder, the cache is temporary.
func OpenCache(dir, kind string) (Cache, error) {
	if dir == "" {
		if user, err := os.UserCacheDir(); err == nil {
			dir = filepath.Join(user, "utfbench", kind)
			if os.MkdirAll(dir, 0o700) == nil {
				return Cache{dir}, nil
			}
		}
		return temporaryCache(kind)
	}
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	return Cache{dir}, cacheError(err)
}

func cacheError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the build cache: %w", err)
}

// temporaryCache returns a cache in the system's temporary folder. Others can write there, so the user must own it.
func temporaryCache(kind string) (Cache, error) {
	own := filepath.Join(os.TempDir(), fmt.Sprintf("utfbench-%d", os.Getuid()))
	err := os.Mkdir(own, 0o700)
	if errors.Is(err, fs.ErrExist) {
		var info fs.FileInfo
		if info, err = os.Lstat(own); err == nil && !info.IsDir() {
			err = fmt.Errorf("%s is not a folder", own)
		}
	}
	if err == nil {
		err = os.Chmod(own, 0o700) // fails unless the user owns it
	}
	dir := filepath.Join(own, kind)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	return Cache{dir}, cacheError(err)
}

// TempDir creates a temporary folder, and returns a function that removes it.
func TempDir() (dir string, remove func(), err error) {
	c, err := temporaryCache("work")
	if err != nil {
		return "", nil, err
	}
	c.clean()
	dir, err = os.MkdirTemp(c.dir, building)
	return dir, func() { os.RemoveAll(dir) }, err
}

// Entry returns the folder of a key, which make fills on first use.
func (c Cache) Entry(key string, make func(dir string) error) (string, error) {
	c.clean()
	path := filepath.Join(c.dir, key)
	if _, err := os.Stat(path); err == nil {
		touch(path)
		return path, nil
	}
	dir, err := os.MkdirTemp(c.dir, building)
	if err != nil {
		return "", cacheError(err)
	}
	defer os.RemoveAll(dir)
	if err := make(dir); err != nil {
		return "", err
	}
	err = syncFiles(dir)
	if err == nil {
		err = os.Rename(dir, path)
	}
	if _, serr := os.Stat(path); serr == nil { // another run may have been faster
		err = nil
	}
	return path, cacheError(err)
}

func touch(path string) { _ = os.Chtimes(path, time.Time{}, time.Now()) }

func syncFiles(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		return cmp.Or(f.Sync(), f.Close())
	})
}

// LoadText returns the text stored under a key.
func (c Cache) LoadText(key string) (text []byte, ok bool) {
	path := filepath.Join(c.dir, key+memos)
	text, err := os.ReadFile(path)
	touch(path)
	return text, err == nil
}

// StoreText stores a text under a key. It ignores errors, since the caller can compute the text again.
func (c Cache) StoreText(key string, text []byte) {
	_ = Write(filepath.Join(c.dir, key+memos), text, 0)
}

// clean removes folders of killed runs, and entries unused for long.
func (c Cache) clean() {
	isBuilding := func(name string) bool { return strings.HasPrefix(name, building) }
	removeOld(c.dir, isBuilding, leftover)
	removeOld(c.dir, func(name string) bool { return !isBuilding(name) }, unused)
}

// removeOld removes matching entries of a folder that are older than a limit. The next run tries again after an error.
func removeOld(dir string, matches func(name string) bool, limit time.Duration) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && matches(e.Name()) && time.Since(info.ModTime()) > limit {
			os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}
