package verilog

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// wantEntries counts what was built in a cache, leftovers included.
func wantEntries(t *testing.T, dir string, want int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return strings.HasSuffix(e.Name(), memos) })
	if len(entries) != want {
		t.Errorf("the cache holds %v; want %d entries", entries, want)
	}
}

func TestCache(t *testing.T) {
	need(t, "icarus")
	c := design(t, "icarus", header+rest+"endmodule\n")
	open := func(c Config) {
		t.Helper()
		tr := mustOpen(t, c)
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	}
	open(c)
	open(c)
	wantEntries(t, c.Cache, 1)
	c.Defines = []string{"X=1"}
	open(c)
	wantEntries(t, c.Cache, 2)
	// What a killed run leaves is removed by the next; what a living one is at, is not.
	store := cache{c.Cache}
	dir, lock, err := store.begin()
	if err != nil {
		t.Fatal(err)
	}
	open(c)
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("the folder of a build that goes on: %v", err)
	}
	lock.Close()
	open(c)
	wantEntries(t, c.Cache, 2)
}

// Two runs may build the same thing at once.
func TestCacheTogether(t *testing.T) {
	need(t, "icarus")
	c := design(t, "icarus", header+rest+"endmodule\n")
	errs := make(chan error)
	for range 8 {
		go func() {
			tr, err := Open(context.Background(), c)
			if err == nil {
				err = tr.Close()
			}
			errs <- err
		}()
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	wantEntries(t, c.Cache, 1)
}

// An entry that nobody has used for long goes, and one that was used stays.
func TestCacheForgets(t *testing.T) {
	c, err := openCache(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	built := 0
	build := func(dir string) error { built++; return nil }
	var paths [2]string
	for i, key := range []string{"old", "used"} {
		if paths[i], err = c.entry(key, build); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-unused - time.Hour)
	if err := os.Chtimes(paths[0], long, long); err != nil {
		t.Fatal(err)
	}
	almost := time.Now().Add(-unused + time.Hour)
	if err := os.Chtimes(paths[1], almost, almost); err != nil {
		t.Fatal(err)
	}
	if _, err := c.entry("used", build); err != nil || built != 2 {
		t.Errorf("%v; %d were built", err, built)
	}
	if _, err := os.Stat(paths[0]); err == nil {
		t.Error("the old one is still there")
	}
	if info, err := os.Stat(paths[1]); err != nil || time.Since(info.ModTime()) > time.Hour {
		t.Error("the other was not marked as used", err)
	}
}
