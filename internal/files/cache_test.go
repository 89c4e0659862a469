package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// An entry that has not been used for long is removed; a used one is kept.
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

// A folder of a killed run is removed after a day. Until then, an entry is built beside it.
func TestCacheLeftovers(t *testing.T) {
	c, err := OpenCache(t.TempDir(), "test")
	if err != nil {
		t.Fatal(err)
	}
	for age, kept := range map[time.Duration]bool{leftover - time.Hour: true, leftover + time.Hour: false} {
		dir, err := os.MkdirTemp(c.dir, building)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now().Add(-age)
		if err := os.Chtimes(dir, began, began); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Entry("key", func(string) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(dir); (err == nil) != kept {
			t.Errorf("after %v: %v", age, err)
		}
	}
}

// An entry whose build fails is not stored. If two runs build the same entry, both use the first.
func TestEntryIsWhole(t *testing.T) {
	c, err := OpenCache(t.TempDir(), "test")
	if err != nil {
		t.Fatal(err)
	}
	half := func(dir string) error {
		return errors.Join(os.WriteFile(filepath.Join(dir, "a"), nil, 0o600), errors.New("killed"))
	}
	if _, err := c.Entry("key", half); err == nil || err.Error() != "killed" {
		t.Error(err)
	}
	path, err := c.Entry("key", func(dir string) error {
		_, err := c.Entry("key", func(dir string) error { return os.WriteFile(filepath.Join(dir, "b"), nil, 0o600) })
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(path); err != nil || len(left) != 1 || left[0].Name() != "b" {
		t.Errorf("%v, %v", left, err)
	}
	if left, err := os.ReadDir(c.dir); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}
