package verilog

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
)

// wantEntries checks the number of cache entries, including leftovers.
func wantEntries(t *testing.T, dir string, want int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return strings.HasSuffix(e.Name(), ".memo") })
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
	wantEntries(t, c.CacheDir, 1)
	c.Defines = []string{"X=1"}
	open(c)
	wantEntries(t, c.CacheDir, 2)
}

// Concurrent calls of Open may build the same simulation.
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
	wantEntries(t, c.CacheDir, 1)
}
