package files

import (
	"os"
	"testing"
	"time"
)

// A killed run's leftovers are removed by the next run; a running one's files are not.
func TestCacheLeftovers(t *testing.T) {
	c, err := OpenCache(t.TempDir(), "test")
	if err != nil {
		t.Fatal(err)
	}
	nothing := func(string) error { return nil }
	dir, lock, err := c.begin()
	if err != nil {
		t.Fatal(err)
	}
	for i, kept := range []bool{true, false} {
		if _, err := c.Entry("key", nothing); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(dir); (err == nil) != kept {
			t.Errorf("look %d: the folder of a run: %v", i, err)
		}
		lock.Close()
	}
}

// An entry unused for long is removed, a used one stays.
func TestForgets(t *testing.T) {
	c, err := OpenCache(t.TempDir(), "test")
	if err != nil {
		t.Fatal(err)
	}
	built := 0
	build := func(dir string) error { built++; return nil }
	var paths [2]string
	for i, key := range []string{"old", "used"} {
		if paths[i], err = c.Entry(key, build); err != nil {
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
	if _, err := c.Entry("used", build); err != nil || built != 2 {
		t.Errorf("%v; %d were built", err, built)
	}
	if _, err := os.Stat(paths[0]); err == nil {
		t.Error("the old one is still there")
	}
	if info, err := os.Stat(paths[1]); err != nil || time.Since(info.ModTime()) > time.Hour {
		t.Error("the other was not marked as used", err)
	}
}
