package verilog

import (
	"context"
	"os"
	"testing"
)

// wantEntries counts what a cache holds, leftovers included.
func wantEntries(t *testing.T, dir string, want int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
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
