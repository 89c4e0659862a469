package fleet

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"utfbench/internal/files"
)

// A Cache is a folder of fetched recordings. Each is named by its SHA-256, so labs can share the folder.
type Cache struct {
	Folder string
	Limit  int64 // bytes; the least recently used are removed first
}

// UserCache returns the user's cache, which is limited to 1 GB.
func UserCache() (*Cache, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("no cache folder: %w", err)
	}
	return &Cache{filepath.Join(dir, "utfbench", "lab"), 1e9}, nil
}

// Fetch returns the path of a run's recording and downloads it if necessary. Run 0 is the latest.
func (l *History) Fetch(number int, to *Cache) (path string, err error) {
	r, err := l.conn.Recorded(l.ctx, number)
	if err != nil {
		return "", err
	}
	if sum, err := hex.DecodeString(r.SHA256); err != nil || len(sum) != sha256.Size {
		return "", fmt.Errorf("the lab sent no SHA-256 for the recording of run %d", r.Run)
	}
	path = filepath.Join(to.Folder, r.SHA256+".rec")
	now := time.Now()
	if os.Chtimes(path, now, now) == nil {
		return path, nil
	}
	if err := os.MkdirAll(to.Folder, 0o700); err != nil {
		return "", err
	}
	f, err := files.Create(path, 0)
	if err != nil {
		return "", err
	}
	defer f.Discard()
	sum := sha256.New()
	if err := l.conn.ReadRecording(l.ctx, r, io.MultiWriter(f, sum)); err != nil {
		return "", err
	}
	if hex.EncodeToString(sum.Sum(nil)) != r.SHA256 {
		return "", fmt.Errorf("the recording of run %d from the lab has the wrong SHA-256", r.Run)
	}
	if err := f.Commit(); err != nil {
		return "", err
	}
	to.shrink(path)
	return path, nil
}

// shrink removes recordings until the limit is met, except the wanted one. A recording in use cannot be removed and is
// retried by the next call.
func (c *Cache) shrink(wanted string) {
	entries, _ := os.ReadDir(c.Folder)
	var all []fs.FileInfo
	bytes := int64(0)
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			all, bytes = append(all, info), bytes+info.Size()
		}
	}
	slices.SortFunc(all, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, info := range all {
		path := filepath.Join(c.Folder, info.Name())
		if bytes > c.Limit && path != wanted && os.Remove(path) == nil {
			bytes -= info.Size()
		}
	}
}
