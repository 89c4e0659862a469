package files

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Cache stores results that take seconds to compute, in folders named by the hash of their inputs. An entry is built
// in a temporary folder, sealed with a hash of its files, synced and renamed, so it is never seen half-built; an entry
// that differs from its hash is built again. A lock file beside the folder is locked while its run lives; a folder with
// an unlocked file is a leftover and is removed.
type Cache struct{ dir string }

const building = "building-"

// unused is the time after which an unused entry is removed.
const unused = 30 * 24 * time.Hour

// touch marks an entry as used.
func touch(path string) { _ = os.Chtimes(path, time.Time{}, time.Now()) }

// OpenCache returns the cache in dir, or the user's cache of a kind if dir is "". It creates the folder. A user without
// a writable cache folder gets a temporary one.
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
	if err != nil {
		return Cache{}, fmt.Errorf("the build cache: %w", err)
	}
	return Cache{dir}, nil
}

// temporaryCache returns a cache in the system's temporary folder, which must be the user's own: other users may write
// there too.
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
		err = os.Chmod(own, 0o700) // only its owner can
	}
	dir := filepath.Join(own, kind)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return Cache{}, fmt.Errorf("the build cache: %w", err)
	}
	return Cache{dir}, nil
}

// TempDir creates a temporary folder, which remove removes. The folders of killed runs are removed.
func TempDir() (dir string, remove func(), err error) {
	c, err := temporaryCache("work")
	if err != nil {
		return "", nil, err
	}
	c.clean()
	dir, lock, err := c.begin()
	if err != nil {
		return "", nil, err
	}
	return dir, func() {
		c.abandon(dir, lock)
		lock.Close()
	}, nil
}

// Entry returns the folder of a key, filled by make on first use. If the cache's disk is full or read-only, it is a
// temporary folder.
func (c Cache) Entry(key string, make func(dir string) error) (string, error) {
	path, err := c.entry(key, make)
	if err == nil || c.writable() {
		return path, err
	}
	other, terr := temporaryCache(filepath.Base(c.dir))
	if terr != nil || other == c {
		return "", err
	}
	return other.entry(key, make)
}

func (c Cache) entry(key string, make func(dir string) error) (string, error) {
	c.clean()
	path := filepath.Join(c.dir, key)
	if sealed(path) {
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
	if err := seal(dir); err != nil {
		return "", fmt.Errorf("storing the build: %w", err)
	}
	err = os.Rename(dir, path)
	if err != nil && !sealed(path) { // else another run was faster
		if err = os.RemoveAll(path); err == nil {
			err = os.Rename(dir, path)
		}
		if err != nil {
			return "", fmt.Errorf("storing the build: %w", err)
		}
	}
	return path, nil
}

// room is the size of the file that writable writes, in bytes: about the largest entry.
const room = 16 << 20

// writable reports whether the cache's disk has room for an entry.
func (c Cache) writable() bool {
	f, err := os.CreateTemp(c.dir, building+"*.trial")
	if err != nil {
		return false
	}
	defer os.Remove(f.Name())
	_, err = f.Write(bytes.Repeat([]byte{1}, room))
	return errors.Join(err, f.Close()) == nil
}

// sealName is the file of an entry with the hash of all others.
const sealName = "sha256"

// seal syncs the files of an entry and writes their hash.
func seal(dir string) error {
	sum, err := hashOf(dir, (*os.File).Sync)
	if err != nil {
		return err
	}
	return Write(filepath.Join(dir, sealName), []byte(sum), 0)
}

// sealed reports whether an entry is as it was sealed.
func sealed(dir string) bool {
	was, err := os.ReadFile(filepath.Join(dir, sealName))
	if err != nil {
		return false
	}
	is, err := hashOf(dir, func(*os.File) error { return nil })
	return err == nil && string(was) == is
}

// hashOf hashes the names and contents of all files in a folder, and calls do with each.
func hashOf(dir string, do func(*os.File) error) (string, error) {
	all := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name, rerr := filepath.Rel(dir, path)
		if err = cmp.Or(err, rerr); err != nil || name == sealName || !d.Type().IsRegular() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		one := sha256.New()
		if _, err := io.Copy(one, f); err != nil {
			return err
		}
		fmt.Fprintf(all, "%x %q\n", one.Sum(nil), filepath.ToSlash(name))
		return do(f)
	})
	return hex.EncodeToString(all.Sum(nil)), err
}

// memos is the suffix of a memo, a single file in the cache.
const memos = ".memo"

// LoadText returns the text stored under a key, unless it has been changed since.
func (c Cache) LoadText(key string) (text []byte, ok bool) {
	path := filepath.Join(c.dir, key+memos)
	file, err := os.ReadFile(path)
	if err != nil || len(file) < sha256.Size {
		return nil, false
	}
	touch(path)
	sum, text := file[:sha256.Size], file[sha256.Size:]
	return text, sha256.Sum256(text) == [sha256.Size]byte(sum)
}

// StoreText stores a text under a key, after its hash. If that fails, it is computed again next time.
func (c Cache) StoreText(key string, text []byte) {
	sum := sha256.Sum256(text)
	_ = Write(filepath.Join(c.dir, key+memos), slices.Concat(sum[:], text), 0)
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
		ours := e.IsDir() && !strings.HasPrefix(e.Name(), building) || strings.HasSuffix(e.Name(), memos) ||
			strings.HasSuffix(e.Name(), ".trial")
		if err == nil && ours && time.Since(info.ModTime()) > unused {
			os.RemoveAll(filepath.Join(c.dir, e.Name()))
		}
	}
}
