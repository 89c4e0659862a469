//go:build unix

package files

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A new file gets the mode that the umask allows. A replacement gets the old file's mode, and is never more accessible.
func TestMode(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	dir := t.TempDir()
	for _, c := range []struct {
		name string
		was  fs.FileMode // 0 for none
		want fs.FileMode
	}{{"new", 0, 0o640}, {"secret", 0o600, 0o600}, {"shared", 0o664, 0o664}} {
		for _, mode := range []Mode{0, Part} {
			path := filepath.Join(dir, c.name)
			os.Remove(path)
			if c.was != 0 {
				write(t, path, "", 0o600)
				if err := os.Chmod(path, c.was); err != nil {
					t.Fatal(err)
				}
			}
			f := create(t, path, mode)
			if info, err := f.temp.Stat(); err != nil || info.Mode().Perm()&^c.want != 0 {
				t.Errorf("%s: %v meanwhile, want no more than %v", c.name, info.Mode(), c.want)
			}
			if err := f.Commit(); err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(path); err != nil || info.Mode() != c.want {
				t.Errorf("%s: %v, want %v", c.name, info.Mode(), c.want)
			}
		}
	}
}

func TestPipes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	kind := Kind{"a note", 8}
	_, err := kind.Read(path)
	refused(t, err, path, "no process writes to this pipe")
	_, _, err = kind.OpenFile(path)
	refused(t, err, "is a pipe, and has to be a file")

	in, err := kind.Open(path) // before the writer is opened, which would block
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	w, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.WriteString("12345678"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if b, err := in.readAll(); string(b) != "12345678" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}

func TestDevicesAreNoInputs(t *testing.T) {
	for _, path := range []string{"/dev/zero", "/dev/null"} {
		_, err := Kind{"a note", 8}.Read(path)
		refused(t, err, path+" is a device, and has to be a note")
	}
}

// If there is no home folder, or it is not writable, the cache is a temporary folder.
func TestCacheWithoutHome(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", "")
	for _, home := range []string{"", "/dev/null"} {
		t.Setenv("HOME", home)
		c, err := OpenCache("", "test")
		if err != nil {
			t.Fatal(err)
		}
		path, err := c.Entry("key", func(string) error { return nil })
		if err != nil || !strings.HasPrefix(path, os.TempDir()) {
			t.Errorf("%q: %s, %v", home, path, err)
		}
	}
}
