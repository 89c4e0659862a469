package files

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	kind := Kind{"a note", 2048}
	for _, n := range []int{0, 1, 2047, 2048, 2049, 9000} {
		write(t, path, strings.Repeat("x", n), 0o644)
		b, err := kind.Read(path)
		if n <= 2048 {
			if len(b) != n || err != nil {
				t.Errorf("%d bytes: %d, %v", n, len(b), err)
			}
			continue
		}
		refused(t, err, path+" is longer than 2 KiB, the maximum for a note")
	}
	_, err := kind.Read(filepath.Dir(path))
	refused(t, err, "is a folder, and has to be a note")
	if _, err := kind.Read(path + "no"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// The limit holds even for a file that grows while it is read, with any method of reading.
func TestFileThatGrows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	write(t, path, "1234", 0o644)
	in, err := Kind{"a note", 8}.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("56789"); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	_, err = io.Copy(&b, in)
	refused(t, err, "is longer than 8 bytes")
	_, err = in.Read(make([]byte, 1))
	refused(t, err, "is longer than 8 bytes")
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{1000: "1000 bytes", 1 << 10: "1 KiB", 3 << 20: "3 MiB", 2 << 30: "2 GiB"} {
		if got := FormatSize(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

// A byte order mark, which editors on Windows write, is not part of a YAML file's first key.
func TestByteOrderMark(t *testing.T) {
	y, err := ParseYAML("info.yaml", "an info.yaml", 2, []byte("\uFEFFproject:\n  title: a\n"))
	if err != nil || !strings.HasPrefix(y.Body.String(), "project:") {
		t.Errorf("%v, %v", y, err)
	}
}
