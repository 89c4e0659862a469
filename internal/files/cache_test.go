package files

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
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

// A changed entry is built again: one with a flipped bit, an empty, missing or additional file.
func TestEntryChanged(t *testing.T) {
	c, err := OpenCache(t.TempDir(), "test")
	if err != nil {
		t.Fatal(err)
	}
	text := bytes.Repeat([]byte("netlist "), 100)
	built := 0
	build := func(dir string) error {
		built++
		return errors.Join(os.WriteFile(filepath.Join(dir, "a.json"), text, 0o600),
			os.WriteFile(filepath.Join(dir, "b"), nil, 0o600))
	}
	random := rand.New(rand.NewPCG(72, 9))
	for n := range 200 {
		dir, err := c.Entry("key", build)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "a.json")); err != nil || !bytes.Equal(got, text) {
			t.Fatalf("round %d: %.40q, %v", n, got, err)
		}
		if built != n+1 {
			t.Fatalf("round %d: built %d times", n, built)
		}
		name := filepath.Join(dir, []string{"a.json", sealName}[n%2])
		file, err := os.ReadFile(name)
		switch {
		case err != nil:
		case n == 0:
			err = os.Truncate(name, 0)
		case n == 1:
			err = os.Remove(filepath.Join(dir, "b"))
		case n == 2:
			err = os.WriteFile(filepath.Join(dir, "c"), nil, 0o600)
		default:
			at := random.IntN(8 * len(file))
			file[at/8] ^= 1 << (at % 8)
			err = os.WriteFile(name, file, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Entry("key", build); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Entry("key", build); err != nil || built != 201 {
		t.Errorf("a good entry was built again: %d, %v", built, err)
	}
}

// A memo with a flipped bit is not returned.
func TestMemoChanged(t *testing.T) {
	c, err := OpenCache(t.TempDir(), "test")
	if err != nil {
		t.Fatal(err)
	}
	c.StoreText("key", []byte("text"))
	if text, ok := c.LoadText("key"); !ok || string(text) != "text" {
		t.Fatalf("%q, %v", text, ok)
	}
	path := filepath.Join(c.dir, "key"+memos)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range 8 * len(file) {
		bad := bytes.Clone(file)
		bad[at/8] ^= 1 << (at % 8)
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if text, ok := c.LoadText("key"); ok {
			t.Fatalf("bit %d: %q", at, text)
		}
	}
}
